/**
 * Where submissions of tenants with limits come in: one at a time as their limits allow, refused at once or waiting in the
 * order in which they came. Owns who waits and the leases of this process; what has been used is the limiter's to know.
 */
import { Rejection } from '../../domain/errors.ts';
import type { LimitPolicy } from '../../domain/tenant.ts';
import type { Clock } from '../../lib/clock.ts';
import { shortage, shortageOf, Shares } from '../../lib/room.ts';
import {
  RENEWED_AT_ONCE,
  type Limiter,
  type LimitState,
  type Passage,
  type Spent,
} from './limiter.ts';
import { isUnlimited } from './policy.ts';
import { rateLimited } from './refusal.ts';

/** How long a lease of a replica that died counts on; it is renewed three times as often. */
const LEASE_MS = 15_000;
/** The first of a line asks again after so long at most, ms: other replicas give leases back, too. */
const LOOK_MS = 250;
/** Whoever has no deadline of their own waits so long at most, ms. */
const WAIT_MAX_MS = 3_600_000;

export interface Entry {
  readonly tenant: string;
  readonly policy: LimitPolicy;
  /** What it holds in memory while it waits. */
  readonly bytes: number;
  /** Aborts the wait; its reason is thrown. */
  readonly signal: AbortSignal;
  /** From now; null for none. */
  readonly deadlineMs: number | null;
  /** Whether it waits where a limit is reached; else it is refused. */
  readonly waits: boolean;
  /** Told what is left, granted or not. */
  readonly onState?: (state: LimitState) => void;
}

/** The right of one submission to go on. */
export interface Pass {
  readonly waitedMs: number;
  /** Call it once, when the submission has ended. */
  leave(spent: Spent): void;
}

const FREE: Pass = { waitedMs: 0, leave: () => undefined };

interface TurnstileOptions {
  readonly limiter: Limiter;
  readonly clock: Clock;
  /** Bounds of all that wait, and the share of one tenant. */
  readonly lengthMax: number;
  readonly bytesMax: number;
  readonly tenantShare: number;
  /** A name for a lease, unique over all replicas. */
  readonly createLease: () => string;
}

interface Waiter {
  readonly entry: Entry;
  readonly since: number;
  readonly resolve: (pass: Pass) => void;
  readonly reject: (reason: unknown) => void;
}

/** Those of one tenant that wait, in order, and what wakes the first. */
interface Line {
  readonly waiters: Set<Waiter>;
  wake: () => void;
  isServed: boolean;
}

export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #lines = new Map<string, Line>();
  /** Leases of this process by tenant. */
  readonly #held = new Map<string, Map<string, Passage>>();
  readonly #waiting = { length: new Shares(), bytes: new Shares() };
  #isRenewing = false;
  #isDraining = false;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /** Submissions of a tenant that wait here. */
  waiting(tenant: string): number {
    return this.#lines.get(tenant)?.waiters.size ?? 0;
  }

  /**
   * Comes in. Throws Rejection `rate_limited` where it does not wait, `deadline`, `queue_full` where too many wait,
   * `draining`, or the signal's reason.
   */
  async enter(entry: Entry): Promise<Pass> {
    entry.signal.throwIfAborted();
    if (isUnlimited(entry.policy)) return FREE;
    if (this.#isDraining) throw draining();
    if (entry.waits) return await this.#wait(entry);
    const passage = this.#passage(entry);
    const taken = await this.#options.limiter.take(passage);
    entry.onState?.(taken.state);
    if (!taken.granted) throw rateLimited(entry, taken);
    const pass = this.#pass(passage, 0);
    if (!entry.signal.aborted) return pass;
    pass.leave(NOTHING_SPENT);
    throw entry.signal.reason;
  }

  /** Refuses everyone who waits and everyone who comes. */
  drain(): void {
    this.#isDraining = true;
    for (const { waiters } of this.#lines.values())
      for (const waiter of [...waiters]) waiter.reject(draining());
  }

  /** Makes all leases of this process last, and known to a limiter that does not know them. */
  async renewAll(): Promise<void> {
    for (const [tenant, held] of this.#held) {
      const all = [...held.values()];
      for (let at = 0; at < all.length; at += RENEWED_AT_ONCE)
        await this.#renew(tenant, held, all.slice(at, at + RENEWED_AT_ONCE));
    }
  }

  /** Those that were given back since the list was made stay so, those that are meanwhile are given back once more. */
  async #renew(
    tenant: string,
    held: ReadonlyMap<string, Passage>,
    some: readonly Passage[],
  ): Promise<void> {
    const { limiter } = this.#options;
    const still = some.filter(({ lease }) => held.has(lease));
    if (still.length === 0) return;
    await limiter.renew({ tenant, leases: still.map(({ lease }) => lease), leaseMs: LEASE_MS });
    for (const passage of still)
      if (!held.has(passage.lease)) await limiter.give(passage, { cpuMs: 0, isRefunded: false });
  }

  #wait(entry: Entry): Promise<Pass> {
    this.#refuseIfFull(entry);
    const { clock } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Pass>();
    const line = this.#line(entry.tenant);
    const leave = (): void => {
      line.waiters.delete(waiter);
      this.#waiting.length.add(entry.tenant, -1);
      this.#waiting.bytes.add(entry.tenant, -entry.bytes);
      timer.cancel();
      entry.signal.removeEventListener('abort', onAbort);
      line.wake();
    };
    const waiter: Waiter = {
      entry,
      since: clock.now(),
      resolve: (pass) => {
        leave();
        resolve(pass);
      },
      reject: (reason) => {
        leave();
        reject(reason);
      },
    };
    const onAbort = (): void => waiter.reject(entry.signal.reason);
    const { deadlineMs } = entry;
    const timer = clock.after(deadlineMs ?? WAIT_MAX_MS, () =>
      waiter.reject(tooLate(deadlineMs ?? WAIT_MAX_MS)),
    );
    entry.signal.addEventListener('abort', onAbort, { once: true });
    line.waiters.add(waiter);
    this.#waiting.length.add(entry.tenant, 1);
    this.#waiting.bytes.add(entry.tenant, entry.bytes);
    if (!line.isServed) void this.#serve(entry.tenant, line);
    return promise;
  }

  #refuseIfFull({ tenant, bytes: more }: Pick<Entry, 'tenant' | 'bytes'>): void {
    const { lengthMax, bytesMax, tenantShare: share } = this.#options;
    const { length, bytes } = this.#waiting;
    const short = shortageOf([
      shortage({ max: lengthMax, share }, length.held(tenant), 1),
      shortage({ max: bytesMax, share }, bytes.held(tenant), more),
    ]);
    if (short === null) return;
    const { all, own } = length.held(tenant);
    const detail =
      short === 'own'
        ? `${own} submissions of yours are waiting for your limits, as many as may`
        : `${all} submissions are waiting for the limits of their tenants`;
    throw new Rejection('queue_full', {
      detail: `${detail}; try again later`,
      retryAfterMs: 1000,
    });
  }

  #line(tenant: string): Line {
    const known = this.#lines.get(tenant);
    if (known !== undefined) return known;
    const line: Line = { waiters: new Set(), wake: () => undefined, isServed: false };
    this.#lines.set(tenant, line);
    return line;
  }

  /** Lets a line in, its first at a time, until nobody waits. */
  async #serve(tenant: string, line: Line): Promise<void> {
    const { limiter, clock } = this.#options;
    line.isServed = true;
    for (;;) {
      const [first] = line.waiters;
      if (first === undefined) break;
      const passage = this.#passage(first.entry);
      const taken = await limiter.take(passage);
      first.entry.onState?.(taken.state);
      if (taken.granted) {
        const pass = this.#pass(passage, clock.now() - first.since);
        if (line.waiters.has(first)) first.resolve(pass);
        else pass.leave(NOTHING_SPENT);
        continue;
      }
      if (line.waiters.has(first))
        await woken(line, clock, Math.min(taken.retryAfterMs ?? LOOK_MS, LOOK_MS));
    }
    this.#lines.delete(tenant);
  }

  #passage({ tenant, policy }: Entry): Passage {
    return { tenant, policy, lease: this.#options.createLease(), leaseMs: LEASE_MS };
  }

  #pass(passage: Passage, waitedMs: number): Pass {
    const { tenant, lease } = passage;
    const held = this.#held.get(tenant) ?? new Map<string, Passage>();
    this.#held.set(tenant, held.set(lease, passage));
    if (!this.#isRenewing) this.#renewLater();
    return {
      waitedMs,
      leave: (spent) => {
        if (!held.delete(lease)) return;
        if (held.size === 0 && this.#held.get(tenant) === held) this.#held.delete(tenant);
        void this.#options.limiter.give(passage, spent).then(() => {
          this.#lines.get(tenant)?.wake();
        });
      },
    };
  }

  #renewLater(): void {
    this.#isRenewing = true;
    this.#options.clock.after(LEASE_MS / 3, () => {
      this.#isRenewing = false;
      if (this.#held.size > 0) this.#renewLater();
      void this.renewAll();
    });
  }
}

const NOTHING_SPENT: Spent = { cpuMs: 0, isRefunded: true };

/** After `ms`, or when the line is woken. */
async function woken(line: Line, clock: Clock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(ms, () => resolve());
  line.wake = () => resolve();
  await promise;
  line.wake = () => undefined;
  timer.cancel();
}

function draining(): Rejection {
  return new Rejection('draining', {
    detail: 'this instance is stopping; send the request to another, or again shortly',
    retryAfterMs: 1000,
  });
}

function tooLate(ms: number): Rejection {
  return new Rejection('deadline', {
    detail: `the limits of the tenant did not let it in within ${Math.round(ms)} ms`,
    retryAfterMs: 1000,
  });
}
