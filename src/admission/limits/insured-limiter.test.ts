/** What holds while the shared limiter is away: neither open nor in the way, and back by itself. */
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../../lib/fake-clock.ts';
import { Presence } from '../../lib/presence.ts';
import { InsuredLimiter } from './insured-limiter.ts';
import type { Limiter, Passage } from './limiter.ts';
import { MemoryLimiter } from './memory-limiter.ts';

const POLICY = { requestsPerS: null, burst: 1, concurrency: 2, cpuSPerMinute: 60 };

function passage(lease: string): Passage {
  return { tenant: 'a', policy: POLICY, lease, leaseMs: 10_000 };
}

function create() {
  const clock = createFakeClock();
  const store = new MemoryLimiter(clock);
  const state = { isUp: true, calls: 0 };
  const call = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    state.calls += 1;
    if (!state.isUp) throw new Error('down');
    return await ask();
  };
  const shared: Limiter = {
    take: async (each) => await call(async () => await store.take(each)),
    give: async (each, spent) => await call(async () => await store.give(each, spent)),
    renew: async (renewal) => await call(async () => await store.renew(renewal)),
  };
  const changes: boolean[] = [];
  const own = new MemoryLimiter(clock);
  const presence = new Presence({
    clock,
    isConnected: () => true,
    isAway: () => true,
    probe: async () => await call(async () => undefined),
    onChange: (isAway) => changes.push(isAway),
  });
  /** A second, and what comes of it. */
  const aSecond = async (): Promise<void> => {
    clock.advance(1000);
    await setImmediate();
  };
  const limiter = new InsuredLimiter({ shared, own, presence });
  return { aSecond, own, state, changes, limiter };
}

const SPENT = { cpuMs: 0, isRefunded: false };

describe('an insured limiter', () => {
  it('asks the shared one alone while it answers', async () => {
    const { limiter, own, changes } = create();
    expect((await limiter.take(passage('1'))).granted).toBe(true);
    expect((await own.take(passage('x'))).state.active).toBe(1);
    expect(limiter.isDegraded).toBe(false);
    expect(changes).toEqual([]);
  });

  it('counts by itself when it fails: not open, and with one try a second', async () => {
    const { limiter, state, changes, aSecond } = create();
    state.isUp = false;
    const granted: boolean[] = [];
    for (const lease of ['1', '2', '3']) granted.push((await limiter.take(passage(lease))).granted);
    expect(granted).toEqual([true, true, false]);
    expect(state.calls).toBe(1);
    await aSecond();
    await limiter.take(passage('4'));
    await limiter.take(passage('5'));
    expect(state.calls).toBe(2);
    expect(changes).toEqual([true]);
    expect(limiter.isDegraded).toBe(true);
  });

  it('is shared again once the other answers, though nobody asks', async () => {
    const { limiter, state, changes, aSecond } = create();
    state.isUp = false;
    await limiter.take(passage('1'));
    state.isUp = true;
    await aSecond();
    expect([limiter.isDegraded, changes]).toEqual([false, [true, false]]);
  });

  it('hands leases of before to its own count, and those of meanwhile to the shared one', async () => {
    const { limiter, state, aSecond, changes } = create();
    const renew = async (): Promise<void> =>
      await limiter.renew({ tenant: 'a', leases: ['1', '2'], leaseMs: 10_000 });
    await limiter.take(passage('1'));
    state.isUp = false;
    await limiter.take(passage('2'));
    await renew();
    expect((await limiter.take(passage('3'))).granted).toBe(false);
    state.isUp = true;
    await aSecond();
    await renew();
    expect(changes).toEqual([true, false]);
    expect(await limiter.take(passage('3'))).toMatchObject({ granted: false, by: 'concurrency' });
    await limiter.give(passage('2'), SPENT);
    expect((await limiter.take(passage('3'))).granted).toBe(true);
  });

  it('charges what was used while it was away', async () => {
    const { limiter, state, aSecond } = create();
    state.isUp = false;
    await limiter.take(passage('1'));
    await limiter.give(passage('1'), { cpuMs: 60_500, isRefunded: false });
    expect(await limiter.take(passage('2'))).toMatchObject({ granted: false, by: 'cpu' });
    await aSecond();
    expect((await limiter.take(passage('2'))).granted).toBe(true);
  });
});
