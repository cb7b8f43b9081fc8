/** Waits for a place in a queue that is full: a batch of thousands is not refused for what others have sent. */
import { Rejection, type RejectionCode } from '../../../domain/errors.ts';
import type { Clock } from '../../../lib/clock.ts';

/** Refusals for want of room, which comes. */
const FULL: ReadonlySet<RejectionCode> = new Set(['queue_full', 'host_full']);
/** Without a deadline of the caller's: past it a completion is answered with that refusal. */
const PATIENCE_MS = 600_000;
/** Between two tries, at least and at most. */
const STEP_MIN_MS = 50;
const STEP_MAX_MS = 5000;

export interface PatienceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the clock; null for none. */
  readonly deadlineAt: number | null;
}

/** Calls `ask` until there is room, with the milliseconds that are left. Throws `deadline` once there are none. */
export async function patiently<Answer>(
  ask: (deadlineMs: number | null) => Promise<Answer>,
  { clock, signal, deadlineAt }: PatienceOptions,
): Promise<Answer> {
  const giveUpAt = deadlineAt ?? clock.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = deadlineAt === null ? null : Math.floor(deadlineAt - clock.now());
    if (leftMs !== null && leftMs < 1)
      throw new Rejection('deadline', { detail: 'the deadline of the request has passed' });
    try {
      return await ask(leftMs);
    } catch (error) {
      if (!(error instanceof Rejection) || !FULL.has(error.code)) throw error;
      const stepMs = Math.min(Math.max(error.context.retryAfterMs ?? 0, STEP_MIN_MS), STEP_MAX_MS);
      if (clock.now() + stepMs > giveUpAt) throw error;
      await pause(stepMs, clock, signal);
    }
  }
}

async function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(ms, () => resolve());
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  timer.cancel();
  signal.removeEventListener('abort', onAbort);
}
