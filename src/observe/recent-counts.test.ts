/** Which names keep counts of their own, and that none is lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RecentCounts } from './recent-counts.ts';

describe('RecentCounts', () => {
  it('keeps the names seen last and sums up the others', () => {
    const counts = new RecentCounts<'passed' | 'failed'>(2);
    counts.add('a', 'passed');
    counts.add('b', 'passed');
    counts.add('a', 'failed');
    counts.add('c', 'failed');
    expect(counts.entries()).toEqual([
      { name: 'a', kind: 'passed', count: 1 },
      { name: 'a', kind: 'failed', count: 1 },
      { name: 'c', kind: 'failed', count: 1 },
      { name: 'other', kind: 'passed', count: 1 },
    ]);
  });

  it('counts a caller who calls itself other among the others', () => {
    const counts = new RecentCounts<'passed'>(1);
    counts.add('other', 'passed');
    expect(counts.entries()).toEqual([{ name: 'other', kind: 'passed', count: 1 }]);
  });

  it('loses nothing and has no more names than it may', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'other');
    const kind = fc.constantFrom('passed' as const, 'failed' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, kind)), fc.integer({ min: 1, max: 4 }), (all, most) => {
        const counts = new RecentCounts<'passed' | 'failed'>(most);
        for (const [who, what] of all) counts.add(who, what);
        const entries = counts.entries();
        const names = new Set(
          entries.map((entry) => entry.name).filter((each) => each !== 'other'),
        );
        expect(names.size).toBeLessThanOrEqual(most);
        for (const each of ['passed', 'failed'] as const) {
          const sum = entries
            .filter((entry) => entry.kind === each)
            .reduce((a, b) => a + b.count, 0);
          expect(sum).toBe(all.filter(([, what]) => what === each).length);
        }
      }),
    );
  });
});
