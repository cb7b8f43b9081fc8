/** Quantiles of everything observed, and of ratios over repeats. Pure. */

export interface Summary {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest-rank quantiles. Throws RangeError for an empty list: nothing measured is not zero. */
export function summarise(values: readonly number[]): Summary {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? 0;
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    min: at(0),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  };
}

export function median(values: readonly number[]): number {
  return summarise(values).p50;
}

/** `1.82 (1.74 … 1.97)`: the median over repeats, the least and the largest. */
export function spread(values: readonly number[], digits = 2): string {
  const { min, p50, max } = summarise(values);
  return `${p50.toFixed(digits)} (${min.toFixed(digits)} … ${max.toFixed(digits)})`;
}

/** The cells of a row: p50, p95 and p99 with a unit. */
export function quantileCells(
  values: readonly number[],
  unit: string,
  digits = 2,
): Record<string, string> {
  const { p50, p95, p99 } = summarise(values);
  const text = (value: number): string => `${value.toFixed(digits)} ${unit}`;
  return { p50: text(p50), p95: text(p95), p99: text(p99) };
}
