/**
 * The jails of one environment, or of several that share them: made ahead of need, leased for one submission at a time,
 * checked after each lease, retired by rule, replaced in the background. Knows nothing of tests, queues or permits.
 */
import { Fault, toFault } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { Session } from '../runner/session.ts';
import type { Jail, JailPolicy, Sandbox } from '../sandbox/port.ts';
import { AcquireTimes, type AcquireSummary } from './acquire-times.ts';
import { Backoff } from './backoff.ts';
import { MemoryBudget, type MemoryHold } from './memory-budget.ts';
import { Sizer } from './sizing.ts';
import type { RetireReason, RetireRules } from './slot.ts';
import { Slots, type Slot } from './slots.ts';
import { WaitingLine } from './waiting-line.ts';

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

type Anomaly = { reason: RetireReason; jail: string | null; detail: string };

export interface EnvironmentPoolOptions {
  readonly environment: Environment;
  readonly policy: JailPolicy;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly slots: number;
  readonly rules: RetireRules;
  readonly helloTimeoutMs: number;
  /** Shared with other pools; by default there is no bound. */
  readonly budget?: MemoryBudget;
  /** Whether nobody depends on it: no jail is held unless one was used lately, and one that fails is not missed. */
  readonly isHelper?: boolean;
  /** Told of every jail that was ended for a reason that is not routine. */
  readonly onAnomaly: (event: Anomaly) => void;
}

export interface EnvironmentPoolStats extends AcquireSummary {
  readonly starting: number;
  readonly ready: number;
  readonly leased: number;
  /** Jails to hold, by recent demand. */
  readonly target: number;
  /** Over the last minute. */
  readonly warmHitRate: number | null;
  /** What a jail without work holds, as last measured, bytes; null where that is not known. */
  readonly idleBytes: number | null;
  readonly retired: Readonly<Record<string, number>>;
}

/** Rhythm of shrinking, rebuilding and measuring. */
const TICK_MS = 5000;
/** A helper's last jail stays for so long after it was asked for, ms. */
const HELPER_KEEP_MS = 600_000;
/** Pause after a failed start, and after a helper that was used up: it may be one submission after the other. */
const START_BACKOFF = { first: 100, max: 5000 };
const HELPER_BACKOFF = { first: 1000, max: 60_000 };
/** Reasons that are the ordinary life of a jail. */
const ROUTINE: ReadonlySet<RetireReason> = new Set([
  ...(['leases', 'age', 'used_up', 'surplus', 'idle', 'reclaimed', 'closed'] as const),
]);

export class EnvironmentPool {
  readonly #options: EnvironmentPoolOptions;
  readonly #budget: MemoryBudget;
  readonly #slots: Slots;
  readonly #sizer: Sizer;
  readonly #line = new WaitingLine<Slot>();
  readonly #times = new AcquireTimes();
  readonly #retired: Partial<Record<RetireReason, number>> = {};
  /** Ends of jails that are under way; bounded by the number of slots. */
  readonly #ending = new Set<Promise<void>>();
  readonly #startBackoff = new Backoff(START_BACKOFF);
  readonly #helperBackoff = new Backoff(HELPER_BACKOFF);
  readonly #holder = {
    idleSince: () => this.#slots.longestReady()?.idleSince ?? null,
    giveUp: () => this.#retireReady('reclaimed'),
  };
  #startFailures = 0;
  #pauseTimer: Timer | null = null;
  #tickTimer: Timer | null = null;
  #isMeasuring = false;
  #closed = false;

  constructor(options: EnvironmentPoolOptions) {
    const { isHelper = false, slots, policy } = options;
    this.#options = options;
    this.#budget = options.budget ?? new MemoryBudget(Number.POSITIVE_INFINITY);
    this.#slots = new Slots({ rules: options.rules, clock: options.clock, policy });
    const kept = isHelper ? HELPER_KEEP_MS : 0;
    // One spare hides the reset of a jail just returned.
    this.#sizer = new Sizer({ least: isHelper ? 0 : 1, most: slots + 1, keepMs: kept });
  }

  /** What reports and logs call it: the environment's id, or the language's where its environments share jails. */
  get name(): string {
    return this.#options.policy.environment;
  }

  /** Jails in a row that did not start, 0 once one has. */
  get startFailures(): number {
    return this.#startFailures;
  }

  /** Starts making jails. Separate from construction, so that nothing happens by accident. The first lease does it too. */
  start(): void {
    if (this.#closed || this.#tickTimer !== null) return;
    this.#budget.join(this.#holder);
    this.#maintain();
    this.#schedule();
  }

  stats(): EnvironmentPoolStats {
    const now = this.#options.clock.now();
    return {
      starting: this.#slots.count('starting'),
      ready: this.#slots.count('ready') + this.#slots.count('resetting'),
      leased: this.#slots.count('leased'),
      target: this.#sizer.target(now, this.#inUse()),
      warmHitRate: this.#sizer.hitRate(now),
      ...this.#times.summary(),
      idleBytes: this.#slots.measured(),
      retired: { ...this.#retired },
    };
  }

  /**
   * A jail of this environment, with the memory that its runs may take: the largest limit, bytes; null where that is part
   * of another lease's, so that nobody waits for memory while holding some. Throws `Fault('jail_start_failed')` or the
   * signal's reason.
   */
  async acquire(signal: AbortSignal, memoryBytes: number | null = 0): Promise<Lease> {
    signal.throwIfAborted();
    if (this.#closed) throw new Fault('jail_start_failed', 'the pool is closed');
    this.start();
    const { clock } = this.#options;
    const since = clock.now();
    const run = await this.#memory(memoryBytes, signal);
    try {
      if (this.#closed) throw new Fault('jail_start_failed', 'the pool is closed');
      const ready = this.#slots.firstReady();
      const acquire = ready === null ? 'cold' : 'warm';
      if (ready !== null) this.#slots.step(ready, 'lease');
      this.#noteDemand(acquire);
      const slot = ready ?? (await this.#nextSlot(signal));
      // The jail's own memory is accounted for by now.
      run.resize(memoryBytes ?? 0);
      const acquireMs = clock.now() - since;
      this.#times.add(acquire, acquireMs);
      this.#maintain();
      return this.#lease(slot, run, { acquire, acquireMs });
    } catch (error) {
      run.release();
      throw error;
    }
  }

  async #memory(bytes: number | null, signal: AbortSignal): Promise<MemoryHold> {
    if (bytes === null) return this.#budget.holdIdle(0);
    return await this.#budget.busy(bytes + this.#slots.missingEstimate(), signal);
  }

  /** A jail that is ready now, or null; one that is not is then made for the next. */
  tryAcquire(memoryBytes = 0): Lease | null {
    if (this.#closed) return null;
    this.start();
    const ready = this.#slots.firstReady();
    const run = ready === null ? null : this.#budget.tryBusy(memoryBytes);
    if (ready !== null && run !== null) this.#slots.step(ready, 'lease');
    this.#noteDemand(run === null ? 'cold' : 'warm');
    this.#maintain();
    if (ready === null || run === null) return null;
    this.#times.add('warm', 0);
    return this.#lease(ready, run, { acquire: 'warm', acquireMs: 0 });
  }

  /** Ends every jail and waits until they are gone. Leases still out are cut off. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#tickTimer?.cancel();
    this.#pauseTimer?.cancel();
    this.#budget.leave(this.#holder);
    this.#line.fail(new Fault('jail_start_failed', 'pool closed'));
    for (const slot of [...this.#slots]) this.#retire(slot, 'closed', '');
    await Promise.all(this.#ending);
  }

  #lease(slot: Slot, run: MemoryHold, facts: Pick<Lease, 'acquire' | 'acquireMs'>): Lease {
    const { session } = slot;
    if (session === null) throw new Fault('internal', 'a ready slot has no session');
    slot.leases += 1;
    let held = true;
    const once = (action: () => void): void => {
      if (!held) return;
      held = false;
      run.release();
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
    this.#slots.step(slot, 'release');
    try {
      const report = await session.reset();
      // A slot that was retired meanwhile stays retired.
      if (slot.state !== 'resetting') return;
      if (!report.clean) {
        this.#retire(slot, 'dirty', JSON.stringify(report));
        return;
      }
      this.#helperBackoff.reset();
      const usedUp = this.#slots.usedUp(slot, report.memoryBytes);
      if (usedUp !== null) this.#retire(slot, usedUp, '');
      else this.#becomeReady(slot, 'clean');
    } catch (error) {
      if (slot.state === 'resetting') this.#retire(slot, 'dirty', toFault(error).detail);
    }
  }

  #becomeReady(slot: Slot, event: 'started' | 'clean'): void {
    this.#slots.step(slot, event);
    // Leased at once and not when its user goes on: nobody may take it in between.
    if (this.#line.length > 0) {
      this.#slots.step(slot, 'lease');
      this.#line.give(slot);
      return;
    }
    const stale = this.#slots.staleReady();
    if (stale !== null && this.#slots.freshCount() >= this.#wanted())
      this.#retire(stale, 'idle', '');
    else this.#maintain();
  }

  #nextSlot(signal: AbortSignal): Promise<Slot> {
    const slot = this.#line.wait(signal);
    this.#maintain();
    return slot;
  }

  /** Brings the number of jails to what is wanted; every change of state ends here. */
  #maintain(): void {
    if (this.#closed || this.#pauseTimer !== null) return;
    const coming = this.#slots.count('starting') + this.#slots.count('resetting');
    const awaited = Math.max(0, this.#line.length - coming);
    // What is to be ready ahead of need would only take the processor from what is waited for.
    const ahead = this.#line.length > 0 ? 0 : this.#wanted() - this.#slots.freshCount();
    const short = Math.max(awaited, ahead);
    for (let index = 0; index < short; index += 1) {
      const bytes = this.#slots.idleEstimate();
      const hold = index < awaited ? this.#budget.holdIdle(bytes) : this.#budget.tryIdle(bytes);
      if (hold === null) return;
      void this.#startOne(hold, { isRetry: this.#startFailures > 0 });
    }
  }

  /**
   * A start that fails is tried again once and at once, for whatever took this jail with it (the launcher's end, of which
   * others may learn later) need not be there any more. One that took all its time is not: who waits has waited enough.
   */
  async #startOne(hold: MemoryHold, { isRetry }: { readonly isRetry: boolean }): Promise<void> {
    const { sandbox, policy, clock, helloTimeoutMs } = this.#options;
    const slot = this.#slots.add(hold);
    try {
      slot.jail = await sandbox.start(policy);
      slot.session = await Session.open(slot.jail, {
        clock,
        helloTimeoutMs,
        kill: (name) => sandbox.kill(name),
        metCap: (name) => sandbox.metCap(name),
      });
      if (this.#closed || slot.state !== 'starting') {
        await slot.jail.close();
        return;
      }
      this.#startBackoff.reset();
      this.#startFailures = 0;
      this.#watch(slot, slot.jail);
      this.#becomeReady(slot, 'started');
    } catch (error) {
      if (slot.state !== 'starting') return;
      const fault = toFault(error);
      this.#startFailures += 1;
      this.#retire(slot, 'start_failed', fault.detail);
      const isLate = clock.now() - slot.born >= helloTimeoutMs;
      if (!isRetry && !isLate && !this.#closed) {
        void this.#startOne(this.#budget.holdIdle(this.#slots.idleEstimate()), { isRetry: true });
        return;
      }
      this.#line.fail(fault);
      this.#pause(this.#startBackoff);
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
    this.#slots.remove(slot);
    this.#retired[reason] = (this.#retired[reason] ?? 0) + 1;
    const name = slot.session?.hello.name ?? null;
    const isRoutine = ROUTINE.has(reason);
    if (!isRoutine) this.#options.onAnomaly({ reason, jail: name, detail });
    const { jail } = slot;
    if (jail !== null) {
      const ending = jail.close().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    const isSpent = this.#options.isHelper === true && (!isRoutine || reason === 'used_up');
    if (isSpent) this.#pause(this.#helperBackoff);
    else if (reason !== 'start_failed') this.#maintain();
  }

  #pause(backoff: Backoff): void {
    if (this.#closed || this.#pauseTimer !== null) return;
    this.#pauseTimer = this.#options.clock.after(backoff.next(), () => {
      this.#pauseTimer = null;
      this.#maintain();
    });
  }

  #schedule(): void {
    this.#tickTimer = this.#options.clock.after(TICK_MS, () => {
      this.#tick();
      this.#schedule();
    });
  }

  #tick(): void {
    while (this.#slots.freshCount() > this.#wanted() && this.#retireReady('surplus'));
    this.#slots.markStale();
    this.#maintain();
    void this.#measure();
  }

  /** One idle jail at a time, and never while somebody waits: reading it takes the kernel a millisecond or more. */
  async #measure(): Promise<void> {
    const slot = this.#line.length > 0 || this.#isMeasuring ? null : this.#slots.nextToMeasure();
    const name = slot?.session?.hello.name;
    if (slot === null || name === undefined) return;
    this.#isMeasuring = true;
    const { leases } = slot;
    try {
      const bytes = await this.#options.sandbox.measure(name);
      // What was leased meanwhile held a run's memory too.
      const isIdle = slot.state === 'ready' && slot.leases === leases;
      if (isIdle) this.#slots.noteMeasured(slot, bytes);
    } finally {
      this.#isMeasuring = false;
    }
  }

  #retireReady(reason: 'surplus' | 'reclaimed'): boolean {
    const slot = this.#slots.longestReady();
    if (slot !== null) this.#retire(slot, reason, '');
    return slot !== null;
  }

  #noteDemand(acquire: 'warm' | 'cold'): void {
    const inUse = this.#inUse() + (acquire === 'cold' ? 1 : 0);
    this.#sizer.note(this.#options.clock.now(), {
      inUse,
      isHit: acquire === 'warm',
      isGrowing: this.#slots.freshCount() === 0 || this.#slots.count('starting') > 0,
    });
  }

  #inUse(): number {
    return this.#slots.count('leased') + this.#line.length;
  }

  #wanted(): number {
    return this.#sizer.target(this.#options.clock.now(), this.#inUse());
  }
}
