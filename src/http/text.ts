/** Bytes of programs as text on a wire. Pure. */
import { isUtf8 } from 'node:buffer';

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
