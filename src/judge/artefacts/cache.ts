/**
 * Compile once: whoever asks first for a key compiles, those who ask meanwhile wait for that one, those who ask later get
 * it from the store. Nobody ever waits for a result that is not the compiler's own word: a leader's fault, cancellation
 * or limit is the leader's alone.
 */
import { unlessAborted } from '../../lib/cancel.ts';
import { type Build, isStorable } from './entry.ts';
import type { ArtefactStore, ArtefactStoreStats } from './store.ts';

/** A build, and whether the same step would always end so. */
export interface Compiled {
  readonly build: Build;
  /** False where limits or the state of the host had a hand in it. */
  readonly isRepeatable: boolean;
}

export interface CachedBuild {
  readonly build: Build;
  /** True when this caller did not compile. */
  readonly cached: boolean;
}

export interface ArtefactCacheStats extends ArtefactStoreStats {
  /** Builds that were there. */
  readonly hits: number;
  /** Builds that another submission was just making. */
  readonly shared: number;
  /** Compile steps that had to be run. */
  readonly misses: number;
}

/** What those who wait are told. */
type Flight =
  | { readonly kind: 'build'; readonly build: Build }
  /** The step does not end the same each time: everybody compiles. */
  | { readonly kind: 'unrepeatable' }
  /** The leader's own misfortune: somebody else leads. */
  | { readonly kind: 'failed' };

export class ArtefactCache {
  readonly #store: ArtefactStore;
  /** Bounded by the number of slots: each leader holds one. */
  readonly #flights = new Map<string, Promise<Flight>>();
  #hits = 0;
  #shared = 0;
  #misses = 0;

  constructor(store: ArtefactStore) {
    this.#store = store;
  }

  /**
   * The build of a key; `compile` makes it where there is none. Throws what `compile` throws, and the signal's reason
   * when it aborts while another's build is awaited.
   */
  async build(
    key: string,
    {
      signal,
      compile,
    }: { readonly signal: AbortSignal; readonly compile: () => Promise<Compiled> },
  ): Promise<CachedBuild> {
    for (;;) {
      signal.throwIfAborted();
      const flying = this.#flights.get(key);
      if (flying === undefined) return await this.#lead(key, compile);
      const flight = await unlessAborted(flying, signal);
      if (flight.kind === 'build') {
        this.#shared += 1;
        return { build: flight.build, cached: true };
      }
      if (flight.kind === 'unrepeatable') {
        this.#misses += 1;
        return { build: (await compile()).build, cached: false };
      }
    }
  }

  stats(): ArtefactCacheStats {
    const counts = { hits: this.#hits, shared: this.#shared, misses: this.#misses };
    return { ...counts, ...this.#store.stats() };
  }

  async #lead(key: string, compile: () => Promise<Compiled>): Promise<CachedBuild> {
    const { promise, resolve } = Promise.withResolvers<Flight>();
    this.#flights.set(key, promise);
    let flight: Flight = { kind: 'failed' };
    try {
      const stored = await this.#store.get(key);
      if (stored !== null) {
        this.#hits += 1;
        flight = { kind: 'build', build: stored };
        return { build: stored, cached: true };
      }
      this.#misses += 1;
      const { build, isRepeatable } = await compile();
      flight = { kind: 'unrepeatable' };
      if (isRepeatable && isStorable(build)) {
        // Before the flight ends, or the next to ask would find neither.
        await this.#store.put(key, build);
        flight = { kind: 'build', build };
      }
      return { build, cached: false };
    } finally {
      this.#flights.delete(key);
      resolve(flight);
    }
  }
}
