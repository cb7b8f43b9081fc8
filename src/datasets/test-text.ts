/** Text of tests: what a program or a compiler can be given. Owns what makes a row's text no text; says where it is. */
import { SUBMISSION_BOUNDS } from '../domain/limits.ts';
import { isObject, walk, type Value } from './decode/value.ts';
import { below, RowError } from './row-error.ts';

/** The text itself. Throws RowError for a lone surrogate, which no UTF-8 can carry; NUL is data. */
export function asText(text: string, path: string): string {
  if (text.isWellFormed()) return text;
  throw new RowError('invalid', path, 'holds a lone surrogate, which is not Unicode text');
}

/** The code itself: text without NUL, which no compiler takes, and no longer than a program. */
export function asCode(text: string, path: string): string {
  asText(text, path);
  if (text.includes('\0')) throw new RowError('invalid', path, 'is code that holds NUL');
  if (text.length <= SUBMISSION_BOUNDS.programBytes) return text;
  const message = `is longer than ${SUBMISSION_BOUNDS.programBytes} characters`;
  throw new RowError('invalid', path, message);
}

/** Code that is a test, and so is not nothing. */
export function asTestCode(text: string, path: string): string {
  if (text.trim() === '') throw new RowError('invalid', path, 'is an empty test');
  return asCode(text, path);
}

/** Checks every string in a value, keys included. */
export function checkStrings(value: Value, path: string): void {
  for (const each of walk(value)) {
    if (typeof each === 'string') asText(each, path);
    else if (isObject(each)) for (const key of Object.keys(each)) asText(key, path);
  }
}

/** Names and number of a row's tests, in all its parts. */
export function checkIds(ids: readonly string[]): void {
  if (ids.length > SUBMISSION_BOUNDS.cases) {
    const message = `are ${ids.length}, more than ${SUBMISSION_BOUNDS.cases}`;
    throw new RowError('invalid', 'tests', message);
  }
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    const at = below(below('tests', index), 'id');
    if (seen.has(asText(id, at)))
      throw new RowError('invalid', at, 'another test has the same name');
    if (Buffer.byteLength(id) > SUBMISSION_BOUNDS.idBytes)
      throw new RowError('invalid', at, `is longer than ${SUBMISSION_BOUNDS.idBytes} bytes`);
    seen.add(id);
  }
}
