/**
 * How long a body may take to arrive: a limit of silence, one in all, and a least speed, so that a trickle holds nothing
 * for long. Only the time counts in which the caller is waited for.
 */
import { Rejection } from '../../../domain/errors.ts';
import type { Clock } from '../../../lib/clock.ts';

export interface ArrivalLimits {
  /** Without a byte, ms. */
  readonly idleMs: number;
  /** From the first wait to the last byte, ms. */
  readonly totalMs: number;
  /** Least speed on the average, bytes a second, once `graceMs` have passed; 0 for none. */
  readonly minBytesPerS: number;
  readonly graceMs: number;
  /** Whether nothing is awaited from the caller just now; time does not count then. Looked at every half `idleMs`. */
  readonly isExempt?: () => boolean;
}

export interface Arrival extends Disposable {
  /** From here on the caller is waited for. */
  wait(): void;
  /** So many bytes have come; time does not count until the next `wait`. */
  pause(bytes: number): void;
  /** Rejects with `request_timeout` when a limit is passed. */
  readonly broken: Promise<never>;
}

/** Starts to watch; dispose of it when the body is there. */
export function watchArrival(clock: Clock, limits: ArrivalLimits): Arrival {
  const { idleMs, totalMs, minBytesPerS, graceMs, isExempt } = limits;
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it breaks; the next read then throws.
  promise.catch(() => {});
  let startedAt = clock.now();
  let touchedAt = startedAt;
  let isWaiting = true;
  let waitedMs = 0;
  let bytesCome = 0;
  const stepMs = isExempt === undefined ? Number.POSITIVE_INFINITY : idleMs / 2;
  const check = (): void => {
    const now = clock.now();
    if (!isWaiting || isExempt?.() === true) {
      startedAt = now;
      touchedAt = now;
    }
    if (isExempt?.() === true) {
      waitedMs = 0;
      bytesCome = 0;
    }
    const overdue = [
      { atMs: touchedAt + idleMs, what: `no byte of the body came for ${idleMs} ms` },
      { atMs: startedAt + totalMs, what: `the body was not whole after ${totalMs} ms` },
      { atMs: touchedAt - waitedMs + slowAfterMs(), what: tooSlow(minBytesPerS, graceMs) },
    ];
    const next = overdue.reduce((first, each) => (each.atMs < first.atMs ? each : first));
    if (next.atMs > now) timer = clock.after(Math.min(next.atMs - now, stepMs), check);
    else reject(new Rejection('request_timeout', { detail: next.what }));
  };
  /** How long may be waited for the bytes that have come, and the next one. */
  const slowAfterMs = (): number =>
    minBytesPerS === 0
      ? Number.POSITIVE_INFINITY
      : Math.max(graceMs, (1000 * bytesCome) / minBytesPerS);
  let timer = clock.after(Math.min(idleMs, totalMs, stepMs, slowAfterMs()), check);
  return {
    wait() {
      touchedAt = clock.now();
      isWaiting = true;
    },
    pause(bytes) {
      waitedMs += clock.now() - touchedAt;
      bytesCome += bytes;
      isWaiting = false;
    },
    broken: promise,
    [Symbol.dispose]() {
      timer.cancel();
    },
  };
}

function tooSlow(minBytesPerS: number, graceMs: number): string {
  return `the body came more slowly than ${minBytesPerS} bytes a second after ${graceMs} ms`;
}
