/**
 * Submissions by token, for as long as somebody may ask: in memory, bounded in number, bytes and time. What runs is bounded
 * apart from what has ended, so that results that nobody fetches keep no submission away; and of both one tenant takes a
 * share, so that it neither keeps the others' submissions away nor makes their results be forgotten.
 */
import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../lib/clock.ts';
import { shortage, shortageOf, Shares, type Shortage } from '../../../lib/room.ts';
import { EMPTY, STATUS, type Result, type Submitted } from './result.ts';

interface TokenBounds {
  readonly pendingMax: number;
  /** Of the requests that are pending. */
  readonly pendingMaxBytes: number;
  readonly finishedMax: number;
  /** Of their outputs. */
  readonly finishedMaxBytes: number;
  /** Of each of them for one tenant, 0 < … ≤ 1. */
  readonly tenantShare: number;
  /** For so long a result can be asked for, ms. */
  readonly keptMs: number;
}

const MIB = 1024 * 1024;
/** As in the queue by default. */
const TENANT_SHARE = 0.8;

const DEFAULT_TOKEN_BOUNDS: TokenBounds = {
  pendingMax: 1000,
  pendingMaxBytes: 256 * MIB,
  finishedMax: 10_000,
  finishedMaxBytes: 128 * MIB,
  tenantShare: TENANT_SHARE,
  keptMs: 600_000,
};

interface Opening {
  readonly tenant: string;
  /** Of the request. */
  readonly bytes: number;
}

/** A submission that has a place. */
export interface Pending {
  readonly token: string;
  begun(): void;
  /** Once. The result may be gone at once where it is larger than all that is kept. */
  finish(result: Result): Submitted;
}

interface Entry {
  readonly tenant: string;
  submitted: Submitted;
  /** On the clock, when it may be forgotten; null while it is pending. */
  until: number | null;
  bytes: number;
}

export class Tokens {
  readonly #clock: Clock;
  readonly #bounds: TokenBounds;
  /** Those that have ended come in the order of their ends. */
  readonly #entries = new Map<string, Entry>();
  readonly #pending = { count: new Shares(), bytes: new Shares() };
  readonly #finished = { count: new Shares(), bytes: new Shares() };

  constructor(clock: Clock, bounds: TokenBounds = DEFAULT_TOKEN_BOUNDS) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** A place for a tenant's submission of a request of so many bytes; null where there is none. */
  open(languageId: number, { tenant, bytes }: Opening): Pending | null {
    const { pendingMax, pendingMaxBytes, tenantShare: share } = this.#bounds;
    const { count, bytes: sum } = this.#pending;
    const short = shortageOf([
      shortage({ max: pendingMax, share }, count.held(tenant), 1),
      shortage({ max: pendingMaxBytes, share }, sum.held(tenant), bytes),
    ]);
    if (short !== null) return null;
    count.add(tenant, 1);
    sum.add(tenant, bytes);
    const token = randomUUID();
    const entry: Entry = {
      submitted: {
        token,
        languageId,
        createdAt: this.#clock.date().toISOString(),
        finishedAt: null,
        result: { ...EMPTY, status: STATUS.queued },
      },
      until: null,
      tenant,
      bytes,
    };
    this.#entries.set(token, entry);
    return {
      token,
      begun: () => {
        const { submitted } = entry;
        const result = { ...EMPTY, status: STATUS.processing };
        if (entry.until === null) entry.submitted = { ...submitted, result };
      },
      finish: (result) => this.#finish(token, entry, result),
    };
  }

  /** Null for a token that is not known, or not any more. */
  get(token: string): Submitted | null {
    this.#forget();
    return this.#entries.get(token)?.submitted ?? null;
  }

  #finish(token: string, entry: Entry, result: Result): Submitted {
    const { tenant } = entry;
    this.#pending.count.add(tenant, -1);
    this.#pending.bytes.add(tenant, -entry.bytes);
    const finishedAt = this.#clock.date().toISOString();
    entry.submitted = { ...entry.submitted, finishedAt, result };
    entry.until = this.#clock.now() + this.#bounds.keptMs;
    entry.bytes = sizeOf(result);
    this.#finished.count.add(tenant, 1);
    this.#finished.bytes.add(tenant, entry.bytes);
    // Behind those that ended before.
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    this.#forget();
    if (this.#isOver(tenant) === 'own') this.#forgetOf(tenant);
    return entry.submitted;
  }

  /** The oldest results go first, until those that stay are within the bounds. */
  #forget(): void {
    const now = this.#clock.now();
    for (const [token, entry] of this.#entries) {
      if (entry.until === null) continue;
      if (entry.until > now && this.#isOver(entry.tenant) !== 'all') return;
      this.#drop(token, entry);
    }
  }

  /** The oldest results of one that has taken more than its share. */
  #forgetOf(tenant: string): void {
    for (const [token, entry] of this.#entries) {
      if (entry.until === null || entry.tenant !== tenant) continue;
      this.#drop(token, entry);
      if (this.#isOver(tenant) !== 'own') return;
    }
  }

  #isOver(tenant: string): Shortage | null {
    const { finishedMax, finishedMaxBytes, tenantShare: share } = this.#bounds;
    const { count, bytes } = this.#finished;
    return shortageOf([
      shortage({ max: finishedMax, share }, count.held(tenant), 0),
      shortage({ max: finishedMaxBytes, share }, bytes.held(tenant), 0),
    ]);
  }

  #drop(token: string, { tenant, bytes }: Entry): void {
    this.#entries.delete(token);
    this.#finished.count.add(tenant, -1);
    this.#finished.bytes.add(tenant, -bytes);
  }
}

function sizeOf({ stdout, stderr, compileOutput }: Result): number {
  return [stdout, stderr, compileOutput].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
}
