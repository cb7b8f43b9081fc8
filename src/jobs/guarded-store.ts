/**
 * A store of jobs that may be away: while it is, callers are told so at once (503 `jobs_away`) instead of held, and the
 * runner waits. Owns what is known of that; the store itself connects again on its own.
 */
import { Rejection } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { JobStore } from './store.ts';

/** Between two tries of a store that did not answer, ms. */
const PAUSE_MS = 1000;

export interface GuardedOptions {
  readonly clock: Clock;
  /** Whether there is a connection: without one nothing is asked. */
  readonly isConnected: () => boolean;
  /** Whether an error says that there was no answer; all others are the store's own. */
  readonly isAway: (error: unknown) => boolean;
  /** Told when it is away, and when it answers again. */
  readonly onChange: (isAway: boolean) => void;
}

/** Knows whether a store answers. */
export class Presence {
  readonly #options: GuardedOptions;
  /** Null while it answers; else when it is tried again. */
  #pausedUntil: number | null = null;

  constructor(options: GuardedOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#pausedUntil !== null || !this.#options.isConnected();
  }

  /** Throws Rejection `jobs_away` where nothing answers, and what the call throws of its own. */
  async ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const { clock, isConnected, isAway } = this.#options;
    if (!isConnected()) throw this.#away();
    if (this.#pausedUntil !== null) {
      if (clock.now() < this.#pausedUntil) throw this.#away();
      // One call tries.
      this.#pausedUntil = clock.now() + PAUSE_MS;
    }
    try {
      const result = await question();
      this.#here();
      return result;
    } catch (error) {
      if (isAway(error) || !isConnected()) throw this.#away(error);
      this.#here();
      throw error;
    }
  }

  #here(): void {
    if (this.#pausedUntil === null) return;
    this.#pausedUntil = null;
    this.#options.onChange(false);
  }

  #away(cause?: unknown): Rejection {
    const { clock, onChange } = this.#options;
    const wasAway = this.#pausedUntil !== null;
    this.#pausedUntil ??= clock.now() + PAUSE_MS;
    if (!wasAway) onChange(true);
    return new Rejection(
      'jobs_away',
      { detail: 'jobs are kept in Redis, which does not answer now', retryAfterMs: PAUSE_MS },
      { cause },
    );
  }
}

/** The same store, asked only while it is there. */
export function guardedStore(store: JobStore, presence: Presence): JobStore {
  return {
    create: (job) => presence.ask(() => store.create(job)),
    add: (id, items) => presence.ask(() => store.add(id, items)),
    seal: (id) => presence.ask(() => store.seal(id)),
    get: (id) => presence.ask(() => store.get(id)),
    list: (tenant) => presence.ask(() => store.list(tenant)),
    cancel: (id) => presence.ask(() => store.cancel(id)),
    remove: (id) => presence.ask(() => store.remove(id)),
    claim: (options) => presence.ask(() => store.claim(options)),
    renew: (claims) => presence.ask(() => store.renew(claims)),
    putBack: (claim, how) => presence.ask(() => store.putBack(claim, how)),
    complete: (claim, result) => presence.ask(() => store.complete(claim, result)),
    results: (id, query) => presence.ask(() => store.results(id, query)),
    bytes: (tenant) => presence.ask(() => store.bytes(tenant)),
    sweep: (before) => presence.ask(() => store.sweep(before)),
    // Whether it answers or not.
    close: () => store.close(),
  };
}
