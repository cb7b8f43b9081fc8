/** Bytes that are kept for a while under a key: a port, and its embedded default in the memory of this process. */
import type { Clock } from './clock.ts';

export interface Kept {
  /** Null where there is nothing, or nothing any more. */
  get(key: string): Promise<Uint8Array | null>;
  /** Replaces what is there. What is too large is not kept. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  stats(): KeptStats;
}

export interface KeptStats {
  readonly entries: number;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly evicted: number;
}

interface MemoryKeptOptions {
  readonly bytesMax: number;
  /** How long something is kept at most, ms. */
  readonly ttlMs: number;
  readonly clock: Clock;
}

/** Of the room that one entry may take. */
const ENTRY_SHARE = 1 / 8;

/** Whether one entry of so many bytes may be kept within so many. */
export function mayBeKept(bytes: number, bytesMax: number): boolean {
  return bytes <= bytesMax * ENTRY_SHARE;
}

/** What an entry takes beside its bytes and key, about. */
const OVERHEAD_BYTES = 200;

interface Entry {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly until: number;
}

/** Within `bytesMax`, keys included; what was not asked for longest goes first. */
export class MemoryKept implements Kept {
  readonly #options: MemoryKeptOptions;
  /** In the order of last use. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #evicted = 0;

  constructor(options: MemoryKeptOptions) {
    this.#options = options;
  }

  async get(key: string): Promise<Uint8Array | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    if (entry.until <= this.#options.clock.now()) {
      this.#bytes -= entry.size;
      return null;
    }
    this.#entries.set(key, entry);
    return entry.bytes;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const { bytesMax, ttlMs, clock } = this.#options;
    const size = bytes.byteLength + key.length + OVERHEAD_BYTES;
    this.#drop(key);
    if (!mayBeKept(size, bytesMax)) return;
    this.#entries.set(key, { bytes, size, until: clock.now() + ttlMs });
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= bytesMax) return;
      this.#drop(oldest);
      this.#evicted += 1;
    }
  }

  stats(): KeptStats {
    const { bytesMax } = this.#options;
    return { entries: this.#entries.size, bytes: this.#bytes, bytesMax, evicted: this.#evicted };
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
