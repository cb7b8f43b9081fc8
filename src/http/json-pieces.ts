/**
 * JSON text in pieces, for answers that are too large for one string: V8's longest has 2^29 − 24 characters, and one
 * of a hundred megabytes holds up everything else while it is written. Pure.
 */

/** Text of a piece, about, UTF-16 units. */
const PIECE_LENGTH = 256 * 1024;

/** Up to this much text of strings, not yet escaped, a value is written at once. */
const SMALL_LENGTH = 1024 * 1024;

/** Whether a value should be written in pieces. */
export function isLarge(value: unknown): boolean {
  return textLength(value, SMALL_LENGTH) > SMALL_LENGTH;
}

/** The pieces of `JSON.stringify(value)`, for values of strings, numbers, booleans, null, lists and plain objects. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of partsOf(value)) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* partsOf(value: unknown): Generator<string> {
  if (textLength(value, PIECE_LENGTH) <= PIECE_LENGTH) {
    yield JSON.stringify(value);
  } else if (typeof value === 'string') {
    yield* stringParts(value);
  } else if (Array.isArray(value)) {
    let mark = '[';
    for (const item of value) {
      yield mark;
      yield* partsOf(item ?? null);
      mark = ',';
    }
    yield ']';
  } else {
    let mark = '{';
    for (const [name, inner] of Object.entries(value ?? {})) {
      if (inner === undefined) continue;
      yield `${mark}${JSON.stringify(name)}:`;
      yield* partsOf(inner);
      mark = ',';
    }
    yield '}';
  }
}

function* stringParts(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + PIECE_LENGTH);
    // Half of a pair would be escaped.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Text in a value's strings and names; stops counting beyond `enough`. */
function textLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let length = 1;
  for (const [name, inner] of Object.entries(value)) {
    length += name.length + textLength(inner, enough - length);
    if (length > enough) return length;
  }
  return length;
}
