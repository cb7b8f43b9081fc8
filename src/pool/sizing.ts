/** How many jails an environment should have. Pure. */

export interface SizingFacts {
  /** Most leases held at once in the recent past. */
  readonly recentPeak: number;
  /** Share of recent acquisitions that found a jail ready, 0 … 1; null before the first. */
  readonly warmHitRate: number | null;
  /** Jails that exist or are being started. */
  readonly current: number;
  /** Leases cannot outnumber slots. */
  readonly slots: number;
}

/** Growth factor over the recent peak and the hit rate below which one more is added (design.md §7). */
const HEADROOM = 1.2;
const HIT_RATE_MIN = 0.8;

/**
 * Jails to hold: at least one ready ahead of need, 1.2 × the recent peak, one more while the warm hit rate is low,
 * never more than one per slot and one spare (which hides the reset of a jail just returned).
 */
export function desiredJails(facts: SizingFacts): number {
  const forPeak = Math.ceil(HEADROOM * facts.recentPeak);
  const isMissing = facts.warmHitRate !== null && facts.warmHitRate < HIT_RATE_MIN;
  const wanted = isMissing ? Math.max(forPeak, facts.current + 1) : forPeak;
  return Math.min(Math.max(wanted, 1), facts.slots + 1);
}
