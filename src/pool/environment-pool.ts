/**
 * The jails of one environment, or of several that share them: made ahead of need, leased for one submission at a time, checked after each lease,
 * retired by rule, replaced in the background. Knows nothing of tests, queues or permits.
 */
import { Fault, toFault } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { QuantileWindow, type QuantileSummary } from '../lib/quantiles.ts';
import { Session } from '../runner/session.ts';
import type { Jail, JailPolicy, Sandbox } from '../sandbox/port.ts';
import { desiredJails } from './sizing.ts';
import { nextSlotState, retireReason } from './slot.ts';
import type { RetireReason, RetireRules, SlotEvent, SlotState } from './slot.ts';

/** A jail for one submission. Call exactly one of `release` and `discard`; later calls are ignored. */
export interface Lease {
  readonly session: Session;
  /** The jail's name, for reports and logs. */
  readonly jail: string;
  readonly acquire: 'warm' | 'cold';
  readonly acquireMs: number;
  /** Back to the pool: the jail is checked before anyone gets it again. */
  release(): void;
  /** Never to be used again. */
  discard(reason: RetireReason): void;
}

export interface EnvironmentPoolOptions {
  readonly environment: Environment;
  readonly policy: JailPolicy;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly slots: number;
  readonly rules: RetireRules;
  readonly helloTimeoutMs: number;
  /** Told of every jail that was ended for a reason that is not routine. */
  readonly onAnomaly: (event: {
    reason: RetireReason;
    jail: string | null;
    detail: string;
  }) => void;
}

export interface EnvironmentPoolStats {
  readonly starting: number;
  readonly ready: number;
  readonly leased: number;
  readonly warmHitRate: number | null;
  readonly acquireMs: QuantileSummary | null;
  readonly retired: Readonly<Record<string, number>>;
}

interface Slot {
  state: SlotState;
  jail: Jail | null;
  session: Session | null;
  readonly born: number;
  leases: number;
  memoryWhenNew: number | null;
  memoryNow: number | null;
}

interface Waiter {
  readonly give: (slot: Slot) => void;
  readonly fail: (error: unknown) => void;
}

/** The peak of leases is forgotten this fast; also the rhythm of shrinking. */
const PEAK_WINDOW_MS = 60_000;
/** Pause after a failed start, doubled for each further one up to the maximum. */
const BACKOFF_MS = { first: 100, max: 5000 };
/** Reasons that are the ordinary life of a jail. */
const ROUTINE: ReadonlySet<RetireReason> = new Set([
  'leases',
  'age',
  'used_up',
  'surplus',
  'closed',
]);
const HIT_SMOOTHING = 0.05;

export class EnvironmentPool {
  readonly #options: EnvironmentPoolOptions;
  readonly #slots = new Set<Slot>();
  readonly #waiters = new Set<Waiter>();
  readonly #acquireMs = new QuantileWindow();
  readonly #retired: Partial<Record<RetireReason, number>> = {};
  /** Ends of jails that are under way; bounded by the number of slots. */
  readonly #ending = new Set<Promise<void>>();
  #hitRate: number | null = null;
  #peak = 0;
  #peakTimer: Timer | null = null;
  #backoffMs = 0;
  #startFailures = 0;
  #backoffTimer: Timer | null = null;
  #closed = false;

  constructor(options: EnvironmentPoolOptions) {
    this.#options = options;
  }

  /** What reports and logs call it: the environment's id, or the language's where its environments share jails. */
  get name(): string {
    return this.#options.policy.environment;
  }

  /** Jails in a row that did not start, 0 once one has. */
  get startFailures(): number {
    return this.#startFailures;
  }

  /** Starts making jails. Separate from construction, so that nothing happens by accident. */
  start(): void {
    if (this.#closed) return;
    this.#maintain();
    this.#schedulePeakDecay();
  }

  stats(): EnvironmentPoolStats {
    return {
      starting: this.#count('starting'),
      ready: this.#count('ready') + this.#count('resetting'),
      leased: this.#count('leased'),
      warmHitRate: this.#hitRate,
      acquireMs: this.#acquireMs.summary(),
      retired: { ...this.#retired },
    };
  }

  /** A jail of this environment. Throws `Fault('jail_start_failed')` or the signal's reason. */
  async acquire(signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    if (this.#closed) throw new Fault('jail_start_failed', 'the pool is closed');
    const { clock } = this.#options;
    const since = clock.now();
    const ready = this.#firstReady();
    this.#noteHit(ready !== null);
    if (ready !== null) this.#step(ready, 'lease');
    const slot = ready ?? (await this.#waitForSlot(signal));
    slot.leases += 1;
    this.#peak = Math.max(this.#peak, this.#count('leased'));
    const acquireMs = clock.now() - since;
    this.#acquireMs.add(acquireMs);
    this.#maintain();
    return this.#lease(slot, { acquire: ready === null ? 'cold' : 'warm', acquireMs });
  }

  /** A jail that is ready now, or null; one that is not is then made for the next. */
  tryAcquire(): Lease | null {
    if (this.#closed) return null;
    const ready = this.#firstReady();
    this.#noteHit(ready !== null);
    if (ready === null) {
      this.#maintain();
      return null;
    }
    this.#step(ready, 'lease');
    ready.leases += 1;
    this.#peak = Math.max(this.#peak, this.#count('leased'));
    this.#acquireMs.add(0);
    this.#maintain();
    return this.#lease(ready, { acquire: 'warm', acquireMs: 0 });
  }

  /** Ends every jail and waits until they are gone. Leases still out are cut off. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#peakTimer?.cancel();
    this.#backoffTimer?.cancel();
    for (const waiter of this.#waiters) waiter.fail(new Fault('jail_start_failed', 'pool closed'));
    this.#waiters.clear();
    for (const slot of [...this.#slots]) this.#retire(slot, 'closed', '');
    await Promise.all(this.#ending);
  }

  #lease(slot: Slot, facts: Pick<Lease, 'acquire' | 'acquireMs'>): Lease {
    const { session } = slot;
    if (session === null) throw new Fault('internal', 'a ready slot has no session');
    let held = true;
    const once = (action: () => void): void => {
      if (!held) return;
      held = false;
      action();
    };
    return {
      ...facts,
      session,
      jail: session.hello.name,
      release: () =>
        once(() => {
          if (slot.state !== 'gone') void this.#reset(slot, session);
        }),
      discard: (reason) => once(() => this.#retire(slot, reason, 'discarded by its user')),
    };
  }

  async #reset(slot: Slot, session: Session): Promise<void> {
    this.#step(slot, 'release');
    try {
      const report = await session.reset();
      // A slot that was retired meanwhile stays retired.
      if (slot.state !== 'resetting') return;
      if (!report.clean) {
        this.#retire(slot, 'dirty', JSON.stringify(report));
        return;
      }
      slot.memoryWhenNew ??= report.memoryBytes;
      slot.memoryNow = report.memoryBytes;
      const usedUp = retireReason(this.#history(slot), this.#options.rules);
      if (usedUp !== null) this.#retire(slot, usedUp, '');
      else this.#becomeReady(slot, 'clean');
    } catch (error) {
      if (slot.state === 'resetting') this.#retire(slot, 'dirty', toFault(error).detail);
    }
  }

  #history(slot: Slot): { leases: number; ageMs: number; memoryGrowthBytes: number | null } {
    const growth =
      slot.memoryNow === null || slot.memoryWhenNew === null
        ? null
        : slot.memoryNow - slot.memoryWhenNew;
    return {
      leases: slot.leases,
      ageMs: this.#options.clock.now() - slot.born,
      memoryGrowthBytes: growth,
    };
  }

  #becomeReady(slot: Slot, event: 'started' | 'clean'): void {
    this.#step(slot, event);
    const [waiter] = this.#waiters;
    if (waiter !== undefined) waiter.give(slot);
    else this.#maintain();
  }

  #firstReady(): Slot | null {
    for (const slot of this.#slots) if (slot.state === 'ready') return slot;
    return null;
  }

  #waitForSlot(signal: AbortSignal): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const leave = (): void => {
      this.#waiters.delete(waiter);
      signal.removeEventListener('abort', onAbort);
    };
    const waiter: Waiter = {
      give: (slot) => {
        leave();
        // Leased here and not after the await: nobody may take it in between.
        this.#step(slot, 'lease');
        resolve(slot);
      },
      fail: (error) => {
        leave();
        reject(error);
      },
    };
    const onAbort = (): void => waiter.fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiters.add(waiter);
    this.#maintain();
    return promise;
  }

  /** Brings the number of jails to what is wanted; every change of state ends here. */
  #maintain(): void {
    if (this.#closed) return;
    const coming = this.#count('starting') + this.#count('resetting');
    const wanted = desiredJails({
      recentPeak: this.#peak,
      warmHitRate: this.#hitRate,
      current: this.#slots.size,
      slots: this.#options.slots,
    });
    const short = Math.max(this.#waiters.size - coming, wanted - this.#slots.size);
    if (this.#backoffTimer === null) for (let i = 0; i < short; i += 1) void this.#startOne();
  }

  async #startOne(): Promise<void> {
    const { sandbox, policy, clock, helloTimeoutMs } = this.#options;
    const slot: Slot = {
      state: 'starting',
      jail: null,
      session: null,
      born: clock.now(),
      leases: 0,
      memoryWhenNew: null,
      memoryNow: null,
    };
    this.#slots.add(slot);
    try {
      slot.jail = await sandbox.start(policy);
      slot.session = await Session.open(slot.jail, {
        clock,
        helloTimeoutMs,
        kill: (name) => sandbox.kill(name),
      });
      if (this.#closed || slot.state !== 'starting') {
        await slot.jail.close();
        return;
      }
      this.#backoffMs = 0;
      this.#startFailures = 0;
      this.#watch(slot, slot.jail);
      this.#becomeReady(slot, 'started');
    } catch (error) {
      if (slot.state !== 'starting') return;
      const fault = toFault(error);
      this.#startFailures += 1;
      this.#retire(slot, 'start_failed', fault.detail);
      for (const waiter of [...this.#waiters]) waiter.fail(fault);
      this.#backOff();
    }
  }

  /** A jail that ends unasked is replaced at once, leased or not; its user learns it from the session. */
  #watch(slot: Slot, jail: Jail): void {
    void jail.closed.then((exit) => {
      if (slot.state !== 'gone') this.#retire(slot, 'died', exit.reason);
    });
  }

  #retire(slot: Slot, reason: RetireReason, detail: string): void {
    if (slot.state === 'gone') return;
    this.#step(slot, 'retire');
    this.#slots.delete(slot);
    this.#retired[reason] = (this.#retired[reason] ?? 0) + 1;
    const name = slot.session?.hello.name ?? null;
    if (!ROUTINE.has(reason)) this.#options.onAnomaly({ reason, jail: name, detail });
    const { jail } = slot;
    if (jail !== null) {
      const ending = jail.close().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    if (reason !== 'start_failed') this.#maintain();
  }

  #backOff(): void {
    if (this.#closed || this.#backoffTimer !== null) return;
    this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, BACKOFF_MS.first), BACKOFF_MS.max);
    this.#backoffTimer = this.#options.clock.after(this.#backoffMs, () => {
      this.#backoffTimer = null;
      this.#maintain();
    });
  }

  #schedulePeakDecay(): void {
    this.#peakTimer = this.#options.clock.after(PEAK_WINDOW_MS, () => {
      this.#peak = this.#count('leased');
      this.#hitRate = null;
      this.#shrink();
      this.#schedulePeakDecay();
    });
  }

  #shrink(): void {
    const wanted = desiredJails({
      recentPeak: this.#peak,
      warmHitRate: null,
      current: this.#slots.size,
      slots: this.#options.slots,
    });
    for (const slot of [...this.#slots]) {
      if (this.#slots.size <= wanted) return;
      if (slot.state === 'ready') this.#retire(slot, 'surplus', '');
    }
  }

  #noteHit(isHit: boolean): void {
    const hit = isHit ? 1 : 0;
    this.#hitRate =
      this.#hitRate === null ? hit : this.#hitRate + HIT_SMOOTHING * (hit - this.#hitRate);
  }

  #step(slot: Slot, event: SlotEvent): void {
    slot.state = nextSlotState(slot.state, event);
  }

  #count(state: SlotState): number {
    let count = 0;
    for (const slot of this.#slots) if (slot.state === state) count += 1;
    return count;
  }
}
