/**
 * Work of which several processes may be asked for the same: one does it under a lease, the others wait for what it comes to;
 * whoever dies loses the lease, and the next that looks does the work. What is kept first counts, whoever was late with the
 * same. Where the place that they share is away, each does its own.
 */
import type { Clock } from './clock.ts';
import { unlessAborted } from './cancel.ts';
import type { Kept } from './kept.ts';

/** How long a lease holds unless it is renewed, ms: so long the work of a process that died is waited for. */
const LEASE_MS = 5000;
/** Between two looks at another's work, ms: a tenth of what was waited for so far, within these. */
const LOOK_MIN_MS = 20;
const LOOK_MAX_MS = 500;

/** Who works, and on what: another mark under the same key is other work. */
export interface Holder {
  readonly token: string;
  readonly mark: string;
}

export type Begun =
  | { readonly kind: 'mine' }
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'others'; readonly mark: string };

/** The place that processes share. Every call ends soon; null says that it is away. */
export interface SharedWork {
  /** What was kept under the key, or the lease, or whose it is. */
  begin(key: string, holder: Holder, leaseMs: number): Promise<Begun | null>;
  /** Makes a lease last that is still the holder's. */
  renew(key: string, holder: Holder, leaseMs: number): Promise<void>;
  /** Ends the lease and keeps the bytes, unless others are kept already: then those are answered. Null keeps nothing. */
  finish(key: string, holder: Holder, bytes: Uint8Array | null): Promise<Uint8Array | null>;
}

/** The place of a process that shares with nobody. */
export function unshared(kept: Kept): SharedWork {
  return {
    async begin(key) {
      const bytes = await kept.get(key);
      return bytes === null ? { kind: 'mine' } : { kind: 'done', bytes };
    },
    renew: async () => undefined,
    async finish(key, _holder, bytes) {
      if (bytes === null) return null;
      const known = await kept.get(key);
      if (known === null) await kept.put(key, bytes);
      return known;
    },
  };
}

/** What own work comes to, and what others may know of it: null where it is its own alone. */
export interface OwnWork<Value> {
  readonly value: Value;
  readonly bytes: Uint8Array | null;
}

export type Flown<Value> =
  | { readonly kind: 'own'; readonly value: Value }
  /** Another's, as it was kept. */
  | { readonly kind: 'shared'; readonly bytes: Uint8Array }
  /** Under this key other work is under way. */
  | { readonly kind: 'other' };

interface FlightOptions {
  readonly work: SharedWork;
  readonly clock: Clock;
  /** A name for who works, unique over all processes. */
  readonly createToken: () => string;
}

export interface Flight {
  readonly key: string;
  readonly mark: string;
  /** Aborts the wait for another's work; its reason is thrown. */
  readonly signal: AbortSignal;
}

export class SharedFlight {
  readonly #options: FlightOptions;

  constructor(options: FlightOptions) {
    this.#options = options;
  }

  /** Throws what `own` throws, and the signal's reason while another's work is awaited. */
  async fly<Value>(
    { key, mark, signal }: Flight,
    own: () => Promise<OwnWork<Value>>,
  ): Promise<Flown<Value>> {
    const { work, clock, createToken } = this.#options;
    const holder = { token: createToken(), mark };
    const since = clock.now();
    for (;;) {
      signal.throwIfAborted();
      const begun = await work.begin(key, holder, LEASE_MS);
      if (begun === null || begun.kind === 'mine') return await this.#lead(key, holder, own);
      if (begun.kind === 'done') return { kind: 'shared', bytes: begun.bytes };
      if (begun.mark !== mark) return { kind: 'other' };
      const lookMs = Math.max(LOOK_MIN_MS, (clock.now() - since) / 10);
      await this.#pause(Math.min(lookMs, LOOK_MAX_MS), signal);
    }
  }

  async #lead<Value>(
    key: string,
    holder: Holder,
    own: () => Promise<OwnWork<Value>>,
  ): Promise<Flown<Value>> {
    const { work } = this.#options;
    let done: OwnWork<Value> | null = null;
    const renewing = this.#renewing(key, holder);
    try {
      done = await own();
    } finally {
      renewing[Symbol.dispose]();
      if (done === null) await work.finish(key, holder, null);
    }
    const known = await work.finish(key, holder, done.bytes);
    return known === null ? { kind: 'own', value: done.value } : { kind: 'shared', bytes: known };
  }

  #renewing(key: string, holder: Holder): Disposable {
    const { work, clock } = this.#options;
    let isOver = false;
    const arm = () =>
      clock.after(LEASE_MS / 3, () => {
        void work.renew(key, holder, LEASE_MS);
        if (!isOver) timer = arm();
      });
    let timer = arm();
    return {
      [Symbol.dispose]: () => {
        isOver = true;
        timer.cancel();
      },
    };
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(ms, resolve);
    try {
      await unlessAborted(promise, signal);
    } finally {
      timer.cancel();
    }
  }
}
