/**
 * A room that many share: so much in all, and so much of it for one, so that nobody fills it for the others. Pure; whoever
 * owns a queue, a store or a table of entries keeps the sums and asks here.
 */

export interface Room {
  /** Places, bytes or whatever is counted. */
  readonly max: number;
  /** Of it for one, 0 < … ≤ 1. */
  readonly share: number;
}

/** What is taken: by all, and by who asks. */
export interface Held {
  readonly all: number;
  readonly own: number;
}

/** Why there is no room for so much more: all is taken, or the share of who asks is; null where there is room. */
export function shortage({ max, share }: Room, { all, own }: Held, more: number): Shortage | null {
  if (all + more > max) return 'all';
  return own + more > Math.ceil(max * share) ? 'own' : null;
}
export type Shortage = 'all' | 'own';

/** Of what is bounded in several ways, as in places and bytes: that all of one is taken counts before a share. */
export function shortageOf(each: readonly (Shortage | null)[]): Shortage | null {
  if (each.includes('all')) return 'all';
  return each.includes('own') ? 'own' : null;
}

/** What each takes of a room; those that take nothing are forgotten. */
export class Shares {
  readonly #own = new Map<string, number>();
  #all = 0;

  get all(): number {
    return this.#all;
  }

  held(who: string): Held {
    return { all: this.#all, own: this.#own.get(who) ?? 0 };
  }

  /** Takes so much more, or less. */
  add(who: string, more: number): void {
    const own = (this.#own.get(who) ?? 0) + more;
    this.#all += more;
    if (own === 0) this.#own.delete(who);
    else this.#own.set(who, own);
  }
}
