/** How long somebody waits for an answer: until the caller has gone, or the deadline has passed. */
import { Rejection } from '../domain/errors.ts';
import { createCancelScope, type CancelScope } from '../lib/cancel.ts';
import type { Clock } from '../lib/clock.ts';
import type { CallContext } from './door.ts';

/** Aborts with the Rejection that tells why; `shutdown` is one more reason. Dispose of it when the work is over. */
export function createCallScope(
  { signal, deadlineMs }: Pick<CallContext, 'signal' | 'deadlineMs'>,
  { clock, shutdown }: { readonly clock: Clock; readonly shutdown?: AbortSignal },
): CancelScope {
  return createCancelScope({
    clock,
    sources: [
      { signal, reason: callerGone },
      ...(shutdown === undefined ? [] : [{ signal: shutdown, reason: stopping }]),
    ],
    deadline: deadlineMs === null ? null : { ms: deadlineMs, reason: () => tooLate(deadlineMs) },
  });
}

function callerGone(): Rejection {
  return new Rejection('caller_gone', { detail: 'the caller closed the connection' });
}

function stopping(): Rejection {
  return new Rejection('draining', { detail: 'the service is stopping', retryAfterMs: 1000 });
}

function tooLate(deadlineMs: number): Rejection {
  return new Rejection('deadline', {
    detail: `there was no answer within ${deadlineMs} ms, queueing included`,
    retryAfterMs: 1000,
  });
}
