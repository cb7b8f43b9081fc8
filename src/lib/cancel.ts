/** Reasons to stop waiting, bundled into one AbortSignal: the caller has gone, a deadline has passed, a shutdown. */
import type { Clock } from './clock.ts';

export interface CancelScope extends Disposable {
  /** Aborts with the first reason that applies. */
  readonly signal: AbortSignal;
}

interface CancelSource {
  readonly signal: AbortSignal;
  /** What the scope's signal aborts with, made only when needed. */
  readonly reason: () => Error;
}

interface CancelOptions {
  readonly clock: Clock;
  readonly sources: readonly CancelSource[];
  readonly deadline: { readonly ms: number; readonly reason: () => Error } | null;
}

/** Dispose of the scope when the work is over: it removes its listeners and its timer. */
export function createCancelScope(options: CancelOptions): CancelScope {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  for (const { signal, reason } of options.sources) {
    const onAbort = (): void => controller.abort(reason());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    undo.push(() => signal.removeEventListener('abort', onAbort));
  }
  const { deadline } = options;
  if (deadline !== null) {
    const timer = options.clock.after(deadline.ms, () => controller.abort(deadline.reason()));
    undo.push(() => timer.cancel());
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const step of undo) step();
    },
  };
}

/** What the promise settles with; rejects with the signal's reason where that comes first. */
export async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
