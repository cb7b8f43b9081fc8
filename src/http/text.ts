/** Bytes of programs as text on a wire. Pure. */
import { isUtf8 } from 'node:buffer';

import { cutBytes } from '../lib/cut-bytes.ts';

export interface TextBytes {
  readonly text: string;
  /** The exact bytes in base64; null when `text` says it all. */
  readonly base64: string | null;
}

/**
 * Bytes as text. What is not UTF-8 becomes U+FFFD, one for each maximal ill-formed part (Unicode §3.9, as in
 * Python's errors="replace"); a byte order mark stays.
 */
export function toText(bytes: Uint8Array): TextBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    text: buffer.toString('utf8'),
    base64: isUtf8(buffer) ? null : buffer.toString('base64'),
  };
}

/** Of one stream in an answer, as JSON has it, at most so many characters: half of V8's longest string. */
const STREAM_TEXT_MAX = 256 * 1024 * 1024;

/** What JSON makes of one byte, at most: `\u0001`. */
const ESCAPE_LENGTH_MAX = 6;

/** The bytes of a stream of which the escaped text may be in an answer; all but of outputs of control characters. */
export function cutForAnswer(bytes: Uint8Array, maxLength = STREAM_TEXT_MAX): Uint8Array {
  if (bytes.byteLength * ESCAPE_LENGTH_MAX <= maxLength) return bytes;
  return cutBytes(bytes, escapedPrefix(bytes, maxLength));
}

/** From here on it matters how a text is written, bytes. */
const LONG_BYTES = 1024 * 1024;

/** Whether a long text more than doubles in JSON, so that base64 is shorter by far. */
export function growsWhenEscaped(bytes: Uint8Array): boolean {
  const { byteLength } = bytes;
  return byteLength > LONG_BYTES && escapedPrefix(bytes, byteLength * 2) < byteLength;
}

/** How many bytes fit `maxLength` characters of escaped text. */
function escapedPrefix(bytes: Uint8Array, maxLength: number): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    length += escapedLength(bytes[at] ?? 0);
    if (length > maxLength) return at;
  }
  return bytes.length;
}

/** Characters of a byte in a JSON string (ECMA-262, QuoteJSONString); a character of several bytes counts for more. */
function escapedLength(byte: number): number {
  if (byte === 0x22 || byte === 0x5c) return 2;
  if (byte >= 0x20) return 1;
  const isShort = byte >= 0x08 && byte <= 0x0d && byte !== 0x0b;
  return isShort ? 2 : ESCAPE_LENGTH_MAX;
}
