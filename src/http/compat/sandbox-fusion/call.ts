/** Asks the service within a client's deadline: what has not begun by then is dropped, what runs goes on. */
import { Rejection } from '../../../domain/errors.ts';
import type { CallContext } from '../../../judge/door.ts';
import type { Clock } from '../../../lib/clock.ts';

type CallResult<Report> =
  | { readonly kind: 'answered'; readonly report: Report }
  /** The deadline is here and the job runs; `cancel` ends it. */
  | { readonly kind: 'running'; readonly report: Promise<Report>; readonly cancel: () => void };

interface CallOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Asks with a context. Throws what the service throws, and Rejection `deadline` for a job that was still waiting at the deadline. */
export async function callWithin<Report>(
  ask: (context: CallContext) => Promise<Report>,
  { clock, signal, deadlineMs }: CallOptions,
): Promise<CallResult<Report>> {
  const gone = new AbortController();
  const cancel = (): void => gone.abort();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  let hasStarted = false;
  const onStart = (): void => {
    hasStarted = true;
  };
  const report = ask({ signal: gone.signal, deadlineMs: null, onStart, isTold: true });
  const { promise: atDeadline, resolve } = Promise.withResolvers<null>();
  const timer = clock.after(deadlineMs, () => resolve(null));
  try {
    const first = await Promise.race([report, atDeadline]);
    if (first !== null) return { kind: 'answered', report: first };
    if (hasStarted) return { kind: 'running', report, cancel };
    cancel();
    // The service now rejects it as given up; the deadline is the reason that counts.
    report.catch(() => {});
    throw new Rejection('deadline', {
      detail: `still waiting for a slot after ${Math.round(deadlineMs)} ms`,
    });
  } finally {
    timer.cancel();
  }
}
