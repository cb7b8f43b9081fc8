/**
 * Submissions by token, for as long as somebody may ask: in memory, bounded in number, bytes and time. What runs is bounded
 * apart from what has ended, so that results that nobody fetches keep no submission away.
 */
import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../lib/clock.ts';
import { EMPTY, STATUS, type Result, type Submitted } from './result.ts';

interface TokenBounds {
  readonly pendingMax: number;
  /** Of the requests that are pending. */
  readonly pendingMaxBytes: number;
  readonly finishedMax: number;
  /** Of their outputs. */
  readonly finishedMaxBytes: number;
  /** For so long a result can be asked for, ms. */
  readonly keptMs: number;
}

const MIB = 1024 * 1024;

const DEFAULT_TOKEN_BOUNDS: TokenBounds = {
  pendingMax: 1000,
  pendingMaxBytes: 256 * MIB,
  finishedMax: 10_000,
  finishedMaxBytes: 128 * MIB,
  keptMs: 600_000,
};

/** A submission that has a place. */
export interface Pending {
  readonly token: string;
  begun(): void;
  /** Once. The result may be gone at once where it is larger than all that is kept. */
  finish(result: Result): Submitted;
}

interface Entry {
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
  readonly #pending = { count: 0, bytes: 0 };
  readonly #finished = { count: 0, bytes: 0 };

  constructor(clock: Clock, bounds: TokenBounds = DEFAULT_TOKEN_BOUNDS) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** A place for a submission of a request of so many bytes; null where there is none. */
  open(languageId: number, bytes: number): Pending | null {
    const { pendingMax, pendingMaxBytes } = this.#bounds;
    const isFull =
      this.#pending.count >= pendingMax || this.#pending.bytes + bytes > pendingMaxBytes;
    if (isFull) return null;
    this.#pending.count += 1;
    this.#pending.bytes += bytes;
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
    this.#pending.count -= 1;
    this.#pending.bytes -= entry.bytes;
    const finishedAt = this.#clock.date().toISOString();
    entry.submitted = { ...entry.submitted, finishedAt, result };
    entry.until = this.#clock.now() + this.#bounds.keptMs;
    entry.bytes = sizeOf(result);
    this.#finished.count += 1;
    this.#finished.bytes += entry.bytes;
    // Behind those that ended before.
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    this.#forget();
    return entry.submitted;
  }

  /** The oldest results go first, until those that stay are within the bounds. */
  #forget(): void {
    const { finishedMax, finishedMaxBytes } = this.#bounds;
    const now = this.#clock.now();
    for (const [token, { until, bytes }] of this.#entries) {
      if (until === null) continue;
      const isOver = this.#finished.count > finishedMax || this.#finished.bytes > finishedMaxBytes;
      if (until > now && !isOver) return;
      this.#entries.delete(token);
      this.#finished.count -= 1;
      this.#finished.bytes -= bytes;
    }
  }
}

function sizeOf({ stdout, stderr, compileOutput }: Result): number {
  return [stdout, stderr, compileOutput].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
}
