/**
 * One does the work, those who ask for the same meanwhile take what it comes to. Nobody takes another's misfortune: where
 * the work fails, somebody else does it; where its result is its own alone, everybody does, or the next.
 */
import { unlessAborted } from './cancel.ts';

/**
 * What those do who asked for the same: take it; each do their own at once, as it tells of nobody else's; or have one of them do
 * it again, while the others wait for that.
 */
type ForOthers = 'take' | 'each' | 'again';

/** What work comes to. */
export interface Work<Value> {
  readonly value: Value;
  readonly forOthers: ForOthers;
}

export interface Landed<Value> {
  readonly value: Value;
  /** Whether another's work made it. */
  readonly isShared: boolean;
}

type Flight<Value> =
  | { readonly kind: 'take'; readonly value: Value }
  | { readonly kind: 'each' }
  | { readonly kind: 'again' };

export class SingleFlight<Value> {
  readonly #waitersMax: number;
  readonly #flights = new Map<string, Promise<Flight<Value>>>();
  #waiters = 0;

  /** Beyond so many who wait for others' work, everybody does their own. */
  constructor(waitersMax: number) {
    this.#waitersMax = waitersMax;
  }

  /** Throws what `work` throws, and the signal's reason when it aborts while another's work is awaited. */
  async fly(
    key: string,
    signal: AbortSignal,
    work: () => Promise<Work<Value>>,
  ): Promise<Landed<Value>> {
    for (;;) {
      signal.throwIfAborted();
      const flying = this.#flights.get(key);
      if (flying === undefined) return await this.#lead(key, work);
      const flight =
        this.#waiters < this.#waitersMax
          ? await this.#await(flying, signal)
          : ({ kind: 'each' } as const);
      if (flight.kind === 'take') return { value: flight.value, isShared: true };
      if (flight.kind === 'each') return { value: (await work()).value, isShared: false };
    }
  }

  async #await(flying: Promise<Flight<Value>>, signal: AbortSignal): Promise<Flight<Value>> {
    this.#waiters += 1;
    try {
      return await unlessAborted(flying, signal);
    } finally {
      this.#waiters -= 1;
    }
  }

  async #lead(key: string, work: () => Promise<Work<Value>>): Promise<Landed<Value>> {
    const { promise, resolve } = Promise.withResolvers<Flight<Value>>();
    this.#flights.set(key, promise);
    let flight: Flight<Value> = { kind: 'again' };
    try {
      const { value, forOthers } = await work();
      flight = { kind: forOthers, value };
      return { value, isShared: false };
    } finally {
      this.#flights.delete(key);
      resolve(flight);
    }
  }
}
