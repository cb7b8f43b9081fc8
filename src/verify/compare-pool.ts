/**
 * Keeps large comparisons off the event loop: small ones are done at once, large ones go to worker threads through a
 * bounded queue. Owns the threads; knows nothing of what a difference means.
 */
import { Piscina } from 'piscina';

import { Fault } from '../domain/errors.ts';
import type { PlainCompare } from '../domain/submission.ts';
import { workerUrl } from '../lib/worker-url.ts';
import { compareOutput, type Comparison } from './compare.ts';
import type { CompareTask } from './compare-worker.ts';

/** Expected and actual bytes together up to which a comparison stays inline: about 1 ms of work. */
export const INLINE_BYTES_MAX = 1024 * 1024;

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
  const { threadsMax, queueMax, inlineBytesMax } = { ...DEFAULT_COMPARE_POOL, ...options };
  let piscina: Piscina<CompareTask, Comparison> | null = null;
  let isClosed = false;

  const threads = (): Piscina<CompareTask, Comparison> => {
    piscina ??= new Piscina({
      filename: workerUrl(import.meta.url, 'compare-worker'),
      minThreads: 0,
      maxThreads: threadsMax,
      maxQueue: queueMax,
      concurrentTasksPerWorker: 1,
      idleTimeout: 10_000,
      env: {},
    });
    return piscina;
  };

  return {
    async compare(expected, actual, compare) {
      if (expected.byteLength + actual.byteLength <= inlineBytesMax) {
        return compareOutput(expected, actual, compare);
      }
      if (isClosed) throw new Fault('internal', 'the comparison pool is closed');
      const transferList: ArrayBuffer[] = [];
      const task = {
        expected: toWorker(expected, transferList),
        actual: toWorker(actual, transferList),
        compare,
      };
      const pool = threads();
      if (pool.queueSize >= queueMax) {
        throw new Fault('host_limit', `the comparison queue is full (${queueMax})`);
      }
      try {
        return await pool.run(task, { transferList });
      } catch (error) {
        throw new Fault('internal', `a comparison thread failed: ${String(error)}`, {
          cause: error,
        });
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

/** Shared memory as it is; else a copy of exactly these bytes, whose buffer is moved and not cloned. */
function toWorker(bytes: Uint8Array, transferList: ArrayBuffer[]): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(bytes);
  transferList.push(copy.buffer);
  return copy;
}
