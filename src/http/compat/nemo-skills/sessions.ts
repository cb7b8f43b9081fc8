/**
 * Sessions of cells by the names that callers give them: the cells that came to their end, with what each showed. Texts
 * only: no process is held while the owner of a session thinks, and the next call runs them again. Bounded in number, bytes
 * and time, and of one tenant by a share of both, so that it does not make the others' sessions be forgotten; calls of one
 * session take turns.
 */
import type { Clock } from '../../../lib/clock.ts';
import { shortage, Shares, type Shortage } from '../../../lib/room.ts';

interface SessionBounds {
  readonly sessionsMax: number;
  /** Of all texts. */
  readonly bytesMax: number;
  /** Of both for one tenant, 0 < … ≤ 1. */
  readonly tenantShare: number;
  readonly cellsMax: number;
  /** Calls that wait for their turn, of one session. */
  readonly waitingMax: number;
  /** From its last call, ms. */
  readonly idleMs: number;
}

const DEFAULT_SESSION_BOUNDS: SessionBounds = {
  sessionsMax: 10_000,
  bytesMax: 256 * 1024 * 1024,
  tenantShare: 0.8,
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
  readonly tenant: string;
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

/** Names are a caller's own: nobody comes to another's session by guessing its name. */
export interface SessionName {
  readonly tenant: string;
  readonly name: string;
}

export type Refusal = 'full' | 'busy';

export class Sessions {
  readonly #clock: Clock;
  readonly #bounds: SessionBounds;
  /** By name, the one that was used longest ago first. */
  readonly #sessions = new Map<string, Session>();
  readonly #count = new Shares();
  readonly #bytes = new Shares();

  constructor(clock: Clock, bounds: SessionBounds = DEFAULT_SESSION_BOUNDS) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Does `work` when the calls before it have ended. `full`: it has all cells that it may; `busy`: too many wait. */
  async inTurn<Result>(
    owned: SessionName,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const name = keyOf(owned);
    const { session, isNew } = this.#use(name, owned.tenant);
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
  get(name: SessionName): { readonly created: Date; readonly lastUsed: Date } | null {
    this.#forget();
    return this.#sessions.get(keyOf(name)) ?? null;
  }

  /** Whether there was one. A call that has its turn goes on, for nothing. */
  delete(name: SessionName): boolean {
    this.#forget();
    return this.#drop(keyOf(name));
  }

  #use(name: string, tenant: string): { readonly session: Session; readonly isNew: boolean } {
    this.#forget();
    const found = this.#sessions.get(name);
    const now = this.#clock.date();
    const session = found ?? {
      ...{ tenant, cells: [], created: now, bytes: 0, waiting: 0 },
      ...{ lastUsed: now, until: 0, turn: Promise.resolve() },
    };
    session.lastUsed = now;
    session.until = this.#clock.now() + this.#bounds.idleMs;
    // Behind those that were used before.
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    if (found === undefined) this.#count.add(tenant, 1);
    this.#forget();
    this.#forgetOf(tenant);
    return { session, isNew: found === undefined };
  }

  #keep(name: string, session: Session, cell: KeptCell): void {
    session.cells.push(cell);
    // It may have been deleted, or forgotten, meanwhile.
    if (this.#sessions.get(name) !== session) return;
    const bytes = Buffer.byteLength(cell.code) + CELL_BYTES;
    session.bytes += bytes;
    this.#bytes.add(session.tenant, bytes);
    this.#forget();
    this.#forgetOf(session.tenant);
  }

  /** Those that were used longest ago go first, until those that stay are within the bounds. */
  #forget(): void {
    const now = this.#clock.now();
    for (const [name, { until, tenant }] of this.#sessions) {
      if (until > now && !this.#isOver(tenant, 'all')) return;
      this.#drop(name);
    }
  }

  /** Of one that has more than its share, those that it used longest ago. */
  #forgetOf(tenant: string): void {
    if (!this.#isOver(tenant, 'own')) return;
    for (const [name, session] of this.#sessions) {
      if (session.tenant !== tenant) continue;
      this.#drop(name);
      if (!this.#isOver(tenant, 'own')) return;
    }
  }

  #isOver(tenant: string, by: Shortage): boolean {
    const { sessionsMax, bytesMax, tenantShare: share } = this.#bounds;
    return (
      shortage({ max: sessionsMax, share }, this.#count.held(tenant), 0) === by ||
      shortage({ max: bytesMax, share }, this.#bytes.held(tenant), 0) === by
    );
  }

  #drop(name: string): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    this.#sessions.delete(name);
    this.#count.add(session.tenant, -1);
    this.#bytes.add(session.tenant, -session.bytes);
    session.bytes = 0;
    return true;
  }
}

function keyOf({ tenant, name }: SessionName): string {
  return JSON.stringify([tenant, name]);
}
