/**
 * Reads rows off the event loop: the largest take a second. Owns the threads and how much they may hold; knows nothing
 * of what is in a row.
 */
import { Fault } from '../domain/errors.ts';
import { WorkerPool } from '../lib/worker-pool.ts';
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
  const { queueMax, ...limits } = { ...DEFAULT_ROW_POOL, ...options };
  const filename = workerUrl(import.meta.url, 'row-worker');
  const threads = new WorkerPool<ReadTask, RowReading>({ filename, queueMax, ...limits });
  return {
    async read(task) {
      if (threads.isClosed) throw new Fault('internal', 'the pool of row readers is closed');
      if (threads.isFull)
        throw new Fault('host_limit', `the queue of rows to read is full (${queueMax})`);
      try {
        return await threads.run(task);
      } catch (error) {
        throw new Fault('internal', `a row reader failed: ${String(error)}`, { cause: error });
      }
    },
    close: () => threads.close(),
  };
}
