/**
 * What a row's fields hold once they are decoded: JSON, with numbers exactly as they are written, and the few Python
 * values that JSON has no form for. Owns the representation; parses nothing.
 *
 * A number is a JavaScript number where that says all that was written (`3`, `0.5`), else raw JSON (`1.0`, thirty
 * digits, `1e5`), which `JSON.stringify` writes as it was: Python tells 1 from 1.0, and counts beyond 2^53.
 */

/** What the engine has and the compiler's library does not name yet (ECMA-262, JSON.parse source text access). */
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** A number by its text. */
export interface RawNumber {
  readonly rawJSON: string;
}

export type Value =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | readonly Value[]
  | ValueObject
  | PythonValue;

export interface ValueObject {
  readonly [name: string]: Value;
}

/** A dictionary of which a key is no string, or one that may not be taken for an object. */
export class PythonDict {
  readonly entries: readonly (readonly [Value, Value])[];
  constructor(entries: readonly (readonly [Value, Value])[]) {
    this.entries = entries;
  }
  /** Fails: a value without a JSON form must not become some other value. */
  toJSON(): never {
    throw new TypeError('a dictionary whose keys are no strings has no JSON form');
  }
}

export class PythonSet {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.items = items;
  }
  toJSON(): never {
    throw new TypeError('a set has no JSON form');
  }
}

export class PythonBytes {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  toJSON(): never {
    throw new TypeError('bytes have no JSON form');
  }
}

export type PythonValue = PythonDict | PythonSet | PythonBytes;

/** Text, number or literal that cannot be decoded. Messages tell positions, never content. */
export class DecodeError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DecodeError';
  }
}

/** Python's own default limit of an integer's text (`sys.get_int_max_str_digits`): a test runner reads no more. */
const INTEGER_DIGITS_MAX = 4300;

/** The number that a JSON number's text means. Throws DecodeError for an integer that no test runner reads. */
export function numberOf(text: string): number | RawNumber {
  if (text.length > INTEGER_DIGITS_MAX && /^-?\d+$/.test(text))
    throw new DecodeError(`an integer has more than ${INTEGER_DIGITS_MAX} digits`);
  const number = Number(text);
  if (String(number) === text) return number;
  // The engine's type says unknown; raw JSON is exactly this shape.
  return JSON.rawJSON(text) as RawNumber; // oxlint-disable-line typescript/no-unsafe-type-assertion -- see above
}

export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

export function isPythonValue(value: unknown): value is PythonValue {
  return value instanceof PythonDict || value instanceof PythonSet || value instanceof PythonBytes;
}

/** A JSON object: no list, no raw number, no Python value. */
export function isObject(value: unknown): value is ValueObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isRawNumber(value) &&
    !isPythonValue(value)
  );
}

/** The number of a value that is one, as near as a double comes; null for anything else. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return isRawNumber(value) ? Number(value.rawJSON) : null;
}

/** What lies directly in a value, keys of dictionaries included. */
function childrenOf(value: Value): readonly Value[] {
  if (isList(value)) return value;
  if (value instanceof PythonDict) return value.entries.flat();
  if (value instanceof PythonSet) return value.items;
  if (isObject(value)) return Object.values(value);
  return [];
}

/** The value and all that lies in it, without recursion. */
export function* walk(root: Value): Generator<Value> {
  const stack: Value[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    yield value;
    for (const child of childrenOf(value)) stack.push(child);
  }
}

/** Whether JSON can say all of it. */
export function hasJSONForm(value: Value): boolean {
  for (const each of walk(value)) if (isPythonValue(each)) return false;
  return true;
}

function isContainer(value: Value): boolean {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}

/** Whether lists and dictionaries lie more than so many deep in each other; without recursion. */
export function isDeeperThan(root: Value, depthMax: number): boolean {
  let level: readonly Value[] = [root].filter(isContainer);
  for (let depth = 1; depth <= depthMax && level.length > 0; depth += 1) {
    level = level.flatMap(childrenOf).filter(isContainer);
  }
  return level.length > 0;
}
