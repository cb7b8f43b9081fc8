/**
 * Reads rows off the event loop: the largest take a second. Owns the threads and how much they may hold; knows nothing
 * of what is in a row.
 */
import { Piscina } from 'piscina';

import { Fault } from '../domain/errors.ts';
import { workerUrl } from '../lib/worker-url.ts';
import type { ReadTask, RowReading } from './row-reading.ts';

interface RowPoolOptions {
  readonly threadsMax: number;
  /** Waiting rows beyond the threads; one more is a fault (`host_limit`). */
  readonly queueMax: number;
  /** Heap of a thread, MiB: the largest row, decoded, with its requests. */
  readonly heapMbMax: number;
}

/** One thread reads faster than slots judge. Each batch has no more rows here than completions in flight. */
const DEFAULT_ROW_POOL: RowPoolOptions = { threadsMax: 1, queueMax: 4096, heapMbMax: 2048 };

export interface RowReader {
  /** As `readRow`. Throws `Fault`: `host_limit` when the queue is full, `internal` when a thread breaks. */
  read(task: ReadTask): Promise<RowReading>;
}

export interface RowPool extends RowReader {
  /** Ends the threads; rows under way are rejected. Idempotent. */
  close(): Promise<void>;
}

/** Makes a pool; threads start with the first row and end when idle for a while. */
export function createRowPool(options: Partial<RowPoolOptions> = {}): RowPool {
  const { threadsMax, queueMax, heapMbMax } = { ...DEFAULT_ROW_POOL, ...options };
  let piscina: Piscina<ReadTask, RowReading> | null = null;
  let isClosed = false;

  const threads = (): Piscina<ReadTask, RowReading> => {
    piscina ??= new Piscina({
      filename: workerUrl(import.meta.url, 'row-worker'),
      minThreads: 0,
      maxThreads: threadsMax,
      maxQueue: queueMax,
      concurrentTasksPerWorker: 1,
      idleTimeout: 10_000,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    return piscina;
  };

  return {
    async read(task) {
      if (isClosed) throw new Fault('internal', 'the pool of row readers is closed');
      const pool = threads();
      if (pool.queueSize >= queueMax)
        throw new Fault('host_limit', `the queue of rows to read is full (${queueMax})`);
      try {
        return await pool.run(task);
      } catch (error) {
        throw new Fault('internal', `a row reader failed: ${String(error)}`, { cause: error });
      }
    },
    async close() {
      isClosed = true;
      const pool = piscina;
      piscina = null;
      await pool?.destroy();
    },
  };
}
