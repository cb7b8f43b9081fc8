/** How long a body may take to arrive: a limit of silence, and one in all, so that a trickle holds nothing for ever. */
import { Rejection } from '../../../domain/errors.ts';
import type { Clock } from '../../../lib/clock.ts';

export interface ArrivalLimits {
  /** Without a byte, ms. */
  readonly idleMs: number;
  /** From the first wait to the last byte, ms. */
  readonly totalMs: number;
  /** Whether nothing is awaited from the caller just now; time does not count then. Looked at every half `idleMs`. */
  readonly isExempt?: () => boolean;
}

export interface Arrival extends Disposable {
  /** From here on the caller is waited for. */
  wait(): void;
  /** Something has come; time does not count until the next `wait`. */
  pause(): void;
  /** Rejects with `request_timeout` when a limit is passed. */
  readonly broken: Promise<never>;
}

/** Starts to watch; dispose of it when the body is there. */
export function watchArrival(clock: Clock, limits: ArrivalLimits): Arrival {
  const { idleMs, totalMs, isExempt } = limits;
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it breaks; the next read then throws.
  promise.catch(() => {});
  let startedAt = clock.now();
  let touchedAt = startedAt;
  let isWaiting = true;
  const stepMs = isExempt === undefined ? Number.POSITIVE_INFINITY : idleMs / 2;
  const check = (): void => {
    const now = clock.now();
    if (!isWaiting || isExempt?.() === true) {
      startedAt = now;
      touchedAt = now;
    }
    const restMs = Math.min(touchedAt + idleMs, startedAt + totalMs) - now;
    if (restMs > 0) timer = clock.after(Math.min(restMs, stepMs), check);
    else reject(tooSlow(touchedAt + idleMs <= now ? idleMs : null, totalMs));
  };
  let timer = clock.after(Math.min(idleMs, totalMs, stepMs), check);
  return {
    wait() {
      touchedAt = clock.now();
      isWaiting = true;
    },
    pause() {
      isWaiting = false;
    },
    broken: promise,
    [Symbol.dispose]() {
      timer.cancel();
    },
  };
}

function tooSlow(silentMs: number | null, totalMs: number): Rejection {
  const detail =
    silentMs === null
      ? `the body was not whole after ${totalMs} ms`
      : `no byte of the body came for ${silentMs} ms`;
  return new Rejection('request_timeout', { detail });
}
