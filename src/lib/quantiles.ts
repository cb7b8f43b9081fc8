/** Quantiles over a sliding window of the last observations, in bounded memory. */

export interface QuantileSummary {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export class QuantileWindow {
  readonly #values: Float64Array;
  #count = 0;

  /** `size` is the number of observations remembered. */
  constructor(size = 1024) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count += 1;
  }

  /** Nearest-rank quantiles, or null before the first observation. */
  summary(): QuantileSummary | null {
    const size = Math.min(this.#count, this.#values.length);
    if (size === 0) return null;
    const sorted = this.#values.slice(0, size).toSorted();
    const at = (q: number): number => sorted[Math.min(size - 1, Math.ceil(q * size) - 1)] ?? 0;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}
