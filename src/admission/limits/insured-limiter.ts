/**
 * A limiter that others share, insured by one of this process: where the first does not answer, the second counts, so that
 * limits are neither open nor in anybody's way. After a failure the first is left alone for a while, so that a store that
 * hangs costs one call in that time and not each.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Limiter, Passage, Renewal, Spent, Taken } from './limiter.ts';

/** Between two tries of a limiter that failed, ms. */
const PAUSE_MS = 1000;

interface InsuredOptions {
  /** Calls end by themselves within a bounded time. */
  readonly shared: Limiter;
  readonly own: Limiter;
  readonly clock: Clock;
  /** Told when the shared one fails, and when it answers again. */
  readonly onChange: (isDegraded: boolean) => void;
}

export class InsuredLimiter implements Limiter {
  readonly #options: InsuredOptions;
  /** Leases that only `own` knows of. */
  readonly #insured = new Set<string>();
  /** Null while the shared one answers; else when it is tried again. */
  #pausedUntil: number | null = null;

  constructor(options: InsuredOptions) {
    this.#options = options;
  }

  /** Whether limits are counted by this process alone. */
  get isDegraded(): boolean {
    return this.#pausedUntil !== null;
  }

  async take(passage: Passage): Promise<Taken> {
    const { shared, own } = this.#options;
    const taken = await this.#try(async () => await shared.take(passage));
    if (taken !== null) return taken;
    const insured = await own.take(passage);
    if (insured.granted) this.#insured.add(passage.lease);
    return insured;
  }

  async give(passage: Passage, spent: Spent): Promise<void> {
    const { shared, own } = this.#options;
    const wasInsured = this.#insured.delete(passage.lease);
    if (wasInsured) await own.give(passage, spent);
    // Its token was not taken there.
    const isRefunded = spent.isRefunded && !wasInsured;
    const given = await this.#try(async () => {
      await shared.give(passage, { ...spent, isRefunded });
      return true;
    });
    if (given === null && !wasInsured) await own.give(passage, spent);
  }

  async renew(renewal: Renewal): Promise<void> {
    const { shared, own } = this.#options;
    const renewed = await this.#try(async () => {
      await shared.renew(renewal);
      return true;
    });
    if (renewed === null) await own.renew(renewal);
  }

  /** Null where the shared one is not asked, or failed. */
  async #try<Result>(ask: () => Promise<Result>): Promise<Result | null> {
    const { clock, onChange } = this.#options;
    if (this.#pausedUntil !== null) {
      if (clock.now() < this.#pausedUntil) return null;
      // One call tries; those that come meanwhile are counted here.
      this.#pausedUntil = clock.now() + PAUSE_MS;
    }
    try {
      const result = await ask();
      const wasDegraded = this.isDegraded;
      this.#pausedUntil = null;
      if (wasDegraded) onChange(false);
      return result;
    } catch {
      // Why is told by the connection; here it only matters that there is no answer.
      const wasDegraded = this.isDegraded;
      this.#pausedUntil = clock.now() + PAUSE_MS;
      if (!wasDegraded) onChange(true);
      return null;
    }
  }
}
