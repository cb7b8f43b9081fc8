/**
 * Sessions of cells by the names that callers give them: the cells that came to their end, with what each showed. Texts
 * only: no process is held while the owner of a session thinks, and the next call runs them again. Bounded in number, bytes
 * and time; calls of one session take turns.
 */
import type { Clock } from '../../../lib/clock.ts';

interface SessionBounds {
  readonly sessionsMax: number;
  /** Of all texts. */
  readonly bytesMax: number;
  readonly cellsMax: number;
  /** Calls that wait for their turn, of one session. */
  readonly waitingMax: number;
  /** From its last call, ms. */
  readonly idleMs: number;
}

const DEFAULT_SESSION_BOUNDS: SessionBounds = {
  sessionsMax: 10_000,
  bytesMax: 256 * 1024 * 1024,
  cellsMax: 200,
  waitingMax: 64,
  idleMs: 3_600_000,
};

/** What a cell takes besides its text, about. */
const CELL_BYTES = 256;

export interface KeptCell {
  readonly code: string;
  readonly timeoutMs: number;
  /** Of what it showed when it was run first. */
  readonly digest: string;
}

interface Session {
  readonly cells: KeptCell[];
  readonly created: Date;
  lastUsed: Date;
  /** On the clock, when it may be forgotten. */
  until: number;
  bytes: number;
  waiting: number;
  /** Settles when the last call that has come has ended. */
  turn: Promise<unknown>;
}

/** What a call may do with its session while it has its turn. */
export interface Turn {
  readonly cells: readonly KeptCell[];
  /** Whether nothing was kept under this name when the call came. */
  readonly isNew: boolean;
  /** The session has this cell, too. */
  readonly keep: (cell: KeptCell) => void;
}

export type Refusal = 'full' | 'busy';

export class Sessions {
  readonly #clock: Clock;
  readonly #bounds: SessionBounds;
  /** By name, the one that was used longest ago first. */
  readonly #sessions = new Map<string, Session>();
  #bytes = 0;

  constructor(clock: Clock, bounds: SessionBounds = DEFAULT_SESSION_BOUNDS) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Does `work` when the calls before it have ended. `full`: it has all cells that it may; `busy`: too many wait. */
  async inTurn<Result>(
    name: string,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const { session, isNew } = this.#use(name);
    if (session.waiting >= this.#bounds.waitingMax) return 'busy';
    session.waiting += 1;
    const mine = session.turn.then(async (): Promise<Result | Refusal> => {
      if (session.cells.length >= this.#bounds.cellsMax) return 'full';
      const { cells } = session;
      return await work({ cells, isNew, keep: (cell) => this.#keep(name, session, cell) });
    });
    session.turn = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      session.waiting -= 1;
    }
  }

  /** Null for a name that is not known, or not any more. */
  get(name: string): { readonly created: Date; readonly lastUsed: Date } | null {
    this.#forget();
    return this.#sessions.get(name) ?? null;
  }

  /** Whether there was one. A call that has its turn goes on, for nothing. */
  delete(name: string): boolean {
    this.#forget();
    return this.#drop(name);
  }

  #use(name: string): { readonly session: Session; readonly isNew: boolean } {
    this.#forget();
    const found = this.#sessions.get(name);
    const now = this.#clock.date();
    const session = found ?? {
      ...{ cells: [], created: now, bytes: 0, waiting: 0 },
      ...{ lastUsed: now, until: 0, turn: Promise.resolve() },
    };
    session.lastUsed = now;
    session.until = this.#clock.now() + this.#bounds.idleMs;
    // Behind those that were used before.
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    this.#forget();
    return { session, isNew: found === undefined };
  }

  #keep(name: string, session: Session, cell: KeptCell): void {
    session.cells.push(cell);
    // It may have been deleted, or forgotten, meanwhile.
    if (this.#sessions.get(name) !== session) return;
    const bytes = Buffer.byteLength(cell.code) + CELL_BYTES;
    session.bytes += bytes;
    this.#bytes += bytes;
    this.#forget();
  }

  /** Those that were used longest ago go first, until those that stay are within the bounds. */
  #forget(): void {
    const { sessionsMax, bytesMax } = this.#bounds;
    const now = this.#clock.now();
    for (const [name, { until }] of this.#sessions) {
      const isOver = this.#sessions.size > sessionsMax || this.#bytes > bytesMax;
      if (until > now && !isOver) return;
      this.#drop(name);
    }
  }

  #drop(name: string): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    this.#sessions.delete(name);
    this.#bytes -= session.bytes;
    session.bytes = 0;
    return true;
  }
}
