/**
 * The gate between callers and slots: a bounded, fair queue for the right to use one slot. Owns the permits (one per
 * slot, each with the core it is pinned to) and the clock; who is next is `fair-queue.ts`'s. Knows nothing of jails or
 * submissions.
 *
 * Slots never outnumber cores: with twice as many runs as cores, CPU time itself grows by a third and rewards
 * would depend on load (../docs/decisions/0001-slots.md).
 */
import { Rejection } from '../domain/errors.ts';
import type { Payer } from '../domain/tenant.ts';
import type { Clock } from '../lib/clock.ts';
import { QuantileWindow, type QuantileSummary } from '../lib/quantiles.ts';
import { FairQueue, type FairQueueBounds, type TenantQueue, type Ticket } from './fair-queue.ts';

/** However long the queue: places come free before it is empty, and a trainer that sleeps an hour is of no use. */
const RETRY_AFTER_MAX_MS = 30_000;
const RETRY_AFTER_MIN_MS = 100;
/** Disks and memory come free by minutes, if by seconds the sooner the better. */
const HOST_FULL_RETRY_MS = 5000;
/** Tenants that are told of by name. */
const TENANTS_SHOWN_MAX = 20;

/** The right to run on one slot. Give it back exactly once; a second release is ignored. */
export interface Permit extends Disposable {
  /** The core of this slot, null when slots are not pinned. */
  readonly cpu: number | null;
  /** How long it was waited for, ms. */
  readonly queueMs: number;
}

export interface GateOptions extends FairQueueBounds {
  /** One entry per slot: its core, or null. */
  readonly slots: readonly (number | null)[];
  readonly clock: Clock;
  /** Why the host has no room for anything new, a sentence each; default: it always has. */
  readonly shortages?: () => readonly string[];
}

export interface AdmitRequest {
  readonly payer: Payer;
  /** Before requests of the same payer with a lower one. */
  readonly priority: number;
  /** How long the slot will be held, as far as can be told, ms. */
  readonly costMs: number;
  /** What the waiting request holds in memory, bytes. */
  readonly bytes: number;
  /** When it must have ended, by the gate's clock; null for never. */
  readonly deadlineAt: number | null;
  /** Aborts the wait; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Of the service itself: it waits its turn, but the queue's bounds, which are for callers, do not refuse it. */
  readonly isOwn?: boolean;
}

export interface GateQueue {
  readonly length: number;
  readonly bytes: number;
  /** The longest, at most `TENANTS_SHOWN_MAX`. */
  readonly tenants: readonly TenantQueue[];
  /** Of the last that got a slot; null before the first. */
  readonly waitMs: QuantileSummary | null;
}

interface Waiter {
  readonly since: number;
  readonly grant: (ticket: Ticket<Waiter>, cpu: number | null) => void;
  readonly refuse: (error: unknown) => void;
}

export class Gate {
  readonly #options: GateOptions;
  readonly #free: (number | null)[];
  readonly #queue: FairQueue<Waiter>;
  readonly #waits = new QuantileWindow();
  #draining = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#free = [...options.slots];
    this.#queue = new FairQueue(options);
  }

  get busy(): number {
    return this.#options.slots.length - this.#free.length;
  }

  get queue(): GateQueue {
    const { length, bytes } = this.#queue;
    const tenants = this.#queue.tenants(TENANTS_SHOWN_MAX);
    return { length, bytes, tenants, waitMs: this.#waits.summary() };
  }

  /**
   * Waits for a slot. Throws `Rejection` (`draining`, `host_full`, `queue_full` with `retryAfterMs`, `deadline` where too little time
   * is left to begin) or the signal's reason.
   */
  async admit(request: AdmitRequest): Promise<Permit> {
    request.signal.throwIfAborted();
    if (request.isOwn !== true) this.check(request);
    else if (this.#draining) throw drainingRejection();
    return await this.#wait(request);
  }

  /**
   * Throws what `admit` would throw now for want of room or time: before a body is read, say. `bytes` and `costMs` are 0
   * where they are not known.
   */
  check(request: Omit<AdmitRequest, 'signal' | 'isOwn'>): void {
    if (this.#draining) throw drainingRejection();
    const shortages = this.#options.shortages?.() ?? [];
    if (shortages.length > 0) throw hostFullRejection(shortages);
    if (this.#free.length > 0) return;
    const { payer, bytes, deadlineAt } = request;
    const refusal = this.#queue.refusal(payer, bytes);
    if (refusal !== null) {
      const whose = refusal === 'own' ? ' of yours' : '';
      throw this.#full(request, `all places in the queue${whose} are taken; try again later`);
    }
    const waitMs = this.#aheadMs(request);
    const needMs = waitMs === 0 ? 0 : waitMs + this.#reserveMs(request);
    if (deadlineAt !== null && this.#options.clock.now() + needMs > deadlineAt)
      throw this.#full(request, `the wait, about ${Math.ceil(waitMs)} ms, exceeds the deadline`);
  }

  /** Refuses everyone who waits and everyone who comes. Permits already out stay valid. */
  drain(): void {
    this.#draining = true;
    for (const { item } of this.#queue.clear()) item.refuse(drainingRejection());
  }

  /** How long until a slot comes to who would come now, ms, beside what runs. */
  #aheadMs(request: Pick<AdmitRequest, 'payer' | 'priority'>): number {
    return this.#queue.aheadMs(request) / this.#options.slots.length;
  }

  /**
   * What must be left until its deadline when a slot comes: what it will take, but no more than half of all the time it
   * has. An estimate may be far too long, and whoever is never tried never puts it right.
   */
  #reserveMs({ costMs, deadlineAt }: Pick<AdmitRequest, 'costMs' | 'deadlineAt'>): number {
    if (deadlineAt === null) return 0;
    return Math.min(costMs, (deadlineAt - this.#options.clock.now()) / 2);
  }

  #full(request: Pick<AdmitRequest, 'payer' | 'priority'>, why: string): Rejection {
    const slots = this.#options.slots.length;
    const aheadMs = Math.ceil(this.#aheadMs(request));
    return new Rejection('queue_full', {
      detail: `${this.#queue.length} submissions are waiting for ${slots} slots: ${why}`,
      retryAfterMs: Math.min(Math.max(aheadMs, RETRY_AFTER_MIN_MS), RETRY_AFTER_MAX_MS),
    });
  }

  #wait(request: AdmitRequest): Promise<Permit> {
    const { signal, ...ask } = request;
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    const since = this.#options.clock.now();
    const onAbort = (): void => {
      this.#queue.remove(ticket);
      waiter.refuse(signal.reason);
    };
    const waiter: Waiter = {
      since,
      grant: (granted, cpu) => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.#permit(granted, cpu));
      },
      refuse: (error) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const ticket = this.#queue.push(waiter, { ...ask, reserveMs: this.#reserveMs(ask) });
    this.#fill();
    return promise;
  }

  /** Gives free slots to those who wait. */
  #fill(): void {
    while (this.#queue.length > 0) {
      const cpu = this.#free.pop();
      if (cpu === undefined) return;
      const { ticket, late } = this.#queue.take(this.#options.clock.now());
      for (const { item } of late) item.refuse(lateRejection());
      if (ticket === null) this.#free.push(cpu);
      else ticket.item.grant(ticket, cpu);
    }
  }

  #permit(ticket: Ticket<Waiter>, cpu: number | null): Permit {
    const { clock } = this.#options;
    const since = clock.now();
    const queueMs = since - ticket.item.since;
    this.#waits.add(queueMs);
    let held = true;
    return {
      cpu,
      queueMs,
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#queue.settle(ticket, clock.now() - since);
        this.#free.push(cpu);
        this.#fill();
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

/** For whoever keeps something at the host otherwise than by a slot, too. */
export function hostFullRejection(shortages: readonly string[]): Rejection {
  return new Rejection('host_full', {
    detail: `${shortages.join('; ')}: nothing new is accepted until there is room`,
    retryAfterMs: HOST_FULL_RETRY_MS,
  });
}

function lateRejection(): Rejection {
  return new Rejection('deadline', {
    detail: 'too little time was left before the deadline when its turn came; it was not started',
    retryAfterMs: 1000,
  });
}
