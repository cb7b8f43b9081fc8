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

/** The first `maxBytes` bytes, or a little less so that no UTF-8 character is split. */
export function cutBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.byteLength <= maxBytes) return bytes;
  let end = maxBytes;
  // At most three continuation bytes (10xxxxxx) follow the first byte of a character.
  while (end > maxBytes - 3 && end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, isContinuation(bytes[end]) ? maxBytes : end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
