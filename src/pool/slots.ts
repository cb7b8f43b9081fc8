/**
 * The jails of a pool as records: which are in what state, which is next to be leased, given up, rebuilt or measured. Starts
 * and ends none.
 */
import type { Clock } from '../lib/clock.ts';
import type { Session } from '../runner/session.ts';
import type { Jail, JailPolicy } from '../sandbox/port.ts';
import type { MemoryHold } from './memory-budget.ts';
import { nextSlotState, retireReason } from './slot.ts';
import type { RetireReason, RetireRules, SlotEvent, SlotState } from './slot.ts';

export interface Slot {
  state: SlotState;
  jail: Jail | null;
  session: Session | null;
  readonly born: number;
  leases: number;
  /** Since when it is ready. */
  idleSince: number;
  /** Another one is to take its place. */
  isStale: boolean;
  /** The jail's own memory, without runs. */
  readonly hold: MemoryHold;
  measuredAt: number;
  /** As measured; null before. */
  idleBytes: number | null;
  memoryWhenNew: number | null;
}

export interface SlotsOptions {
  readonly rules: RetireRules;
  readonly clock: Clock;
  readonly policy: JailPolicy;
}

const MIB = 1024 * 1024;
/** What a jail is thought to hold until one was measured: of a supervisor alone, with a warm runtime, of a host. */
const GUESS_BYTES = { plain: 4 * MIB, warm: 48 * MIB, host: 176 * MIB };
/** A jail is measured again after this, ms. */
const MEASURE_EVERY_MS = 60_000;

export class Slots {
  readonly #options: SlotsOptions;
  readonly #slots = new Set<Slot>();
  #lastMeasured: number | null = null;

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): IterableIterator<Slot> {
    return this.#slots.values();
  }

  add(hold: MemoryHold): Slot {
    const now = this.#options.clock.now();
    const slot: Slot = {
      state: 'starting',
      jail: null,
      session: null,
      born: now,
      leases: 0,
      idleSince: now,
      isStale: false,
      hold,
      measuredAt: Number.NEGATIVE_INFINITY,
      idleBytes: null,
      memoryWhenNew: null,
    };
    this.#slots.add(slot);
    return slot;
  }

  step(slot: Slot, event: SlotEvent): void {
    slot.state = nextSlotState(slot.state, event);
    if (slot.state === 'ready') slot.idleSince = this.#options.clock.now();
  }

  remove(slot: Slot): void {
    this.step(slot, 'retire');
    this.#slots.delete(slot);
    slot.hold.release();
  }

  count(state: SlotState): number {
    return this.#where((slot) => slot.state === state).length;
  }

  /** All but those that are to be replaced. */
  freshCount(): number {
    return this.#where((slot) => !slot.isStale).length;
  }

  /** The one to lease: that was used last, whose pages are in the caches; a stale one only where there is no other. */
  firstReady(): Slot | null {
    // A jail whose channel has ended is not gone before its last words have been read.
    const ready = this.#where(
      ({ state, session }) => state === 'ready' && session?.isOpen === true,
    );
    const fresh = ready.filter((slot) => !slot.isStale);
    return (
      (fresh.length > 0 ? fresh : ready).toSorted((a, b) => b.idleSince - a.idleSince)[0] ?? null
    );
  }

  /** What a jail will take that has to be made for the next lease: 0 where one is ready. */
  missingEstimate(): number {
    return this.firstReady() === null ? this.idleEstimate() : 0;
  }

  /** The one to give up. */
  longestReady(): Slot | null {
    const ready = this.#where(({ state }) => state === 'ready');
    return ready.toSorted((a, b) => a.idleSince - b.idleSince)[0] ?? null;
  }

  staleReady(): Slot | null {
    return this.#where(({ state, isStale }) => state === 'ready' && isStale)[0] ?? null;
  }

  /** One jail at a time is to be replaced: the one that was idle for too long. */
  markStale(): void {
    if (this.freshCount() < this.#slots.size) return;
    const slot = this.longestReady();
    const idleMs = slot === null ? 0 : this.#options.clock.now() - slot.idleSince;
    if (slot !== null && idleMs >= this.#options.rules.idleMaxMs) slot.isStale = true;
  }

  /** Why a jail that is clean is not to be used again, or null; `memoryBytes` as it reported. */
  usedUp(slot: Slot, memoryBytes: number | null): RetireReason | null {
    slot.memoryWhenNew ??= memoryBytes;
    const growth =
      memoryBytes === null || slot.memoryWhenNew === null ? null : memoryBytes - slot.memoryWhenNew;
    const ageMs = this.#options.clock.now() - slot.born;
    const history = { leases: slot.leases, ageMs, memoryGrowthBytes: growth };
    return retireReason(history, this.#options.rules) ?? (slot.isStale ? 'idle' : null);
  }

  nextToMeasure(): Slot | null {
    const due = this.#options.clock.now() - MEASURE_EVERY_MS;
    const ready = this.#where(({ state, measuredAt }) => state === 'ready' && measuredAt <= due);
    return ready.toSorted((a, b) => a.measuredAt - b.measuredAt)[0] ?? null;
  }

  /** `bytes` null: this cannot be measured. */
  noteMeasured(slot: Slot, bytes: number | null): void {
    slot.measuredAt = this.#options.clock.now();
    if (bytes === null) return;
    slot.idleBytes = bytes;
    this.#lastMeasured = bytes;
    slot.hold.resize(bytes);
  }

  /** Of those that were measured, on average; null without any. */
  measured(): number | null {
    const known = [...this.#slots].flatMap(({ idleBytes }) => idleBytes ?? []);
    if (known.length === 0) return this.#lastMeasured;
    return Math.round(known.reduce((sum, bytes) => sum + bytes, 0) / known.length);
  }

  /** What one more jail will hold. */
  idleEstimate(): number {
    const { host, warm } = this.#options.policy;
    const kind = host !== undefined ? 'host' : warm === null ? 'plain' : 'warm';
    return this.measured() ?? GUESS_BYTES[kind];
  }

  #where(test: (slot: Slot) => boolean): Slot[] {
    return [...this.#slots].filter(test);
  }
}
