/**
 * Values written as Python writes them (`repr`, `ast.literal_eval`): a parser of literals only, so that nothing is ever
 * evaluated. Tuples become lists; numbers keep their text. Bounded in depth and values, linear in the text.
 */
import { DATASET_BOUNDS } from '../../domain/limits.ts';
import { readString, startsString } from './python-string.ts';
import { DecodeError, numberOf, PythonBytes, PythonDict, PythonSet, type Value } from './value.ts';

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  values: number;
}

const NAMES: Readonly<Record<string, Value>> = { None: null, True: true, False: false };
const SPACE = /[ \t\r\n\f]*/y;
const NAME = /[A-Za-z_]\w*/y;
const PREFIXED = /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y;
const DECIMAL =
  /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y;
const NUMBER_GOES_ON = /[\w.]/y;
/** Of an integer in another base than ten, whose conversion is not linear. */
const PREFIXED_DIGITS_MAX = 3500;

/** The value of a Python literal. Throws DecodeError with a position; never anything else. */
export function parsePythonLiteral(text: string): Value {
  if (text.length > DATASET_BOUNDS.textChars)
    throw new DecodeError(`is longer than ${DATASET_BOUNDS.textChars} characters`);
  const cursor: Cursor = { text, at: 0, depth: 0, values: 0 };
  const value = readValue(cursor);
  skipSpace(cursor);
  if (cursor.at < text.length) throw fail(cursor, 'more text than one value');
  return value;
}

function fail(cursor: Cursor, what: string): DecodeError {
  return new DecodeError(`${what} at position ${cursor.at}`);
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  const sticky = pattern;
  sticky.lastIndex = cursor.at;
  const found = sticky.exec(cursor.text)?.[0];
  if (found === undefined) return null;
  cursor.at += found.length;
  return found;
}

function skipSpace(cursor: Cursor): void {
  take(cursor, SPACE);
}

/** Takes a character, after spaces, if it is the next. */
function takeIf(cursor: Cursor, character: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function readValue(cursor: Cursor): Value {
  cursor.values += 1;
  if (cursor.values > DATASET_BOUNDS.values)
    throw new DecodeError(`holds more than ${DATASET_BOUNDS.values} values`);
  skipSpace(cursor);
  const next = cursor.text[cursor.at];
  if (next === undefined) throw fail(cursor, 'the text ends before a value');
  if (next === '[' || next === '(' || next === '{') return readNested(cursor, next);
  if (startsString(cursor.text, cursor.at)) return readStrings(cursor);
  if (/[\d.+-]/.test(next)) return readNumber(cursor);
  const start = cursor.at;
  const name = take(cursor, NAME);
  if (name !== null && Object.hasOwn(NAMES, name)) return NAMES[name] ?? null;
  if (name === 'set' && takeIf(cursor, '(') && takeIf(cursor, ')')) return new PythonSet([]);
  cursor.at = start;
  throw fail(cursor, name === null ? 'no value' : 'a name that is no literal');
}

function readNested(cursor: Cursor, bracket: '[' | '(' | '{'): Value {
  cursor.at += 1;
  cursor.depth += 1;
  if (cursor.depth > DATASET_BOUNDS.depth)
    throw new DecodeError(`values lie more than ${DATASET_BOUNDS.depth} deep in each other`);
  const value =
    bracket === '['
      ? readItems(cursor, ']', [])
      : bracket === '('
        ? readTuple(cursor)
        : readBraces(cursor);
  cursor.depth -= 1;
  return value;
}

/** Items up to the closing bracket, behind those that are read already. */
function readItems(cursor: Cursor, closing: string, items: Value[]): Value[] {
  while (!takeIf(cursor, closing)) {
    items.push(readValue(cursor));
    if (takeIf(cursor, ',')) continue;
    if (takeIf(cursor, closing)) break;
    throw fail(cursor, `neither "," nor "${closing}"`);
  }
  return items;
}

function readTuple(cursor: Cursor): Value {
  if (takeIf(cursor, ')')) return [];
  const first = readValue(cursor);
  if (takeIf(cursor, ')')) return first;
  if (!takeIf(cursor, ',')) throw fail(cursor, 'neither "," nor ")"');
  return readItems(cursor, ')', [first]);
}

function readBraces(cursor: Cursor): Value {
  if (takeIf(cursor, '}')) return {};
  const first = readValue(cursor);
  if (!takeIf(cursor, ':')) {
    if (takeIf(cursor, '}')) return new PythonSet([first]);
    if (!takeIf(cursor, ',')) throw fail(cursor, 'neither ":" nor "," nor "}"');
    return new PythonSet(readItems(cursor, '}', [first]));
  }
  const entries: [Value, Value][] = [[first, readValue(cursor)]];
  for (;;) {
    if (takeIf(cursor, '}')) return toDict(entries);
    if (!takeIf(cursor, ',')) throw fail(cursor, 'neither "," nor "}"');
    if (takeIf(cursor, '}')) return toDict(entries);
    const key = readValue(cursor);
    if (!takeIf(cursor, ':')) throw fail(cursor, 'a key without ":"');
    entries.push([key, readValue(cursor)]);
  }
}

/** An object if every key is a string, as JSON would have it. */
export function toDict(entries: readonly (readonly [Value, Value])[]): Value {
  const named = entries.flatMap(([key, value]): [string, Value][] =>
    typeof key === 'string' ? [[key, value]] : [],
  );
  return named.length === entries.length ? Object.fromEntries(named) : new PythonDict(entries);
}

/** One string or bytes literal, or several side by side, which Python joins. */
function readStrings(cursor: Cursor): Value {
  const parts: (string | PythonBytes)[] = [];
  while (startsString(cursor.text, cursor.at)) {
    const { value, end } = readString(cursor.text, cursor.at);
    parts.push(value);
    cursor.at = end;
    skipSpace(cursor);
  }
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const texts = parts.filter((part) => typeof part === 'string');
  if (texts.length === parts.length) return texts.join('');
  const bytes = parts.filter((part) => part instanceof PythonBytes);
  if (bytes.length !== parts.length) throw fail(cursor, 'bytes beside text');
  return new PythonBytes(Buffer.concat(bytes.map((part) => part.bytes)));
}

function readNumber(cursor: Cursor): Value {
  let sign = '';
  for (;;) {
    if (takeIf(cursor, '-')) sign = sign === '' ? '-' : '';
    else if (!takeIf(cursor, '+')) break;
  }
  const prefixed = take(cursor, PREFIXED)?.replaceAll('_', '');
  const digits = prefixed ?? take(cursor, DECIMAL)?.replaceAll('_', '');
  if (digits === undefined) throw fail(cursor, 'a sign without a number');
  NUMBER_GOES_ON.lastIndex = cursor.at;
  if (NUMBER_GOES_ON.test(cursor.text)) throw fail(cursor, 'a number that is none');
  if (prefixed === undefined) return numberOf(sign + toJSONNumber(cursor, digits));
  if (prefixed.length > PREFIXED_DIGITS_MAX) throw fail(cursor, 'an integer that is too long');
  return numberOf(sign + BigInt(prefixed).toString());
}

/** Python's decimal literals in the grammar of JSON: `1.`, `.5`, `00` and `01.5` are none there. */
function toJSONNumber(cursor: Cursor, digits: string): string {
  const isInteger = /^\d+$/.test(digits);
  if (isInteger && /^0+[1-9]/.test(digits)) throw fail(cursor, 'an integer with leading zeros');
  return digits
    .replace(/^0+(?=\d)/, '')
    .replace(/^\./, '0.')
    .replace(/\.(?=$|[eE])/, '.0');
}
