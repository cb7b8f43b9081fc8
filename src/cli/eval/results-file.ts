/**
 * The results on disk: a line each, only ever appended, so that whoever is killed loses what is under way and no more.
 * A last line that was torn is cut off when the file is opened again.
 */
import { open, truncate, type FileHandle } from 'node:fs/promises';

import { z } from 'zod';

import { readLines } from './lines.ts';

const FaultRow = z.object({ code: z.string(), message: z.string() });

/** One sample's result. */
export const ResultRow = z.object({
  /** Digest of the sample, its problem and what it was judged by. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the file of samples, from 1. */
  line: z.int(),
  task_id: z.string(),
  /** A verdict of the judge; `fault` for a failure of ours, `refused` for what could not be judged. */
  verdict: z.string(),
  /** Null for `fault` and `refused`, which say nothing of the program. */
  reward: z.number().nullable(),
  /** Of a program that failed: the verdict with what is known of it. */
  kind: z.string().nullable(),
  passed: z.int(),
  total: z.int(),
  /** Of the case that took most; null where nothing ran. */
  cpu_ms: z.number().nullable(),
  wall_ms: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  message: z.string(),
  fault: FaultRow.nullable(),
  tries: z.int(),
  /** Of some failures, to be shown: beginnings of the program and of what it wrote. */
  code: z.string().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
});
export type ResultRow = z.infer<typeof ResultRow>;

/** Rows in the order of the file. Lines that are none (a torn one) are left out and counted. */
export async function* readResults(
  name: string,
  onTorn: () => void = () => {},
): AsyncGenerator<ResultRow> {
  for await (const line of readLines(name)) {
    using _ = { [Symbol.dispose]: line.release };
    const row = line.bytes === null ? null : parsed(Buffer.from(line.bytes).toString('utf8'));
    if (row === null) onTorn();
    else yield row;
  }
}

function parsed(text: string): ResultRow | null {
  try {
    return ResultRow.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const LF = 0x0a;
const TAIL_BYTES = 64 * 1024;

export class ResultsFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  #waiting: string[] = [];
  #writing: Promise<void> | null = null;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Opens it for more, or begins it. */
  static async open(name: string): Promise<ResultsFile> {
    const handle = await open(name, 'a+');
    await truncate(name, await wholeBytes(handle));
    return new ResultsFile(handle);
  }

  /** Resolves when the row is with the operating system, which keeps it if this process is killed. */
  async append(row: ResultRow): Promise<void> {
    this.#waiting.push(`${JSON.stringify(row)}\n`);
    // Rows that come while others are written go together.
    while (this.#waiting.length > 0 || this.#writing !== null)
      await (this.#writing ??= this.#write());
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    try {
      await this.#handle.appendFile(text);
    } finally {
      this.#writing = null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }
}

/** Bytes up to the end of the last whole line. */
async function wholeBytes(handle: FileHandle): Promise<number> {
  let { size: end } = await handle.stat();
  const part = Buffer.alloc(TAIL_BYTES);
  while (end > 0) {
    const from = Math.max(0, end - TAIL_BYTES);
    const { bytesRead } = await handle.read(part, 0, end - from, from);
    const at = part.subarray(0, bytesRead).lastIndexOf(LF);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}
