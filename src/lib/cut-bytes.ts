/** Cuts bytes of text where no character is split. Pure. */

/** The first `maxBytes` bytes, or a little less so that no UTF-8 character is split; a view. */
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
