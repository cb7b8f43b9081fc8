/** base64 of a zlib stream, as bytes, with a cap on what it inflates to: the stream is read no further than that. */
import { inflateSync } from 'node:zlib';

import { DecodeError } from './value.ts';

/** What base64 never holds before its padding. */
const FOREIGN = /[^A-Za-z0-9+/\s]/;
/** RFC 1950: compression method 8, window up to 32 KiB, and a header that 31 divides. */
function isZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

/** Whether a text looks like base64 of a zlib stream, by its first characters. */
export function looksDeflated(text: string): boolean {
  return isZlibHeader(Buffer.from(text.trimStart().slice(0, 4), 'base64'));
}

/** The inflated bytes, at most `bytesMax`. Throws DecodeError for anything else, also for a truncated stream. */
export function inflateBase64(text: string, bytesMax: number): Uint8Array {
  if (FOREIGN.test(text.trimEnd().replace(/={1,2}$/, ''))) throw new DecodeError('is no base64');
  const bytes = Buffer.from(text, 'base64');
  if (!isZlibHeader(bytes)) throw new DecodeError('is no zlib stream in base64');
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isTooMuch =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw new DecodeError(
      isTooMuch ? `inflates to more than ${bytesMax} bytes` : 'is a broken zlib stream',
      { cause },
    );
  }
}
