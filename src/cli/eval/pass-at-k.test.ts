/** The estimator against its definition: all subsets of k, counted one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { meanPassAtK, passAtK } from './pass-at-k.ts';

/** Share of the subsets of k among n samples (the first c are right) with a right one in them. */
function byCounting(n: number, c: number, k: number): number {
  let [all, good] = [0, 0];
  for (let subset = 0; subset < 2 ** n; subset += 1) {
    const members = Array.from({ length: n }, (_, at) => at).filter((at) => (subset >> at) & 1);
    if (members.length !== k) continue;
    all += 1;
    if (members.some((at) => at < c)) good += 1;
  }
  return good / all;
}

describe('passAtK', () => {
  it('is the share of subsets with a right sample, for all small numbers', () => {
    for (let n = 1; n <= 9; n += 1)
      for (let c = 0; c <= n; c += 1)
        for (let k = 1; k <= n; k += 1)
          expect(passAtK({ judged: n, right: c }, k), `${n} ${c} ${k}`).toBeCloseTo(
            byCounting(n, c, k),
            12,
          );
  });

  it('stays a chance that grows with k and c, however large the numbers', () => {
    const numbers = fc
      .tuple(fc.integer({ min: 2, max: 100_000 }), fc.nat(), fc.nat())
      .map(([n, c, k]) => ({ n, c: c % n, k: 1 + (k % (n - 1)) }));
    fc.assert(
      fc.property(numbers, ({ n, c, k }) => {
        const value = passAtK({ judged: n, right: c }, k);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(passAtK({ judged: n, right: c }, k + 1)).toBeGreaterThanOrEqual(value);
        expect(passAtK({ judged: n, right: c + 1 }, k)).toBeGreaterThanOrEqual(value);
      }),
      { numRuns: 50 },
    );
    expect(passAtK({ judged: 200, right: 10 }, 1)).toBeCloseTo(0.05, 12);
    expect(passAtK({ judged: 100_000, right: 1 }, 50_000)).toBeCloseTo(0.5, 9);
  });

  it.each([
    [3, 1, 4],
    [3, 4, 1],
    [3, 1, 0],
    [3, 1, 1.5],
  ])('says nothing of n %d, c %d, k %d', (judged, right, k) => {
    expect(() => passAtK({ judged, right }, k)).toThrow(RangeError);
  });
});

describe('meanPassAtK', () => {
  it('leaves out and counts problems with fewer than k judged samples', () => {
    const tallies = [
      { judged: 2, right: 1 },
      { judged: 4, right: 4 },
      { judged: 1, right: 1 },
      { judged: 0, right: 0 },
    ];
    expect(meanPassAtK(tallies, 1)).toEqual({ k: 1, value: 2.5 / 3, problems: 3, too_few: 1 });
    expect(meanPassAtK(tallies, 4)).toEqual({ k: 4, value: 1, problems: 1, too_few: 3 });
    expect(meanPassAtK(tallies, 5)).toEqual({ k: 5, value: null, problems: 0, too_few: 4 });
  });
});
