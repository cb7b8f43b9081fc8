/** Nearest-rank quantiles over a bounded window. */
import { describe, expect, it } from 'vitest';

import { QuantileWindow } from './quantiles.ts';

describe('QuantileWindow', () => {
  it('has no summary before the first value', () => {
    expect(new QuantileWindow().summary()).toBeNull();
  });

  it('gives nearest-rank quantiles', () => {
    const window = new QuantileWindow(200);
    for (let value = 1; value <= 100; value += 1) window.add(value);
    expect(window.summary()).toEqual({ p50: 50, p95: 95, p99: 99 });
  });

  it('forgets what is older than its size', () => {
    const window = new QuantileWindow(2);
    for (const value of [1000, 1, 2]) window.add(value);
    expect(window.summary()).toEqual({ p50: 1, p95: 2, p99: 2 });
  });
});
