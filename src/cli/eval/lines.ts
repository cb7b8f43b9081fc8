/** The lines of a file as a stream: a file of any size costs no more memory than its longest line. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

import { createByteBudget } from '../../http/middleware/body/byte-budget.ts';
import { createLineReader, type Line } from '../../http/native/ndjson.ts';
import { UsageError } from '../exit-codes.ts';

const MIB = 1024 * 1024;
/** A longer line is given without its bytes. */
export const LINE_BYTES_MAX = 64 * MIB;
/** Of lines that are under way at once. */
const HELD_BYTES_MAX = 512 * MIB;
const LF = 0x0a;

/** Lines that are not blank; `*.gz` is unpacked. Each is to be released. Throws UsageError for a file that cannot be read. */
export async function* readLines(name: string): AsyncGenerator<Line> {
  const reader = createLineReader(await openBytes(name), {
    maxBytes: LINE_BYTES_MAX,
    budget: createByteBudget(HELD_BYTES_MAX),
  });
  yield* reader.lines;
}

/** How many lines there are, blank ones included. Throws as `readLines`. */
export async function countLines(name: string): Promise<number> {
  let [lines, isOpen] = [0, false];
  for await (const chunk of await openBytes(name)) {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines += 1;
    isOpen = chunk.at(-1) !== LF;
  }
  return isOpen ? lines + 1 : lines;
}

async function openBytes(name: string): Promise<AsyncIterable<Buffer>> {
  const found = await stat(name).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`${name}: no such file`);
  const bytes = createReadStream(name);
  if (!name.endsWith('.gz')) return bytes;
  const unpacked = createGunzip();
  bytes.on('error', (error) => unpacked.destroy(error));
  return bytes.pipe(unpacked);
}
