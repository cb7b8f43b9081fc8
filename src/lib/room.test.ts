/** Rooms that many share: the bound of all, the bound of one, at the edge of each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shortage, shortageOf, Shares } from './room.ts';

describe('a room', () => {
  const room = { max: 10, share: 0.75 };
  it.each([
    [{ all: 0, own: 0 }, 8, null],
    [{ all: 0, own: 0 }, 9, 'own'],
    [{ all: 2, own: 0 }, 8, null],
    [{ all: 3, own: 0 }, 8, 'all'],
    [{ all: 8, own: 8 }, 1, 'own'],
    [{ all: 9, own: 1 }, 1, null],
    [{ all: 10, own: 2 }, 1, 'all'],
    [{ all: 10, own: 8 }, 0, null],
  ] as const)('held %o and %i more: %s', (held, more, why) => {
    expect(shortage(room, held, more)).toBe(why);
  });

  it.each([
    [[null, null], null],
    [[null, 'own'], 'own'],
    [['own', 'all'], 'all'],
    [['all', null], 'all'],
  ] as const)('is short of %o for %s', (each, why) => {
    expect(shortageOf(each)).toBe(why);
  });

  it('has place for another whatever one tenant has taken, and never more than there is', () => {
    const asks = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 4 })));
    fc.assert(
      fc.property(asks, (all) => {
        const shares = new Shares();
        for (const [who, more] of all)
          if (shortage(room, shares.held(who), more) === null) shares.add(who, more);
        expect(shares.all).toBeLessThanOrEqual(room.max);
        for (const who of ['a', 'b', 'c'])
          expect(shares.held(who).own).toBeLessThanOrEqual(Math.ceil(room.max * room.share));
      }),
    );
  });

  it('forgets who takes nothing', () => {
    const shares = new Shares();
    shares.add('a', 3);
    shares.add('b', 2);
    shares.add('a', -3);
    expect(shares.held('a')).toEqual({ all: 2, own: 0 });
  });
});
