/**
 * The memory that all jails together may take: what idle ones hold, as measured, and the limits of the runs under way.
 * Never more than the capacity is given out, but for one run alone, which could otherwise never start. Knows nothing of
 * jails; who holds idle memory can be asked to give it up.
 */

/** Memory given out. `release` is idempotent. */
export interface MemoryHold {
  /** What was estimated has been measured. */
  resize(bytes: number): void;
  release(): void;
}

export interface MemoryBudgetStats {
  readonly capacityBytes: number;
  /** Of jails, whether leased or not: what they hold without a run. */
  readonly idleBytes: number;
  /** Limits of runs under way. */
  readonly busyBytes: number;
  /** Submissions that wait for memory now. */
  readonly waiting: number;
  /** Jails that were not made ahead for want of memory. */
  readonly refused: number;
  /** Idle jails that were given up for others. */
  readonly reclaimed: number;
}

/** Who holds idle memory that others may need more. */
export interface Reclaimable {
  /** Since when what `giveUp` would give up is not used, ms of the clock; null when there is nothing. */
  idleSince(): number | null;
  giveUp(): void;
}

interface Waiter {
  readonly bytes: number;
  readonly grant: (hold: MemoryHold) => void;
}

type Kind = 'idle' | 'busy';

export class MemoryBudget {
  readonly #capacityBytes: number;
  readonly #held: Record<Kind, number> = { idle: 0, busy: 0 };
  readonly #holders = new Set<Reclaimable>();
  /** First come, first served; bounded by the slots, each of which waits for one. */
  readonly #waiters = new Set<Waiter>();
  #runs = 0;
  /** While it looks for room nothing is made ahead, and what is freed is not given out. */
  #isReclaiming = false;
  #refused = 0;
  #reclaimed = 0;

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes;
  }

  /** Who is longest without use is asked first when memory is short. */
  join(holder: Reclaimable): void {
    this.#holders.add(holder);
  }

  leave(holder: Reclaimable): void {
    this.#holders.delete(holder);
  }

  /** Memory of a jail that somebody waits for, whose run has been granted already. */
  holdIdle(bytes: number): MemoryHold {
    return this.#give('idle', bytes);
  }

  /** Memory of a jail made ahead of need; null when there is none left. */
  tryIdle(bytes: number): MemoryHold | null {
    const isFree = this.#waiters.size === 0 && !this.#isReclaiming;
    if (isFree && this.#fits(bytes)) return this.#give('idle', bytes);
    this.#refused += 1;
    return null;
  }

  /** Memory of a run that can do without; null when there is none left. */
  tryBusy(bytes: number): MemoryHold | null {
    return this.#waiters.size === 0 && this.#fits(bytes) ? this.#give('busy', bytes) : null;
  }

  /** Memory of a run where it fits or idle jails can be given up for it; null where other runs have to end first. */
  busyNow(bytes: number): MemoryHold | null {
    if (this.#waiters.size > 0 || !this.#makesRoom(bytes)) return null;
    return this.#give('busy', bytes);
  }

  /** Memory of a run: at once, or when other runs have ended. Throws the signal's reason. */
  async busy(bytes: number, signal: AbortSignal): Promise<MemoryHold> {
    signal.throwIfAborted();
    const now = this.busyNow(bytes);
    if (now !== null) return now;
    const { promise, resolve, reject } = Promise.withResolvers<MemoryHold>();
    const waiter = { bytes, grant: resolve };
    const leave = (): void => {
      this.#waiters.delete(waiter);
      reject(signal.reason);
      this.#serve();
    };
    this.#waiters.add(waiter);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  stats(): MemoryBudgetStats {
    return {
      capacityBytes: this.#capacityBytes,
      idleBytes: this.#held.idle,
      busyBytes: this.#held.busy,
      waiting: this.#waiters.size,
      refused: this.#refused,
      reclaimed: this.#reclaimed,
    };
  }

  #fits(bytes: number): boolean {
    return this.#held.idle + this.#held.busy + bytes <= this.#capacityBytes;
  }

  /** Whether it fits, after idle jails were given up if need be; a run alone always does. */
  #makesRoom(bytes: number): boolean {
    this.#isReclaiming = true;
    for (let least = this.#longestIdle(); least !== null && !this.#fits(bytes);) {
      least.giveUp();
      this.#reclaimed += 1;
      least = this.#longestIdle();
    }
    this.#isReclaiming = false;
    return this.#fits(bytes) || this.#runs === 0;
  }

  #longestIdle(): Reclaimable | null {
    let longest: { readonly holder: Reclaimable; readonly since: number } | null = null;
    for (const holder of this.#holders) {
      const since = holder.idleSince();
      if (since !== null && (longest === null || since < longest.since))
        longest = { holder, since };
    }
    return longest?.holder ?? null;
  }

  #give(kind: Kind, bytes: number): MemoryHold {
    let size = bytes;
    let isHeld = true;
    this.#held[kind] += size;
    if (kind === 'busy') this.#runs += 1;
    return {
      resize: (now) => {
        if (!isHeld) return;
        this.#held[kind] += now - size;
        const isLess = now < size;
        size = now;
        if (isLess) this.#serve();
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#held[kind] -= size;
        if (kind === 'busy') this.#runs -= 1;
        this.#serve();
      },
    };
  }

  #serve(): void {
    if (this.#isReclaiming) return;
    for (const waiter of this.#waiters) {
      if (!this.#makesRoom(waiter.bytes)) return;
      this.#waiters.delete(waiter);
      waiter.grant(this.#give('busy', waiter.bytes));
    }
  }
}
