/**
 * A field that may be native or text in one of the encodings that data sets use. The order is fixed: JSON, then a
 * Python literal, then base64 of zlib of a pickle; JSON may lie in JSON once.
 */
import { DATASET_BOUNDS } from '../../domain/limits.ts';
import { RowError } from '../row-error.ts';
import { parseExactJSON } from './exact-json.ts';
import { inflateBase64, looksDeflated } from './inflate.ts';
import { parsePickle } from './pickle.ts';
import { parsePythonLiteral } from './python-literal.ts';
import { DecodeError, type Value } from './value.ts';

/** How often each encoding may lie around a value. */
const LAYERS = { json: 2, literal: 1, pickle: 1 };
type Encoding = keyof typeof LAYERS;

/** The value of one text, one layer of encoding removed. Throws DecodeError that tells why each failed. */
function decodeLayer(text: string): { value: Value; encoding: Encoding } {
  const reasons: string[] = [];
  for (const { encoding, name, decode } of DECODERS) {
    try {
      return { value: decode(text), encoding };
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      reasons.push(`${name}: ${cause.message}`);
    }
  }
  throw new DecodeError(`is in no known encoding (${reasons.join('; ')})`);
}

interface Decoder {
  readonly encoding: Encoding;
  readonly name: string;
  readonly decode: (text: string) => Value;
}

const DECODERS: readonly Decoder[] = [
  { encoding: 'json', name: 'JSON', decode: parseExactJSON },
  { encoding: 'literal', name: 'Python literal', decode: parsePythonLiteral },
  {
    encoding: 'pickle',
    name: 'base64, zlib, pickle',
    decode(text) {
      if (!looksDeflated(text)) throw new DecodeError('is no zlib stream in base64');
      return parsePickle(inflateBase64(text, DATASET_BOUNDS.inflatedBytes));
    },
  },
];

/**
 * The value of a field: itself unless it is a text, else what the text encodes. Null for what means "nothing": missing,
 * null, and blank text. Throws RowError `invalid` at `path`.
 */
export function decodeField(field: Value | undefined, path: string): Value {
  let value: Value = field ?? null;
  const left = { ...LAYERS };
  while (typeof value === 'string') {
    if (value.trim() === '') return null;
    try {
      const layer = decodeLayer(value);
      if (left[layer.encoding] === 0) throw new DecodeError('is text in text in text');
      left[layer.encoding] -= 1;
      ({ value } = layer);
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      throw new RowError('invalid', path, cause.message, { cause });
    }
  }
  return value;
}

/** One value in JSON or as a Python literal; null if the text is neither. */
export function decodeValue(text: string): { readonly value: Value } | null {
  for (const { decode } of DECODERS.slice(0, 2)) {
    try {
      return { value: decode(text) };
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
    }
  }
  return null;
}
