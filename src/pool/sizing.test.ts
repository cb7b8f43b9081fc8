/** How many jails are held for which demand. */
import { describe, expect, it } from 'vitest';

import { desiredJails } from './sizing.ts';

describe('desiredJails', () => {
  it.each([
    [{ recentPeak: 0, warmHitRate: null, current: 0, slots: 2 }, 1, 'one ahead of need'],
    [{ recentPeak: 5, warmHitRate: 1, current: 6, slots: 16 }, 6, '1.2 times the peak'],
    [{ recentPeak: 2, warmHitRate: 0.5, current: 4, slots: 16 }, 5, 'one more when too many miss'],
    [{ recentPeak: 2, warmHitRate: 0.1, current: 3, slots: 2 }, 3, 'one spare beyond the slots'],
    [{ recentPeak: 9, warmHitRate: 1, current: 9, slots: 4 }, 5, 'never more than that'],
  ])('%o → %i: %s', (facts, wanted, _why) => {
    expect(desiredJails(facts)).toBe(wanted);
  });
});
