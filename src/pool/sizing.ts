/**
 * How many jails an environment should have: from what was asked for in the recent past to a number. Deterministic; time
 * comes in as an argument, and memory is bounded whatever is asked.
 */

export interface SizingRules {
  /** Jails held without any demand. */
  readonly least: number;
  /** Never more than this. */
  readonly most: number;
  /** One jail is held for so long after the last demand, even if `least` is 0, ms. */
  readonly keepMs: number;
}

/** An acquisition. */
export interface Demand {
  /** Leases held and waited for, this one included. */
  readonly inUse: number;
  /** Whether a jail was ready. */
  readonly isHit: boolean;
  /** Whether the first jails are still to be made, or more are: then a miss does not tell that they are too few. */
  readonly isGrowing?: boolean;
}

/** Growth factor over the recent peak and the hit rate below which one more is added (design: pools size themselves). */
export const HEADROOM = 1.2;
export const HIT_RATE_MIN = 0.8;
/** What is recent, ms; and in how many steps it is forgotten. */
export const WINDOW_MS = 60_000;
const STEPS = 6;
const STEP_MS = WINDOW_MS / STEPS;
/** A jail takes some time to be of use; until then another one for the same misses would be one too many, ms. */
export const GROW_PAUSE_MS = 1000;

interface Step {
  readonly start: number;
  peak: number;
  hits: number;
  misses: number;
}

export class Sizer {
  readonly #rules: SizingRules;
  /** Oldest first, at most `STEPS` and the present one. */
  #steps: Step[] = [];
  /** When one more was added for misses, oldest first; each counts as long as the window. */
  #growths: number[] = [];
  #missesSinceGrowth = 0;
  #lastDemand = Number.NEGATIVE_INFINITY;

  constructor(rules: SizingRules) {
    this.#rules = rules;
  }

  /** Notes an acquisition. */
  note(now: number, { inUse, isHit, isGrowing = false }: Demand): void {
    const step = this.#step(now, inUse);
    if (isHit) step.hits += 1;
    else step.misses += 1;
    if (!isHit && !isGrowing) this.#missesSinceGrowth += 1;
    this.#lastDemand = now;
    const rate = this.hitRate(now) ?? 1;
    const last = this.#growths.at(-1) ?? Number.NEGATIVE_INFINITY;
    const isDue = this.#missesSinceGrowth > 0 && now - last >= GROW_PAUSE_MS;
    if (rate >= HIT_RATE_MIN || !isDue || this.#growths.length >= this.#rules.most) return;
    this.#growths.push(now);
    this.#missesSinceGrowth = 0;
  }

  /** Share of recent acquisitions that found a jail ready, 0 … 1; null without any. */
  hitRate(now: number): number | null {
    this.#forget(now);
    const hits = this.#steps.reduce((sum, step) => sum + step.hits, 0);
    const misses = this.#steps.reduce((sum, step) => sum + step.misses, 0);
    return hits + misses === 0 ? null : hits / (hits + misses);
  }

  /**
   * Jails to hold now, with `inUse` leases held and waited for: 1.2 × the recent peak, and one more for each time that too
   * many acquisitions missed; within `least` and `most`.
   */
  target(now: number, inUse: number): number {
    this.#step(now, inUse);
    const peak = Math.max(...this.#steps.map((step) => step.peak));
    const wanted = Math.ceil(HEADROOM * peak) + this.#growths.length;
    const kept = now - this.#lastDemand < this.#rules.keepMs ? 1 : 0;
    const least = Math.max(this.#rules.least, kept);
    return Math.min(Math.max(wanted, least), this.#rules.most);
  }

  /** The present step, with `inUse` in its peak. */
  #step(now: number, inUse: number): Step {
    this.#forget(now);
    const last = this.#steps.at(-1);
    if (last !== undefined && now - last.start < STEP_MS) {
      last.peak = Math.max(last.peak, inUse);
      return last;
    }
    const step = { start: now, peak: inUse, hits: 0, misses: 0 };
    this.#steps.push(step);
    return step;
  }

  #forget(now: number): void {
    this.#steps = this.#steps.filter(({ start }) => now - start < WINDOW_MS);
    this.#growths = this.#growths.filter((at) => now - at < WINDOW_MS);
  }
}
