/** Splits a stream of bytes into lines, read only as fast as they are taken, within a budget of bytes. */
import type { ByteBudget } from '../middleware/body/byte-budget.ts';

const LF = 0x0a;
const CR = 0x0d;

export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Without its end; null when the line was dropped. */
  readonly bytes: Uint8Array | null;
  /** Why it was dropped: longer than the limit, or no memory left for it; null when it was not. */
  readonly dropped: 'too_long' | 'no_memory' | null;
  /** Gives its bytes back to the budget; to be called once, when nothing holds them any more. */
  readonly release: () => void;
}

export interface LineOptions {
  readonly maxBytes: number;
  readonly budget: ByteBudget;
}

export interface LineReader {
  /**
   * Lines that are not blank, ended by LF or CRLF; the last needs no end. A line of more than `maxBytes`, or beyond the
   * budget, is given without its bytes, and the lines behind it follow.
   */
  readonly lines: AsyncGenerator<Line>;
  /** Whether a line has begun and not ended. */
  isInLine(): boolean;
}

/** A reader of lines; what it holds of a line goes back to the budget when the line is released or reading ends. */
export function createLineReader(
  chunks: AsyncIterable<Uint8Array>,
  options: LineOptions,
): LineReader {
  const open = createOpenLine(options);
  async function* read(): AsyncGenerator<Line> {
    let number = 0;
    const finish = (): Line | null => {
      number += 1;
      return open.finish(number);
    };
    try {
      for await (const chunk of chunks) {
        let start = 0;
        for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
          open.push(chunk.subarray(start, end));
          start = end + 1;
          const line = finish();
          if (line !== null) yield line;
        }
        if (start < chunk.byteLength) open.push(chunk.subarray(start));
      }
      const line = open.byteLength > 0 ? finish() : null;
      if (line !== null) yield line;
    } finally {
      open.drop();
    }
  }
  return { lines: read(), isInLine: () => open.byteLength > 0 };
}

/** The line that is arriving. */
interface OpenLine {
  /** Bytes so far, also those that were dropped. */
  readonly byteLength: number;
  push(part: Uint8Array): void;
  /** The line, null for a blank one; afterwards a new one is open. */
  finish(number: number): Line | null;
  /** Forgets what has come of it. */
  drop(): void;
}

function createOpenLine({ maxBytes, budget }: LineOptions): OpenLine {
  let parts: Uint8Array[] = [];
  let byteLength = 0;
  let heldBytes = 0;
  let dropped: Line['dropped'] = null;
  const forget = (why: Line['dropped']): void => {
    dropped = why;
    parts = [];
    budget.give(heldBytes);
    heldBytes = 0;
  };
  return {
    get byteLength() {
      return byteLength;
    },
    push(part) {
      byteLength += part.byteLength;
      if (dropped !== null) return;
      if (byteLength > maxBytes) return forget('too_long');
      if (!budget.take(part.byteLength, byteLength)) return forget('no_memory');
      heldBytes += part.byteLength;
      parts.push(part);
    },
    finish(number) {
      const [first] = parts;
      const whole = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
      const bytes = dropped === null ? withoutCR(whole) : null;
      const ownBytes = heldBytes;
      const line = { number, bytes, dropped, release: () => budget.give(ownBytes) };
      parts = [];
      byteLength = 0;
      heldBytes = 0;
      dropped = null;
      if (bytes === null || !isBlank(bytes)) return line;
      line.release();
      return null;
    },
    drop() {
      forget(null);
      byteLength = 0;
    },
  };
}

function withoutCR(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR);
}
