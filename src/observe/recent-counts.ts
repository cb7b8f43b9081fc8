/**
 * Counts by a name that callers bring along, such as a tenant's: those of the names seen last, the rest summed up, so that
 * neither memory nor the number of series grows with the number of names.
 */

/** What the names that were not seen lately have in common. */
const OTHERS = 'other';

export class RecentCounts<Kind extends string> {
  readonly #namesMax: number;
  /** The name seen longest ago first. */
  readonly #counts = new Map<string, Map<Kind, number>>();
  readonly #others = new Map<Kind, number>();

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  /** Counts one. A name beyond the maximum takes the place of the one seen longest ago, whose counts join the others'. */
  add(name: string, kind: Kind): void {
    if (name === OTHERS) return increase(this.#others, kind, 1);
    const counts = this.#counts.get(name) ?? new Map<Kind, number>();
    this.#counts.delete(name);
    this.#counts.set(name, counts);
    increase(counts, kind, 1);
    if (this.#counts.size > this.#namesMax) this.#forgetOldest();
  }

  /** What was counted, `other` last and only if there are any: the sum over all is everything that was ever added. */
  entries(): { readonly name: string; readonly kind: Kind; readonly count: number }[] {
    const all = [
      ...this.#counts,
      ...(this.#others.size > 0 ? [[OTHERS, this.#others] as const] : []),
    ];
    return all.flatMap(([name, counts]) =>
      [...counts].map(([kind, count]) => ({ name, kind, count })),
    );
  }

  #forgetOldest(): void {
    const [oldest] = this.#counts;
    if (oldest === undefined) return;
    const [name, counts] = oldest;
    this.#counts.delete(name);
    for (const [kind, count] of counts) increase(this.#others, kind, count);
  }
}

function increase<Kind>(counts: Map<Kind, number>, kind: Kind, by: number): void {
  counts.set(kind, (counts.get(kind) ?? 0) + by);
}
