/** Bounded waiting: nothing in these suites waits for ever, and nothing sleeps longer than it must. */
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 20;

/** How many times as long as on a machine of its own everything may take: vitest.config.ts reads it too. */
export const SLOWNESS = Number(process.env['ASSAY_TEST_SLOWNESS'] ?? 1);

interface WaitOptions {
  /** What is waited for, for the message. */
  readonly what: string;
  readonly timeoutMs: number;
}

/** Asks until the answer is neither null nor undefined; throws when that takes longer than `timeoutMs`. */
export async function waitFor<Value>(
  ask: () => Value | null | undefined | Promise<Value | null | undefined>,
  { what, timeoutMs }: WaitOptions,
): Promise<Value> {
  const end = performance.now() + timeoutMs * SLOWNESS;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== undefined) return value;
    if (performance.now() > end) throw new Error(`no ${what} within ${timeoutMs} ms`);
    await sleep(STEP_MS);
  }
}

/** The last result of `look` once `isGood` holds for it, or the one at the deadline: the caller asserts on it. */
export async function settle<Value>(
  look: () => Value | Promise<Value>,
  isGood: (value: Value) => boolean,
  timeoutMs: number,
): Promise<Value> {
  const end = performance.now() + timeoutMs * SLOWNESS;
  for (;;) {
    const value = await look();
    if (isGood(value) || performance.now() > end) return value;
    await sleep(STEP_MS);
  }
}

/** Rejects when `work` is not done within `timeoutMs`: for what must not hang. */
export async function within<Value>(
  work: Promise<Value>,
  { what, timeoutMs }: WaitOptions,
): Promise<Value> {
  const late = new AbortController();
  const timeout = sleep(timeoutMs * SLOWNESS, undefined, { signal: late.signal, ref: false }).then(
    () => {
      throw new Error(`${what} took longer than ${timeoutMs} ms`);
    },
  );
  // Cancelled once the work is done; that rejection says nothing.
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    late.abort();
  }
}
