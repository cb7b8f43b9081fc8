/**
 * Keeps large comparisons off the event loop: small ones are done at once, large ones go to worker threads through a
 * bounded queue. Owns the threads; knows nothing of what a difference means.
 */
import { Fault } from '../domain/errors.ts';
import type { PlainCompare } from '../domain/submission.ts';
import { WorkerPool } from '../lib/worker-pool.ts';
import { workerUrl } from '../lib/worker-url.ts';
import { compareOutput, type Comparison } from './compare.ts';
import type { CompareTask } from './compare-worker.ts';

/** Expected and actual bytes together up to which a comparison stays inline: about 1 ms of work. */
export const INLINE_BYTES_MAX = 1024 * 1024;
/** Reading JSON, or text as graders do, takes so many times as long as looking at bytes. */
const TEXT_FACTOR = 16;

export interface ComparePoolOptions {
  readonly threadsMax: number;
  /** Waiting comparisons beyond the threads; one more is a fault (`host_limit`). */
  readonly queueMax: number;
  readonly inlineBytesMax: number;
}

/** One thread suffices for two slots: comparing 20 MB takes some 50 ms. */
const DEFAULT_COMPARE_POOL: ComparePoolOptions = {
  threadsMax: 1,
  queueMax: 256,
  inlineBytesMax: INLINE_BYTES_MAX,
};

export interface ComparePool {
  /**
   * As `compareOutput`. The arrays stay the caller's and must not change until the promise settles; those over a
   * SharedArrayBuffer are read in place, others are copied once. Throws `Fault` (`host_limit` when the queue is full,
   * `internal` when a thread breaks or the pool is closed).
   */
  compare(expected: Uint8Array, actual: Uint8Array, compare: PlainCompare): Promise<Comparison>;
  /** Ends the threads; comparisons under way are rejected. Idempotent. */
  close(): Promise<void>;
}

/** Makes a pool; threads start with the first large comparison and end when idle for a while. */
export function createComparePool(options: Partial<ComparePoolOptions> = {}): ComparePool {
  const { inlineBytesMax, ...bounds } = { ...DEFAULT_COMPARE_POOL, ...options };
  const filename = workerUrl(import.meta.url, 'compare-worker');
  const threads = new WorkerPool<CompareTask, Comparison>({ filename, ...bounds });
  return {
    async compare(expected, actual, compare) {
      const isText = compare.kind === 'result' || compare.kind === 'grader';
      const factor = isText ? TEXT_FACTOR : 1;
      if ((expected.byteLength + actual.byteLength) * factor <= inlineBytesMax) {
        return compareOutput(expected, actual, compare);
      }
      if (threads.isClosed) throw new Fault('internal', 'the comparison pool is closed');
      if (threads.isFull) {
        throw new Fault('host_limit', `the comparison queue is full (${bounds.queueMax})`);
      }
      const transferList: ArrayBuffer[] = [];
      const task = {
        expected: toWorker(expected, transferList),
        actual: toWorker(actual, transferList),
        compare,
      };
      try {
        return await threads.run(task, transferList);
      } catch (error) {
        throw new Fault('internal', `a comparison thread failed: ${String(error)}`, {
          cause: error,
        });
      }
    },
    close: () => threads.close(),
  };
}

/** Shared memory as it is; else a copy of exactly these bytes, whose buffer is moved and not cloned. */
function toWorker(bytes: Uint8Array, transferList: ArrayBuffer[]): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(bytes);
  transferList.push(copy.buffer);
  return copy;
}
