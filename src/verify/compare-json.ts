/**
 * Whether a program's result, which comes as JSON in languages without a test runner, is the expected value. Numbers are
 * compared as they are written, never as doubles: 9007199254740993 is not …992, and 1.0 is 1. Pure.
 */
import { numberText, parseExactNumbers } from '../lib/exact-numbers.ts';
import { NUMBER_BYTES_MAX, numbersClose, type Tolerance } from './number-token.ts';

interface Comparison {
  readonly equal: boolean;
  readonly message: string;
}

const EQUAL: Comparison = { equal: true, message: '' };
const DEPTH_MAX = 500;
const SHOWN_MAX = 64;
const RESULT_BYTES_MAX = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Whether the last line of an output says the expected value. `tolerance` is for expected numbers that are written with a
 * point or an exponent; null for none.
 */
export function compareResult(
  expected: Uint8Array,
  output: Uint8Array,
  tolerance: Tolerance | null,
): Comparison {
  const line = lastLine(output);
  if (line === null) return { equal: false, message: 'there is no result' };
  return compareJson(Buffer.from(expected).toString('utf8'), line, tolerance);
}

/** The line that a generated main writes behind whatever the program may have written. */
function lastLine(output: Uint8Array): string | null {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const end = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length;
  const start = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
  return start < 0 || end - start > RESULT_BYTES_MAX
    ? null
    : bytes.toString('utf8', start + 1, end);
}

/** Whether two JSON texts say the same value. */
export function compareJson(
  expected: string,
  actual: string,
  tolerance: Tolerance | null,
): Comparison {
  let got: unknown;
  try {
    got = parseExactNumbers(actual);
  } catch {
    return { equal: false, message: 'the result is not JSON' };
  }
  return compare(parseExactNumbers(expected), got, { tolerance, path: '', depth: 0 });
}

interface Where {
  readonly tolerance: Tolerance | null;
  readonly path: string;
  readonly depth: number;
}

function compare(wanted: unknown, got: unknown, where: Where): Comparison {
  if (where.depth > DEPTH_MAX) return differ(where, 'is nested too deep');
  const number = numberText(wanted);
  if (number !== null) return compareNumber(number, numberText(got), where);
  if (Array.isArray(wanted)) return compareList(wanted, got, where);
  if (isObject(wanted)) return compareObject(wanted, got, where);
  if (wanted === got) return EQUAL;
  return differ(where, `expected ${shown(wanted)}, got ${shown(got)}`);
}

function compareNumber(wanted: string, got: string | null, where: Where): Comparison {
  if (got === null) return differ(where, `expected ${cut(wanted)}, got no number`);
  if (sameNumber(wanted, got)) return EQUAL;
  const { tolerance } = where;
  const isFloat = /[.eE]/.test(wanted);
  const isShort = Math.max(wanted.length, got.length) <= NUMBER_BYTES_MAX;
  if (tolerance !== null && isFloat && isShort && numbersClose(wanted, got, tolerance))
    return EQUAL;
  return differ(where, `expected ${cut(wanted)}, got ${cut(got)}`);
}

function compareList(wanted: readonly unknown[], got: unknown, where: Where): Comparison {
  if (!Array.isArray(got)) return differ(where, `expected a list, got ${shown(got)}`);
  if (wanted.length !== got.length)
    return differ(where, `expected ${wanted.length} items, got ${got.length}`);
  for (const [index, each] of wanted.entries()) {
    const found = compare(each, got[index], below(where, `[${index}]`));
    if (!found.equal) return found;
  }
  return EQUAL;
}

function compareObject(
  wanted: Readonly<Record<string, unknown>>,
  got: unknown,
  where: Where,
): Comparison {
  if (!isObject(got)) return differ(where, `expected an object, got ${shown(got)}`);
  const names = Object.keys(wanted);
  if (names.length !== Object.keys(got).length) return differ(where, 'the fields differ');
  for (const name of names) {
    if (!Object.hasOwn(got, name)) return differ(where, 'the fields differ');
    const found = compare(wanted[name], got[name], below(where, `.${cut(name)}`));
    if (!found.equal) return found;
  }
  return EQUAL;
}

/** Digits without point and zeros, and the power of ten of the last one. */
function decimal(text: string): { sign: string; digits: string; power: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.slice(0, endOfDigits(all));
  const power = Number(exponent) - fraction.length + (all.length - digits.length);
  return digits === '' ? { sign: '', digits: '', power: 0 } : { sign, digits, power };
}

/** A pattern would look at each run of zeros from each of its zeros. */
function endOfDigits(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end -= 1;
  return end;
}

function sameNumber(a: string, b: string): boolean {
  const [x, y] = [decimal(a), decimal(b)];
  return x.sign === y.sign && x.digits === y.digits && x.power === y.power;
}

function below({ tolerance, path, depth }: Where, step: string): Where {
  // A path of a deep place is of use to nobody.
  return { tolerance, path: path.length > SHOWN_MAX ? path : `${path}${step}`, depth: depth + 1 };
}

function differ({ path }: Where, what: string): Comparison {
  return { equal: false, message: path === '' ? what : `result${path}: ${what}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (numberText(value) !== null) return cut(numberText(value) ?? '');
  return isObject(value) ? 'an object' : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…`.toWellFormed() : text;
}
