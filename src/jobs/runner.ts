/**
 * Works on jobs: claims items, a few at once, has them judged, keeps the results. Owns leases, tries after faults and the
 * end: what is under way when it stops goes back, and is judged by whoever comes next.
 */
import type { Payer } from '../domain/tenant.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { LEASE_MS, type Claim, type ItemResult, type JobStore } from './store.ts';

/** What came of an item. */
export type ItemOutcome =
  | {
      readonly kind: 'result';
      readonly result: ItemResult;
      /** What another try may change. */
      readonly retry: Retry;
    }
  /** It could not be judged now (the queue is full, the service stops): no try was spent. */
  | { readonly kind: 'later'; readonly delayMs: number };

/** Nothing; a fault; or that something is missing which another replica may have. */
export type Retry = 'none' | 'fault' | 'elsewhere';

/** Tries of an item, the first included. */
const TRIES: Readonly<Record<Retry, number>> = { none: 1, fault: 3, elsewhere: 20 };

export interface ItemCall {
  readonly body: string;
  readonly line: number;
  readonly payer: Payer;
  /** Aborts when the job is cancelled or the runner stops. */
  readonly signal: AbortSignal;
}

export interface RunnerOptions {
  readonly store: JobStore;
  /** Has one item judged; must not throw. */
  readonly judge: (item: ItemCall) => Promise<ItemOutcome>;
  /** Items at once: as many as there are slots. */
  readonly atOnce: number;
  readonly clock: Clock;
  /** Ended jobs are kept for so long, ms. */
  readonly keptMs: number;
  /** The store failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 500;
/** Where nobody says that there is work: of other replicas, or whose lease has run out. */
const LOOK_MS = 500;
const ERROR_MS = 2000;
/** A tenant's limit, or the queue, is looked at again after this at most. */
const PAUSE_MAX_MS = 10_000;
const SWEEP_MS = 600_000;
/** No body takes so long to come: whoever took it in is dead, ms. */
const RECEIVING_MS = 3_600_000;

export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #underWay = new Map<Claim, AbortController>();
  readonly #timers = new Set<Timer>();
  /** Tenants whose work has to wait, and until when: nothing of theirs is claimed meanwhile. */
  readonly #paused = new Map<string, number>();
  #bell = Promise.withResolvers<void>();
  #stopped = false;
  #loop: Promise<void> | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Begins; the work goes on until `stop`. */
  start(): void {
    if (this.#stopped) return;
    this.#loop ??= this.#work();
    this.#every(LEASE_MS / 3, async () => {
      if (this.#underWay.size > 0) await this.#options.store.renew([...this.#underWay.keys()]);
    });
    this.#every(SWEEP_MS, () => this.#sweep());
    void this.#sweep().catch(this.#options.onError);
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** There may be something to do. */
  wake(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  /** Stops what is under way of a job that was cancelled. */
  abandon(job: string): void {
    for (const [claim, controller] of this.#underWay) if (claim.job === job) controller.abort();
  }

  async #sweep(): Promise<void> {
    const { store, clock, keptMs } = this.#options;
    const now = clock.date().getTime();
    await store.sweep({ ended: now - keptMs, begun: now - RECEIVING_MS });
  }

  /** Begins nothing more, gives back what is under way, and resolves when that is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) timer.cancel();
    for (const controller of this.#underWay.values()) controller.abort();
    this.wake();
    await this.#loop;
    while (this.#underWay.size > 0) await this.#bell.promise;
  }

  async #work(): Promise<void> {
    const { store, clock, atOnce, onError } = this.#options;
    while (!this.#stopped) {
      if (this.#underWay.size >= atOnce) {
        await this.#bell.promise;
        continue;
      }
      const bell = this.#bell.promise;
      const claim = await store.claim({ except: this.#waiting() }).catch((error: unknown) => {
        onError(error);
        return 'broken' as const;
      });
      if (claim !== null && claim !== 'broken') {
        void this.#perform(claim);
        continue;
      }
      const waited = Promise.withResolvers<void>();
      const timer = clock.after(claim === null ? LOOK_MS : ERROR_MS, () => waited.resolve());
      await Promise.race([bell, waited.promise]);
      timer.cancel();
    }
  }

  #waiting(): ReadonlySet<string> {
    const now = this.#options.clock.now();
    for (const [tenant, until] of this.#paused) if (until <= now) this.#paused.delete(tenant);
    return new Set(this.#paused.keys());
  }

  async #perform(claim: Claim): Promise<void> {
    const { store, judge, onError } = this.#options;
    const controller = new AbortController();
    this.#underWay.set(claim, controller);
    // It may have been claimed while the runner stopped.
    if (this.#stopped) controller.abort();
    try {
      const { body, line, payer } = claim;
      const outcome = await judge({ body, line, payer, signal: controller.signal });
      if (outcome.kind === 'later' || controller.signal.aborted) {
        const delayMs = outcome.kind === 'later' && !this.#stopped ? outcome.delayMs : 0;
        if (delayMs > 0) {
          const until = this.#options.clock.now() + Math.min(delayMs, PAUSE_MAX_MS);
          this.#paused.set(claim.payer.tenant, until);
        }
        await store.putBack(claim, { delayMs, isFault: false });
      } else if (claim.faults + 1 < TRIES[outcome.retry])
        await store.putBack(claim, { delayMs: AGAIN_MS, isFault: true });
      else await store.complete(claim, outcome.result);
    } catch (error) {
      // Its lease runs out, and it is judged again.
      onError(error);
    } finally {
      this.#underWay.delete(claim);
      this.wake();
    }
  }

  #every(ms: number, work: () => Promise<void>): void {
    const { clock, onError } = this.#options;
    const arm = (): void => {
      if (this.#stopped) return;
      const timer = clock.after(ms, () => {
        this.#timers.delete(timer);
        void work().catch(onError).finally(arm);
      });
      this.#timers.add(timer);
    };
    arm();
  }
}
