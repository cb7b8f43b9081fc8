/** Values written as Python reads them, and text that stands for a value where a line of input is wanted. Pure. */
import {
  isList,
  isRawNumber,
  PythonBytes,
  PythonDict,
  PythonSet,
  type Value,
} from './decode/value.ts';

/** A Python expression for the value, of literals only. */
export function toPythonText(value: Value): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  // What JSON escapes in a string, Python reads alike.
  if (typeof value === 'string') return JSON.stringify(value);
  if (isRawNumber(value)) return value.rawJSON;
  if (isList(value)) return `[${value.map(toPythonText).join(', ')}]`;
  if (value instanceof PythonBytes) return bytesText(value.bytes);
  if (value instanceof PythonSet) return setText(value.items);
  const entries = value instanceof PythonDict ? value.entries : Object.entries(value);
  return `{${entries.map(([key, item]) => `${keyText(key)}: ${toPythonText(item)}`).join(', ')}}`;
}

/** What `str()` makes of it: a string is itself. */
export function toLineText(value: Value): string {
  return typeof value === 'string' ? value : toPythonText(value);
}

/** A list that is a key or an item of a set was a tuple. */
function keyText(key: Value): string {
  if (!isList(key)) return toPythonText(key);
  const items = key.map(keyText);
  return items.length === 1 ? `(${items[0] ?? ''},)` : `(${items.join(', ')})`;
}

function setText(items: readonly Value[]): string {
  return items.length === 0 ? 'set()' : `{${items.map(keyText).join(', ')}}`;
}

function bytesText(bytes: Uint8Array): string {
  const escaped = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  return `b"${escaped.join('')}"`;
}
