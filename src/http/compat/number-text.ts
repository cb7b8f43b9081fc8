/**
 * Numbers that a caller wrote as strings, as pydantic's lax mode reads them. The length is bounded before a pattern is
 * tried, and no two parts of a pattern can take the same character, so the time is linear whatever the text. Pure.
 */

/** Longer than any number that a client writes; what is longer is none. White space around it is not counted. */
const NUMBER_TEXT_MAX = 128;

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^[+-]?\d+(?:\.0*)?$/;

/** A finite number, or null: digits, `_` between them, a point, an exponent; white space around it. */
export function readFloat(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > NUMBER_TEXT_MAX || !FLOAT.test(trimmed)) return null;
  const number = Number(trimmed.replaceAll('_', ''));
  return Number.isFinite(number) ? number : null;
}

/** A whole number, or null: digits, also with a point and zeros behind them; white space around it. */
export function readInteger(text: string): number | null {
  const trimmed = text.trim();
  return trimmed.length <= NUMBER_TEXT_MAX && INTEGER.test(trimmed) ? Number(trimmed) : null;
}
