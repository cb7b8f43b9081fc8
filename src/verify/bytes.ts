/**
 * Byte-level scanning that all comparisons share: what whitespace is, where tokens and lines begin and end, and how a
 * few bytes are shown to a reader. Knows nothing of verdicts.
 */

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Longest excerpt of output shown in a message, in bytes of the output. */
const EXCERPT_BYTES_MAX = 64;

/** Space, `\t \n \v \f \r`: the set testlib and C's isspace use. Unicode spaces are ordinary bytes. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/** First index ≥ `from` that is no whitespace, or `bytes.length`. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
}

/** First index ≥ `from` that is whitespace, or `bytes.length`. */
export function skipToken(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isSpace(bytes[at])) at += 1;
  return at;
}

/** Tokens from `from` on. */
export function countTokens(bytes: Uint8Array, from: number): number {
  let count = 0;
  for (let at = skipSpace(bytes, from); at < bytes.length; count += 1) {
    at = skipSpace(bytes, skipToken(bytes, at));
  }
  return count;
}

/** A half-open range of bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text without leading and trailing blank lines (lines of whitespace only); indentation is kept. */
export function trimBlankLines(bytes: Uint8Array): Span {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1])) end -= 1;
  const first = skipSpace(bytes.subarray(0, end), 0);
  return { start: bytes.lastIndexOf(NEWLINE, first) + 1, end: Math.max(end, first) };
}

/** One line: where its text ends without trailing whitespace, and where the next line starts. */
export interface Line extends Span {
  readonly next: number;
}

/** The line that starts at `start` of a text that ends at `end`. Lines end with LF; the CR of CRLF is trailing space. */
export function lineAt(bytes: Uint8Array, start: number, end: number): Line {
  const found = bytes.indexOf(NEWLINE, start);
  const stop = found === -1 || found > end ? end : found;
  let last = stop;
  while (last > start && isSpace(bytes[last - 1])) last -= 1;
  return { start, end: last, next: stop + 1 };
}

/** Whether two spans hold the same bytes. */
export function spansEqual(
  left: { readonly bytes: Uint8Array } & Span,
  right: { readonly bytes: Uint8Array } & Span,
): boolean {
  const length = left.end - left.start;
  if (length !== right.end - right.start) return false;
  for (let at = 0; at < length; at += 1) {
    if (left.bytes[left.start + at] !== right.bytes[right.start + at]) return false;
  }
  return true;
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, String.raw`\t`],
  [NEWLINE, String.raw`\n`],
  [CARRIAGE_RETURN, String.raw`\r`],
  [0x5c, String.raw`\\`],
]);

/** The first bytes of a span as printable ASCII; what does not print is escaped, what is cut ends with `…`. */
export function excerpt(bytes: Uint8Array, span: Span, maxBytes = EXCERPT_BYTES_MAX): string {
  const shown = bytes.subarray(span.start, Math.min(span.end, span.start + maxBytes));
  let text = '';
  for (const byte of shown) {
    const printable = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    const escaped = ESCAPES.get(byte) ?? String.raw`\x` + byte.toString(16).padStart(2, '0');
    text += printable ? String.fromCharCode(byte) : escaped;
  }
  return span.end - span.start > maxBytes ? `${text}…` : text;
}

/** `1 token`, `2 tokens`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
