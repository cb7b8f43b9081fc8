/**
 * Closed-loop load: so many callers, each sending the next request when its last is answered. Open-loop load: requests at
 * a rate, whatever becomes of those before.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoopOptions {
  readonly callers: number;
  /** Ends when this says so, asked before each request. */
  readonly until: (started: number) => boolean;
}

/**
 * Calls `work` with 0, 1, 2 … from `callers` concurrent callers until told to stop. The first error ends the loop
 * and is thrown once all callers have come to rest.
 */
export async function closedLoop(
  options: LoopOptions,
  work: (index: number) => Promise<void>,
): Promise<number> {
  let started = 0;
  let failure: { readonly error: unknown } | null = null;
  const caller = async (): Promise<void> => {
    while (failure === null && !options.until(started)) {
      const index = started;
      started += 1;
      try {
        await work(index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: options.callers }, caller));
  rethrow(failure);
  return started;
}

function rethrow(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

/** Calls `work` with 0, 1, 2 … `perSecond` times a second for `seconds`; results in order, once all are there. */
export async function openLoop<Result>(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const since = performance.now();
  const results: Promise<Result>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const waitMs = since + (1000 * index) / perSecond - performance.now();
    // Who is late sends at once: the rate is the promise.
    if (waitMs > 0) await sleep(waitMs);
    results.push(work(index));
  }
  return await Promise.all(results);
}

/** Runs each item from `callers` callers; results in the order of items. */
export async function mapLoop<Item, Result>(
  items: readonly Item[],
  callers: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await closedLoop({ callers, until: (started) => started >= items.length }, async (index) => {
    const item = items[index];
    if (item !== undefined) results[index] = await work(item, index);
  });
  return results;
}

/** A stopwatch: milliseconds since it was made. */
export function stopwatch(): () => number {
  const since = performance.now();
  return () => performance.now() - since;
}
