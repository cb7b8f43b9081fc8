/**
 * Counts what a JSON text would become before it is parsed: a value costs two bytes on the wire and fifty and more in
 * memory, so that a bound in bytes bounds nothing. One pass over the bytes; knows strings and brackets, not grammar.
 */

/** Values of a body: the largest submission of the native API with all its fields has some 100,000. */
export const VALUES_MAX = 500_000;
/** Lists and objects inside each other; a submission has seven. */
export const DEPTH_MAX = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export type StructureProblem = 'values' | 'depth';

export interface StructureBounds {
  readonly valuesMax: number;
  readonly depthMax: number;
}

/** Which bound the text is beyond, null for neither. Stops there, so what is beyond costs no more than the bound. */
export function structureProblem(
  bytes: Buffer,
  { valuesMax, depthMax }: StructureBounds = { valuesMax: VALUES_MAX, depthMax: DEPTH_MAX },
): StructureProblem | null {
  const strings = createStringEnds(bytes);
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = strings.endOf(at + 1);
    } else if (byte === COMMA) {
      values += 1;
      if (values > valuesMax) return 'values';
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (values > valuesMax) return 'values';
      if (depth > depthMax) return 'depth';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return null;
}

/** So many bytes of a string are looked at one by one before a search is set up for the rest. */
const SHORT_BYTES = 128;

/**
 * Finds closing quotes. Long stretches without an escape are searched by the machine's memchr; the next quote and the
 * next backslash are remembered, so that no byte is searched twice however many strings there are.
 */
function createStringEnds(bytes: Buffer): { endOf(start: number): number } {
  let quote = -1;
  let backslash = -1;
  const next = (value: number, from: number): number => {
    const found = bytes.indexOf(value, from);
    return found === -1 ? bytes.length : found;
  };
  return {
    /** Index of the closing quote of the string whose text begins at `start`; the length of all if there is none. */
    endOf(start) {
      let at = start;
      while (at < bytes.length) {
        const stop = Math.min(bytes.length, at + SHORT_BYTES);
        let hasEscape = false;
        for (; at < stop; at += 1) {
          const byte = bytes[at];
          if (byte === QUOTE) return at;
          if (byte !== BACKSLASH) continue;
          at += 1;
          hasEscape = true;
        }
        if (hasEscape) continue;
        if (quote < at) quote = next(QUOTE, at);
        if (backslash < at) backslash = next(BACKSLASH, at);
        if (quote < backslash) return quote;
        at = backslash;
      }
      return bytes.length;
    },
  };
}
