/** Defaults, derived wall limits, clamping and what is reported of it. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA, MINIMA, resolveLimits, wallFor, type Limits } from './limits.ts';

describe('resolveLimits', () => {
  it('fills in the contract values', () => {
    const { limits, clamped } = resolveLimits({}, DEFAULT_MAXIMA);
    expect(limits).toMatchObject({
      cpuMs: 10_000,
      wallMs: 21_000,
      memoryBytes: 512 * 1024 * 1024,
      outputBytes: 16_384 * 1024,
      processes: 64,
      compileCpuMs: 30_000,
      compileWallMs: 61_000,
    });
    expect(clamped).toEqual([]);
  });

  it('derives the wall limit from the CPU limit it was asked for', () => {
    expect(resolveLimits({ cpuMs: 500 }, DEFAULT_MAXIMA).limits.wallMs).toBe(wallFor(500));
    expect(resolveLimits({ cpuMs: 500, wallMs: 700 }, DEFAULT_MAXIMA).limits.wallMs).toBe(700);
  });

  it('brings values into the range and names them', () => {
    const { limits, clamped } = resolveLimits({ cpuMs: 1e9, memoryBytes: 1 }, DEFAULT_MAXIMA);
    expect(limits.cpuMs).toBe(DEFAULT_MAXIMA.cpuMs);
    expect(limits.memoryBytes).toBe(MINIMA.memoryBytes);
    expect(clamped).toEqual(['cpuMs', 'memoryBytes']);
  });

  it('never derives a wall limit beyond the maximum, and does not call that clamped', () => {
    const maxima: Limits = { ...DEFAULT_MAXIMA, wallMs: 5000 };
    const { limits, clamped } = resolveLimits({ cpuMs: 4000 }, maxima);
    expect(limits.wallMs).toBe(5000);
    expect(clamped).toEqual([]);
  });

  it("starts a case's limits from its submission's", () => {
    const base = resolveLimits(
      { cpuMs: 2000, wallMs: 9000, memoryBytes: 64 << 20 },
      DEFAULT_MAXIMA,
    );
    const own = resolveLimits({ processes: 3 }, DEFAULT_MAXIMA, base.limits).limits;
    expect(own).toEqual({ ...base.limits, processes: 3 });
    // A new CPU limit brings its own wall limit.
    const faster = resolveLimits({ cpuMs: 100 }, DEFAULT_MAXIMA, base.limits).limits;
    expect(faster.wallMs).toBe(wallFor(100));
  });

  it.each(Object.keys(MINIMA) as (keyof Limits)[])('keeps %s at both ends of its range', (key) => {
    expect(resolveLimits({ [key]: MINIMA[key] }, DEFAULT_MAXIMA).clamped).toEqual([]);
    expect(resolveLimits({ [key]: DEFAULT_MAXIMA[key] }, DEFAULT_MAXIMA).clamped).toEqual([]);
    expect(resolveLimits({ [key]: DEFAULT_MAXIMA[key] + 1 }, DEFAULT_MAXIMA).clamped).toEqual([
      key,
    ]);
    expect(resolveLimits({ [key]: MINIMA[key] - 1 }, DEFAULT_MAXIMA).clamped).toEqual([key]);
  });
});
