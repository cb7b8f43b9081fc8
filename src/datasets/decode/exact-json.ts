/** JSON with every number as it is written, behind bounds on depth and on the count of values. */
import { DATASET_BOUNDS } from '../../domain/limits.ts';
import { DecodeError, numberOf, type Value } from './value.ts';

/** Whether a text may hold a number that a double says less of: many digits, a fraction, an exponent, a minus zero. */
const UNUSUAL = /\d{16}|\d[.eE]|-0/;

/** How JSON begins: text in other encodings need not be read to its end. */
const START = /^[ \t\r\n]*[[{"\d\-tfn]/;

/** The library's type lacks the third argument, which the engine gives for every number. */
const keep = (_key: string, value: unknown, context?: { readonly source: string }): unknown =>
  typeof value === 'number' && context !== undefined ? numberOf(context.source) : value;

/**
 * The value of a JSON text. Throws DecodeError, whose message tells nothing of the text but its bounds; rows of a file
 * are read with it, so that their numbers stay what they are.
 */
export function parseExactJSON(text: string): Value {
  if (!START.test(text)) throw new DecodeError('is no JSON');
  checkStructure(text);
  try {
    // Without a reviver, texts are parsed several times as fast.
    const value: unknown = UNUSUAL.test(text) ? JSON.parse(text, keep) : JSON.parse(text);
    // JSON with numbers of `numberOf` is what Value says.
    return value as Value; // oxlint-disable-line typescript/no-unsafe-type-assertion -- see above
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    // The engine's message quotes the text, so it is not passed on.
    throw new DecodeError('is no JSON', { cause });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass that knows strings and brackets, not grammar: what is beyond a bound is refused before it is built. */
function checkStructure(text: string): void {
  if (text.length > DATASET_BOUNDS.textChars)
    throw new DecodeError(`is longer than ${DATASET_BOUNDS.textChars} characters`);
  const strings = createStringEnds(text);
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = strings.endOf(at + 1);
    } else if (code === 0x2c) {
      values += 1;
    } else if (code === 0x5b || code === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > DATASET_BOUNDS.depth)
        throw new DecodeError(`lists and objects lie more than ${DATASET_BOUNDS.depth} deep`);
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
    if (values > DATASET_BOUNDS.values)
      throw new DecodeError(`holds more than ${DATASET_BOUNDS.values} values`);
  }
}

/** So many characters of a string are looked at one by one before a search is set up for the rest. */
const SHORT_CHARS = 64;

/**
 * Finds closing quotes. Long stretches without an escape are searched by the engine; the next quote and the next
 * backslash are remembered, so that no character is searched twice however many strings there are.
 */
function createStringEnds(text: string): { endOf(start: number): number } {
  const next = { '"': -1, '\\': -1 };
  const find = (what: '"' | '\\', from: number): number => {
    if (next[what] < from) {
      const found = text.indexOf(what, from);
      next[what] = found === -1 ? text.length : found;
    }
    return next[what];
  };
  return {
    /** Index of the closing quote of the string whose text begins at `start`; the text's length if there is none. */
    endOf(start) {
      let at = start;
      while (at < text.length) {
        const stop = Math.min(text.length, at + SHORT_CHARS);
        for (; at < stop; at += 1) {
          const code = text.charCodeAt(at);
          if (code === QUOTE) return at;
          if (code === BACKSLASH) at += 1;
        }
        const quote = find('"', at);
        const backslash = find('\\', at);
        if (quote < backslash) return quote;
        at = backslash;
      }
      return text.length;
    },
  };
}
