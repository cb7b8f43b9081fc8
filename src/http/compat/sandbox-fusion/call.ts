/** Asks the service within a client's deadline: what has not begun by then is dropped, what runs goes on. */
import { Rejection } from '../../../domain/errors.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { RunSubmission } from '../../../domain/submission.ts';
import type { Service } from '../../../judge/door.ts';
import type { Clock } from '../../../lib/clock.ts';

export type CallResult =
  | { readonly kind: 'answered'; readonly report: RunReport }
  /** The deadline is here and the job runs; `cancel` ends it. */
  | { readonly kind: 'running'; readonly report: Promise<RunReport>; readonly cancel: () => void };

interface CallOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Throws what the service throws, and Rejection `deadline` for a job that was still waiting at the deadline. */
export async function callWithin(
  submission: RunSubmission,
  options: CallOptions,
): Promise<CallResult> {
  const { service, clock, signal, deadlineMs } = options;
  const gone = new AbortController();
  const cancel = (): void => gone.abort();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  let hasStarted = false;
  const onStart = (): void => {
    hasStarted = true;
  };
  const context = { signal: gone.signal, deadlineMs: null, onStart, isTold: true };
  const report = service.run(submission, context);
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
