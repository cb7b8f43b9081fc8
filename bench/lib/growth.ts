/** Whether a series of figures grows: after the warm-up, the median of the last part against that of the first. Pure. */
import { median } from './quantiles.ts';
import type { Check } from './scenario.ts';

/** The share of a series that its two ends are made of. */
const END_SHARE = 0.2;

export interface Growth {
  readonly from: number;
  readonly to: number;
  /** (to − from) / from. */
  readonly ratio: number;
}

/** `series` starts after the warm-up. Throws RangeError when it is empty. */
export function growthOf(series: readonly number[]): Growth {
  const size = Math.max(1, Math.floor(series.length * END_SHARE));
  const from = median(series.slice(0, size));
  const to = median(series.slice(-size));
  return { from, to, ratio: from === 0 ? (to === 0 ? 0 : Infinity) : (to - from) / from };
}

/** A check that a count does not grow at all. */
export function noGrowthCheck(
  what: string,
  series: readonly number[],
  show: (value: number) => string,
): Check {
  const { from, to } = growthOf(series);
  return { what, target: 'no growth', measured: `${show(from)} → ${show(to)}`, ok: to <= from };
}

export interface SmallGrowth {
  /** Largest growth, a share. */
  readonly limit: number;
  readonly show: (value: number) => string;
}

/** A check that an amount grows by less than a share of it. */
export function smallGrowthCheck(
  what: string,
  series: readonly number[],
  { limit, show }: SmallGrowth,
): Check {
  const { from, to, ratio } = growthOf(series);
  return {
    what,
    target: `growth < ${limit * 100} %`,
    measured: `${(ratio * 100).toFixed(1)} % (${show(from)} → ${show(to)})`,
    ok: ratio < limit,
  };
}

export function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 22 ? 3 : 1)} MiB`;
}
