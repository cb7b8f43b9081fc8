/**
 * A limiter that others share, insured by one of this process: while the first is away (`lib/presence.ts`) the second counts, so
 * that limits are neither open nor in anybody's way.
 */
import type { Presence } from '../../lib/presence.ts';
import type { Limiter, Passage, Renewal, Spent, Taken } from './limiter.ts';

interface InsuredOptions {
  /** Calls end by themselves within a bounded time. */
  readonly shared: Limiter;
  /** Whether the shared one answers. */
  readonly presence: Presence;
  readonly own: Limiter;
}

export class InsuredLimiter implements Limiter {
  readonly #options: InsuredOptions;
  /** Leases that only `own` knows of. */
  readonly #insured = new Set<string>();

  constructor(options: InsuredOptions) {
    this.#options = options;
  }

  /** Whether limits are counted by this process alone. */
  get isDegraded(): boolean {
    return this.#options.presence.isAway;
  }

  async take(passage: Passage): Promise<Taken> {
    const { shared, own, presence } = this.#options;
    const taken = await presence.tryAsk(async () => await shared.take(passage));
    if (taken !== null) return taken;
    const insured = await own.take(passage);
    if (insured.granted) this.#insured.add(passage.lease);
    return insured;
  }

  async give(passage: Passage, spent: Spent): Promise<void> {
    const { shared, own, presence } = this.#options;
    const wasInsured = this.#insured.delete(passage.lease);
    if (wasInsured) await own.give(passage, spent);
    // Its token was not taken there.
    const isRefunded = spent.isRefunded && !wasInsured;
    const given = await presence.tryAsk(async () => {
      await shared.give(passage, { ...spent, isRefunded });
      return true;
    });
    if (given === null && !wasInsured) await own.give(passage, spent);
  }

  async renew(renewal: Renewal): Promise<void> {
    const { shared, own, presence } = this.#options;
    const renewed = await presence.tryAsk(async () => {
      await shared.renew(renewal);
      return true;
    });
    if (renewed === null) await own.renew(renewal);
  }
}
