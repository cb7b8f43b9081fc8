/** Splits a stream of bytes into lines, read only as fast as they are taken. */

const LF = 0x0a;
const CR = 0x0d;

export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Without its end; null when it was longer than the limit. */
  readonly bytes: Uint8Array | null;
}

/**
 * Lines that are not blank, ended by LF or CRLF; the last needs no end. A line of more than `maxBytes` is given
 * without its bytes, and the lines behind it follow.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  const push = (part: Uint8Array): void => {
    partBytes += part.byteLength;
    if (partBytes <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finish = (): Line | null => {
    const isTooLong = partBytes > maxBytes;
    const bytes = isTooLong
      ? null
      : withoutCR(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    const line = { number, bytes };
    number += 1;
    parts = [];
    partBytes = 0;
    return bytes !== null && isBlank(bytes) ? null : line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      push(chunk.subarray(start, end));
      start = end + 1;
      const line = finish();
      if (line !== null) yield line;
    }
    if (start < chunk.byteLength) push(chunk.subarray(start));
  }
  if (partBytes > 0) {
    const line = finish();
    if (line !== null) yield line;
  }
}

function withoutCR(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR);
}
