/**
 * The gate between callers and slots: a bounded first-come queue for the right to use one slot. Owns the permits
 * (one per slot, each with the core it is pinned to); knows nothing of jails or submissions.
 *
 * Slots never outnumber cores: with twice as many runs as cores, CPU time itself grows by a third and rewards
 * would depend on load (../docs/decisions/0001-slots.md).
 */
import { Rejection } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';

/** However long the queue: places come free before it is empty, and a trainer that sleeps an hour is of no use. */
const RETRY_AFTER_MAX_MS = 30_000;

/** The right to run on one slot. Give it back exactly once; a second release is ignored. */
export interface Permit extends Disposable {
  /** The core of this slot, null when slots are not pinned. */
  readonly cpu: number | null;
  /** How long it was waited for, ms. */
  readonly queueMs: number;
}

export interface GateOptions {
  /** One entry per slot: its core, or null. */
  readonly slots: readonly (number | null)[];
  readonly lengthMax: number;
  readonly bytesMax: number;
  readonly clock: Clock;
}

export interface AdmitRequest {
  /** What the waiting request holds in memory, bytes. */
  readonly bytes: number;
  /** Aborts the wait; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Of the service itself: it waits its turn, but the queue's bounds, which are for callers, do not refuse it. */
  readonly isOwn?: boolean;
}

interface Waiter {
  readonly bytes: number;
  readonly since: number;
  readonly grant: (cpu: number | null) => void;
  readonly refuse: (error: unknown) => void;
}

export class Gate {
  readonly #options: GateOptions;
  readonly #free: (number | null)[];
  /** In order of arrival; a Set, so that a caller who leaves is removed in constant time. */
  readonly #waiting = new Set<Waiter>();
  #waitingBytes = 0;
  #draining = false;
  /** Smoothed time a permit is held, ms: the base of Retry-After. */
  #holdMs = 100;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#free = [...options.slots];
  }

  get busy(): number {
    return this.#options.slots.length - this.#free.length;
  }

  get queue(): { length: number; bytes: number } {
    return { length: this.#waiting.size, bytes: this.#waitingBytes };
  }

  /**
   * Waits for a slot. Throws `Rejection` (`draining`, `queue_full` with `retryAfterMs`) or the signal's reason.
   */
  async admit(request: AdmitRequest): Promise<Permit> {
    request.signal.throwIfAborted();
    if (this.#draining) throw drainingRejection();
    const cpu = this.#free.pop();
    if (cpu !== undefined) return this.#permit(cpu, 0);
    if (request.isOwn !== true) this.#refuseIfFull(request.bytes);
    return await this.#wait(request);
  }

  /** Refuses everyone who waits and everyone who comes. Permits already out stay valid. */
  drain(): void {
    this.#draining = true;
    for (const waiter of [...this.#waiting]) waiter.refuse(drainingRejection());
  }

  #refuseIfFull(bytes: number): void {
    const { lengthMax, bytesMax } = this.#options;
    const isFull = this.#waiting.size >= lengthMax || this.#waitingBytes + bytes > bytesMax;
    if (!isFull) return;
    const slots = this.#options.slots.length;
    throw new Rejection('queue_full', {
      detail: `${this.#waiting.size} submissions are waiting for ${slots} slots; try again later`,
      retryAfterMs: Math.min(
        Math.ceil((this.#waiting.size * this.#holdMs) / slots),
        RETRY_AFTER_MAX_MS,
      ),
    });
  }

  #wait(request: AdmitRequest): Promise<Permit> {
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    const since = this.#options.clock.now();
    const leave = (): void => {
      if (this.#waiting.delete(waiter)) this.#waitingBytes -= waiter.bytes;
      request.signal.removeEventListener('abort', onAbort);
    };
    const waiter: Waiter = {
      bytes: request.bytes,
      since,
      grant: (cpu) => {
        leave();
        resolve(this.#permit(cpu, this.#options.clock.now() - since));
      },
      refuse: (error) => {
        leave();
        reject(error);
      },
    };
    const onAbort = (): void => waiter.refuse(request.signal.reason);
    request.signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiter);
    this.#waitingBytes += waiter.bytes;
    return promise;
  }

  #permit(cpu: number | null, queueMs: number): Permit {
    const { clock } = this.#options;
    const since = clock.now();
    let held = true;
    return {
      cpu,
      queueMs,
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#holdMs = 0.9 * this.#holdMs + 0.1 * (clock.now() - since);
        const [next] = this.#waiting;
        if (next === undefined) this.#free.push(cpu);
        else next.grant(cpu);
      },
    };
  }
}

function drainingRejection(): Rejection {
  return new Rejection('draining', {
    detail: 'this instance is stopping; send the request to another, or again shortly',
    retryAfterMs: 1000,
  });
}
