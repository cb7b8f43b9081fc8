/** How many jails are held for which demand, under a time of its own: the rules one by one, and what holds for any past. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { GROW_PAUSE_MS, HEADROOM, HIT_RATE_MIN, Sizer, WINDOW_MS } from './sizing.ts';

const rules = { least: 1, most: 17, keepMs: 0 };

function aSizer(given: Partial<typeof rules> = {}): Sizer {
  return new Sizer({ ...rules, ...given });
}

describe('Sizer', () => {
  it('holds one ahead of need', () => {
    expect(aSizer().target(0, 0)).toBe(1);
    expect(aSizer().hitRate(0)).toBeNull();
  });

  it.each([
    [1, 2],
    [5, 6],
    [10, 12],
    [14, 17],
  ])('of a peak of %i holds %i', (peak, wanted) => {
    const sizer = aSizer();
    sizer.note(0, { inUse: peak, isHit: true });
    expect(sizer.target(1, 0)).toBe(wanted);
  });

  it('forgets a peak after a minute, not before', () => {
    const sizer = aSizer();
    sizer.note(0, { inUse: 10, isHit: true });
    expect(sizer.target(WINDOW_MS - 1, 0)).toBe(12);
    expect(sizer.target(WINDOW_MS, 0)).toBe(1);
  });

  it('counts a peak that lasts, though nobody acquires', () => {
    const sizer = aSizer();
    sizer.note(0, { inUse: 10, isHit: true });
    expect(sizer.target(10 * WINDOW_MS, 10)).toBe(12);
  });

  it('adds one at a time while fewer than 80 % find a jail ready', () => {
    const sizer = aSizer();
    const miss = (at: number): number => {
      sizer.note(at, { inUse: 2, isHit: false });
      return sizer.target(at, 2);
    };
    expect(miss(0)).toBe(4);
    expect(miss(GROW_PAUSE_MS - 1)).toBe(4);
    expect(miss(GROW_PAUSE_MS)).toBe(5);
    expect(sizer.target(2 * WINDOW_MS, 0)).toBe(1);
  });

  it('adds none while jails are being made', () => {
    const sizer = aSizer();
    for (let n = 0; n < 10; n += 1) {
      sizer.note(n * 2000, { inUse: 2, isHit: false, isGrowing: true });
      expect(sizer.target(n * 2000, 2)).toBe(3);
    }
    sizer.note(20_000, { inUse: 2, isHit: false });
    expect(sizer.target(20_000, 2)).toBe(4);
  });

  it('adds none while at least 80 % do', () => {
    const sizer = aSizer();
    for (let n = 0; n < 100; n += 1) sizer.note(n * 2000, { inUse: 2, isHit: n % 5 !== 4 });
    expect(sizer.hitRate(200_000)).toBeGreaterThanOrEqual(HIT_RATE_MIN);
    expect(sizer.target(200_000, 2)).toBe(3);
  });

  it('holds one of a helper for as long as it was asked for lately', () => {
    const sizer = aSizer({ least: 0, keepMs: 10 * WINDOW_MS });
    expect(sizer.target(0, 0)).toBe(0);
    sizer.note(0, { inUse: 1, isHit: true });
    expect(sizer.target(10 * WINDOW_MS - 1, 0)).toBe(1);
    expect(sizer.target(10 * WINDOW_MS, 0)).toBe(0);
  });
});

const past = fc.array(
  fc.record({
    waitMs: fc.integer({ min: 0, max: WINDOW_MS }),
    inUse: fc.integer({ min: 0, max: 30 }),
    isHit: fc.boolean(),
  }),
  { maxLength: 200 },
);

describe('Sizer, of any past', () => {
  it('never leaves its bounds, and holds 1.2 × the present demand within them', () => {
    fc.assert(
      fc.property(past, fc.integer({ min: 1, max: 20 }), (events, most) => {
        const sizer = aSizer({ most });
        let now = 0;
        for (const { waitMs, inUse, isHit } of events) {
          now += waitMs;
          sizer.note(now, { inUse, isHit });
          const target = sizer.target(now, inUse);
          expect(target).toBeGreaterThanOrEqual(1);
          expect(target).toBeLessThanOrEqual(most);
          expect(target).toBeGreaterThanOrEqual(Math.min(most, Math.ceil(HEADROOM * inUse)));
        }
        expect(sizer.target(now + WINDOW_MS, 0)).toBe(1);
      }),
    );
  });

  it('holds no fewer jails for more demand', () => {
    fc.assert(
      fc.property(past, fc.nat(30), fc.nat(30), (events, a, b) => {
        const target = (inUse: number): number => {
          const sizer = aSizer();
          let now = 0;
          for (const event of events) sizer.note((now += event.waitMs), event);
          return sizer.target(now, inUse);
        };
        expect(target(Math.max(a, b))).toBeGreaterThanOrEqual(target(Math.min(a, b)));
      }),
    );
  });

  it('comes into balance: a steady load finds a jail ready four times of five', () => {
    const startMs = 300;
    const load = fc.record({ callers: fc.integer({ min: 1, max: 12 }), seed: fc.integer() });
    fc.assert(
      fc.property(load, ({ callers, seed }) => {
        expect(hitRateOf({ callers, seed, startMs })).toBeGreaterThanOrEqual(HIT_RATE_MIN);
      }),
      { numRuns: 5 },
    );
  });
});

/**
 * A pool in a few lines: `callers` lease, work for a while, pause for a while; a jail takes `startMs` to start, and 2 ms to
 * be ready again. The share of hits after a minute and a half.
 */
function hitRateOf(given: { callers: number; seed: number; startMs: number }): number {
  const sizer = aSizer({ most: given.callers + 1 });
  let random = given.seed >>> 0;
  const next = (max: number): number => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + (random % max);
  };
  /** When each jail is free, and when each caller comes next. */
  const free: number[] = [];
  const comes = Array.from({ length: given.callers }, () => next(100));
  let hits = 0;
  let asked = 0;
  for (let now = 0; now < 2.5 * WINDOW_MS; now += 10) {
    const inUse = (): number => free.filter((at) => at > now + 2).length;
    for (const [caller, at] of comes.entries()) {
      if (at > now) continue;
      const ready = free.findIndex((time) => time <= now);
      const isHit = ready >= 0;
      const slot = isHit ? ready : free.push(now + given.startMs) - 1;
      const end = Math.max(now, free[slot] ?? now) + next(50);
      free[slot] = end + 2;
      sizer.note(now, { inUse: Math.min(inUse() + 1, given.callers), isHit });
      comes[caller] = end + next(100);
      if (now > 1.5 * WINDOW_MS) [hits, asked] = [hits + (isHit ? 1 : 0), asked + 1];
    }
    if (now % 100 > 0) continue;
    while (free.length < sizer.target(now, inUse())) free.push(now + given.startMs);
  }
  return hits / asked;
}
