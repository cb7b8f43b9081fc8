/** String and bytes literals of Python (its reference, §2.4.1), prefix and quotes included. Knows no other syntax. */
import { DecodeError, PythonBytes } from './value.ts';

interface Literal {
  readonly value: string | PythonBytes;
  /** Index behind the closing quotes. */
  readonly end: number;
}

const OPENING = /([bBrRuU]{0,2})('''|"""|'|")/y;
const PREFIXES: ReadonlySet<string> = new Set(['', 'b', 'r', 'u', 'br', 'rb']);
/** Runs of what stands for itself, per quote. */
const PLAIN: Readonly<Record<string, RegExp>> = { "'": /[^'\\\n\r]+/y, '"': /[^"\\\n\r]+/y };

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const CODE_POINT_MAX = 0x10ffff;

/** Whether a string or bytes literal begins here. */
export function startsString(text: string, at: number): boolean {
  OPENING.lastIndex = at;
  return OPENING.test(text);
}

/** Reads the literal at `at`. Throws DecodeError. */
export function readString(text: string, at: number): Literal {
  OPENING.lastIndex = at;
  const [opening, prefixText = '', quotes = ''] = OPENING.exec(text) ?? [''];
  const prefix = prefixText.toLowerCase();
  if (!PREFIXES.has(prefix)) throw new DecodeError(`no such string prefix at position ${at}`);
  const isBytes = prefix.includes('b');
  const { content, end } = readContent(text, {
    start: at + opening.length,
    quotes,
    isRaw: prefix.includes('r'),
    isBytes,
  });
  return { value: isBytes ? toBytes(content, at) : content, end };
}

interface Body {
  readonly start: number;
  readonly quotes: string;
  readonly isRaw: boolean;
  readonly isBytes: boolean;
}

function readContent(text: string, body: Body): { content: string; end: number } {
  const { quotes } = body;
  const quote = quotes.slice(0, 1);
  const plain = PLAIN[quote] ?? OPENING;
  const parts: string[] = [];
  let at = body.start;
  for (;;) {
    plain.lastIndex = at;
    const run = plain.exec(text)?.[0];
    if (run !== undefined) {
      parts.push(run);
      at += run.length;
    }
    const next = text[at];
    if (next === undefined) throw new DecodeError(`a string is not closed`);
    if (text.startsWith(quotes, at)) return { content: parts.join(''), end: at + quotes.length };
    if (next === '\\') {
      const escape = readEscape(text, at, body);
      parts.push(escape.value);
      at = escape.end;
    } else if (quotes.length === 1 && next !== quote) {
      throw new DecodeError(`a string runs over the end of its line at position ${at}`);
    } else {
      parts.push(next);
      at += 1;
    }
  }
}

function readEscape(text: string, at: number, body: Body): { value: string; end: number } {
  const letter = text[at + 1];
  if (letter === undefined) throw new DecodeError('a string is not closed');
  if (body.isRaw) return { value: `\\${letter}`, end: at + 2 };
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (simple !== undefined) return { value: simple, end: at + 2 };
  if (letter >= '0' && letter <= '7') {
    const digits = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0] ?? '0';
    return { value: String.fromCodePoint(Number.parseInt(digits, 8)), end: at + 1 + digits.length };
  }
  const count = body.isBytes && letter !== 'x' ? undefined : HEX_DIGITS[letter];
  if (count !== undefined) {
    const digits = text.slice(at + 2, at + 2 + count);
    const code = Number.parseInt(digits, 16);
    if (digits.length !== count || !/^[\da-fA-F]+$/.test(digits) || code > CODE_POINT_MAX)
      throw new DecodeError(`a wrong escape at position ${at}`);
    return { value: String.fromCodePoint(code), end: at + 2 + count };
  }
  if (letter === 'N' && !body.isBytes)
    throw new DecodeError(`an escape by a character's name at position ${at} is not supported`);
  // As in Python, an unknown escape stands for itself, backslash included.
  return { value: `\\${letter}`, end: at + 2 };
}

function toBytes(content: string, at: number): PythonBytes {
  for (let i = 0; i < content.length; i += 1) {
    if (content.charCodeAt(i) > 0xff)
      throw new DecodeError(`a bytes literal at position ${at} holds other than bytes`);
  }
  return new PythonBytes(Buffer.from(content, 'latin1'));
}
