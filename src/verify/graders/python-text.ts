/**
 * Text as Python's graders see it: their white space, lines, floats and decimals. Linear in the length of the text, whatever
 * it is.
 */

/** `str.isspace` within the basic plane, which is what `strip` and `split` go by. */
function isSpace(code: number): boolean {
  if (code < 0x80) return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20);
  if (code === 0x85 || code === 0xa0 || code === 0x1680) return true;
  if (code < 0x2000 || code > 0x3000) return false;
  return (
    code <= 0x200a ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

function stripStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  return text.slice(start);
}

function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function strip(text: string): string {
  return stripStart(stripEnd(text));
}

/** `text.split()`: the parts between white space, none of them empty. */
export function words(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (!isSpace(text.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      found.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) found.push(text.slice(start));
  return found;
}

const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** `text.splitlines()`: no empty last line. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const GROUPED = /^\d+(?:_\d+)*$/;
const FLOAT = /^([+-]?)([\d_]*)(?:(\.)([\d_]*))?(?:[eE]([+-]?[\d_]+))?$/;
const NAMED: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  infinity: Infinity,
};

/** `float(text)`; null where that raises. Longer texts are no numbers. */
export function toFloat(text: string): number | null {
  const stripped = strip(text);
  const named = NAMED[stripped.replace(/^[+-]/, '').toLowerCase()];
  if (named !== undefined) return stripped.startsWith('-') ? -named : named;
  const parts = FLOAT.exec(stripped);
  if (parts === null) return null;
  const [, , whole = '', , fraction = '', exponent = ''] = parts;
  const digits = [whole, fraction, exponent.replace(/^[+-]/, '')];
  if (whole === '' && fraction === '') return null;
  if (!digits.every((each) => each === '' || GROUPED.test(each))) return null;
  return Number(stripped.replaceAll('_', ''));
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,15}))?$/;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|s?nan\d*)$/i;

/**
 * A text that two numbers share exactly where `Decimal(one) == Decimal(other)`; null where `Decimal` raises. `nan` equals
 * nothing, not itself either: "".
 */
export function decimalKey(token: string): string | null {
  const text = token.replaceAll('_', '');
  const special = SPECIAL.exec(text);
  if (special !== null) return special[2] === undefined ? '' : `${signOf(special[1])}inf`;
  const parts = DECIMAL.exec(text);
  if (parts === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  if (whole === '' && fraction === '') return null;
  const digits = `${whole}${fraction}`;
  let first = 0;
  while (first < digits.length && digits[first] === '0') first += 1;
  if (first === digits.length) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${signOf(sign)}${digits.slice(first, end)}e${power}`;
}

function signOf(sign: string | undefined): string {
  return sign === '-' ? '-' : '';
}

/** numpy's `isclose` with its default tolerances; `wanted` is what the difference is relative to. */
export function isClose(got: number, wanted: number): boolean {
  if (got === wanted) return true;
  if (!Number.isFinite(got) || !Number.isFinite(wanted)) return false;
  return Math.abs(got - wanted) <= 1e-8 + 1e-5 * Math.abs(wanted);
}

/** A text that two numbers share where Python's `round(x, 3)` gives the same; a nan shares it with nothing: null. */
export function roundedKey(value: number): string | null {
  if (Number.isNaN(value)) return null;
  // toFixed is exact but for ties, which are odd sixteenths and go to even in Python.
  const isTie = Math.abs((value * 16) % 2) === 1;
  const near = Math.abs(value) >= 1e21 ? String(value) : value.toFixed(3);
  const rounded = isTie ? (2 * Math.round(value * 500)) / 1000 : Number(near);
  return String(rounded === 0 ? 0 : rounded);
}
