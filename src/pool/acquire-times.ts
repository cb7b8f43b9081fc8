/** How long leases were waited for, apart for those that found a jail ready and those that did not; for `/v1/stats`. */
import { QuantileWindow, type QuantileSummary } from '../lib/quantiles.ts';

/** Over the last acquisitions, ms; null before the first of a kind. */
export interface AcquireSummary {
  readonly acquireMs: QuantileSummary | null;
  readonly acquireWarmMs: QuantileSummary | null;
  readonly acquireColdMs: QuantileSummary | null;
}

export class AcquireTimes {
  readonly #all = new QuantileWindow();
  readonly #warm = new QuantileWindow();
  readonly #cold = new QuantileWindow();

  add(acquire: 'warm' | 'cold', ms: number): void {
    this.#all.add(ms);
    (acquire === 'warm' ? this.#warm : this.#cold).add(ms);
  }

  summary(): AcquireSummary {
    return {
      acquireMs: this.#all.summary(),
      acquireWarmMs: this.#warm.summary(),
      acquireColdMs: this.#cold.summary(),
    };
  }
}
