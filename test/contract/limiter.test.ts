/** The contract of limiters, held by both stores: memory, and a real Redis with two clients of one server. */
import { randomUUID } from 'node:crypto';

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Limiter, Passage, Taken } from '../../src/admission/limits/limiter.ts';
import { MemoryLimiter } from '../../src/admission/limits/memory-limiter.ts';
import { createRedisLimiter } from '../../src/admission/limits/redis-limiter.ts';
import { connectRedis, type Connection } from '../../src/admission/redis/connection.ts';
import type { LimitPolicy } from '../../src/domain/tenant.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait.ts';
import { skipNote } from './walls.ts';

const NONE: LimitPolicy = { requestsPerS: null, burst: 1, concurrency: null, cpuSPerMinute: null };
/** Longer than any test: what comes back meanwhile is not a matter of how fast this machine is. */
const SLOW_PER_S = 1 / 600;
const LONG_MS = 600_000;

function aPassage(policy: Partial<LimitPolicy>, parts: Partial<Passage> = {}): Passage {
  const lease = randomUUID();
  return {
    tenant: randomUUID(),
    lease,
    leaseMs: LONG_MS,
    policy: { ...NONE, ...policy },
    ...parts,
  };
}

/** The same tenant and limits, another submission. */
function another(passage: Passage): Passage {
  return { ...passage, lease: randomUUID() };
}

const missing = redisMissing();
const IMPLEMENTATIONS = [
  { name: 'memory', without: null },
  { name: 'redis', without: missing },
] as const;

let redis: TestRedis | null = null;
const connections: Connection[] = [];

async function connected(url: string): Promise<Connection> {
  const connection = connectRedis(url, {
    clock: systemClock,
    onError: () => undefined,
    // This machine may be busy.
    answerMs: 20_000,
  });
  connections.push(connection);
  await connection.settled(20_000);
  return connection;
}

beforeAll(async () => {
  if (missing === null) redis = await startRedis();
});
afterAll(async () => {
  for (const each of connections) each.close();
  await redis?.stop();
});

async function open(name: string): Promise<Limiter> {
  if (name === 'memory') return new MemoryLimiter(systemClock);
  return await createRedisLimiter(await connected(redis?.url ?? ''));
}

for (const { name, without } of IMPLEMENTATIONS)
  describe.skipIf(without !== null)(`limits in ${name}${skipNote(without)}`, () => {
    let limiter: Limiter;
    beforeAll(async () => {
      limiter = await open(name);
    });

    const outcome = (taken: Taken): string => (taken.granted ? 'granted' : taken.by);

    it('lets a burst in, then refuses and says when to come again', async () => {
      const passage = aPassage({ requestsPerS: SLOW_PER_S, burst: 3 });
      const taken: Taken[] = [];
      for (let count = 0; count < 4; count += 1) taken.push(await limiter.take(another(passage)));
      expect(taken.map(outcome)).toEqual(['granted', 'granted', 'granted', 'rate']);
      expect(taken.map(({ state }) => state.tokens)).toEqual([2, 1, 0, 0]);
      const last = taken[3];
      if (last === undefined || last.granted) throw new Error('it was to be refused');
      expect(last.retryAfterMs).toBeGreaterThan(500_000);
      expect(last.retryAfterMs).toBeLessThanOrEqual(600_000);
      expect(last.state.fullInMs).toBeLessThanOrEqual(1_800_000);
      expect(last.state.fullInMs).toBeGreaterThan(1_700_000);
    });

    it('fills with time', async () => {
      const passage = aPassage({ requestsPerS: 50, burst: 1 });
      await limiter.take(passage);
      const granted = await waitFor(
        async () => ((await limiter.take(another(passage))).granted ? true : null),
        { what: 'a token', timeoutMs: 20_000 },
      );
      expect(granted).toBe(true);
    });

    it('keeps tenants apart', async () => {
      const passage = aPassage({ requestsPerS: SLOW_PER_S });
      expect((await limiter.take(passage)).granted).toBe(true);
      expect((await limiter.take(another(passage))).granted).toBe(false);
      const other = { ...another(passage), tenant: randomUUID() };
      expect((await limiter.take(other)).granted).toBe(true);
    });

    it('counts those under way, and takes a token only with a lease', async () => {
      const passage = aPassage({ concurrency: 2, requestsPerS: SLOW_PER_S, burst: 3 });
      const [first, second] = [another(passage), another(passage)];
      expect((await limiter.take(first)).state.active).toBe(1);
      expect((await limiter.take(second)).state).toMatchObject({ active: 2, tokens: 1 });
      const refused = await limiter.take(another(passage));
      expect(refused).toMatchObject({
        granted: false,
        by: 'concurrency',
        retryAfterMs: null,
        state: { active: 2, tokens: 1 },
      });
      await limiter.give(first, { cpuMs: 0, isRefunded: false });
      expect(await limiter.take(another(passage))).toMatchObject({
        granted: true,
        state: { active: 2, tokens: 0 },
      });
    });

    it('gives a token back once, and not beyond the burst', async () => {
      const passage = aPassage({ requestsPerS: SLOW_PER_S, burst: 2 });
      const first = another(passage);
      await limiter.take(first);
      for (let count = 0; count < 3; count += 1)
        await limiter.give(first, { cpuMs: 0, isRefunded: true });
      const taken: string[] = [];
      for (let count = 0; count < 3; count += 1)
        taken.push(outcome(await limiter.take(another(passage))));
      expect(taken).toEqual(['granted', 'granted', 'rate']);
    });

    it('charges CPU time afterwards, and waits until what was used ahead is paid', async () => {
      const passage = aPassage({ cpuSPerMinute: 1 });
      const [first, second] = [another(passage), another(passage)];
      expect((await limiter.take(first)).state.cpuMs).toBe(1000);
      expect((await limiter.take(second)).granted).toBe(true);
      await limiter.give(first, { cpuMs: 900, isRefunded: false });
      await limiter.give(second, { cpuMs: 10_000, isRefunded: true });
      const refused = await limiter.take(another(passage));
      if (refused.granted) throw new Error('it was to be refused');
      expect(refused.by).toBe('cpu');
      // 9900 ms ahead, at 1000 ms a minute.
      expect(refused.retryAfterMs).toBeGreaterThan(500_000);
      expect(refused.retryAfterMs).toBeLessThanOrEqual(594_060);
    });

    it('forgets leases that nobody renews, and keeps those that somebody does', async () => {
      const passage = aPassage({ concurrency: 2 });
      const [kept, lost] = [another(passage), another(passage)];
      await limiter.take({ ...kept, leaseMs: 1000 });
      await limiter.take({ ...lost, leaseMs: 1000 });
      await limiter.renew({ tenant: passage.tenant, leases: [kept.lease], leaseMs: LONG_MS });
      await waitFor(async () => ((await limiter.take(another(passage))).granted ? true : null), {
        what: 'the end of a lease',
        timeoutMs: 20_000,
      });
      expect(outcome(await limiter.take(another(passage)))).toBe('concurrency');
    });

    it('takes a lease up again that was lost', async () => {
      const passage = aPassage({ concurrency: 1 });
      await limiter.renew({ tenant: passage.tenant, leases: ['a'], leaseMs: LONG_MS });
      expect(outcome(await limiter.take(passage))).toBe('concurrency');
      await limiter.give({ ...passage, lease: 'a' }, { cpuMs: 0, isRefunded: false });
      expect(outcome(await limiter.take(passage))).toBe('granted');
    });

    it('counts nothing where there are no limits', async () => {
      expect(await limiter.take(aPassage({}))).toMatchObject({
        granted: true,
        state: { tokens: null, cpuMs: null, fullInMs: 0 },
      });
    });

    it('lets no more in than the limits allow, however many ask at once', async () => {
      const passage = aPassage({ requestsPerS: SLOW_PER_S, burst: 7, concurrency: 20 });
      const taken = await Promise.all(
        Array.from({ length: 50 }, async () => await limiter.take(another(passage))),
      );
      expect(taken.filter(({ granted }) => granted)).toHaveLength(7);
    });
  });

describe.skipIf(missing !== null)(`two replicas of one Redis${skipNote(missing)}`, () => {
  it('let in together what one would, by the clock of Redis', async () => {
    const url = redis?.url ?? '';
    const replicas = await Promise.all(
      [1, 2].map(async () => await createRedisLimiter(await connected(url))),
    );
    const clock = new Redis(url);
    const now = async (): Promise<number> => {
      const [seconds, micros] = await clock.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    };
    const passage = aPassage({ requestsPerS: 200, burst: 10 });
    const since = await now();
    const ends = performance.now() + 1000;
    const ask = async (limiter: Limiter): Promise<number> => {
      let granted = 0;
      while (performance.now() < ends) {
        if ((await limiter.take(another(passage))).granted) granted += 1;
      }
      return granted;
    };
    const counts = await Promise.all(replicas.flatMap((each) => [ask(each), ask(each)]));
    const elapsedMs = (await now()) - since;
    clock.disconnect();
    const total = counts.reduce((sum, each) => sum + each, 0);
    const allowed = 10 + (200 * elapsedMs) / 1000;
    expect(total).toBeLessThanOrEqual(allowed + 1);
    expect(total).toBeGreaterThan(0);
  });

  it('leave nothing behind that lasts', async () => {
    const url = redis?.url ?? '';
    const connection = await connected(url);
    const limiter = await createRedisLimiter(connection);
    const passage = aPassage({ requestsPerS: 10, concurrency: 3, cpuSPerMinute: 60 });
    await limiter.take({ ...passage, leaseMs: 1000 });
    await limiter.give(passage, { cpuMs: 10, isRefunded: false });
    const keys = await connection.ask(
      async (client) => await client.keys(`assay:{${passage.tenant}}:*`),
    );
    const lasting = await Promise.all(
      keys.map(async (key) => await connection.ask(async (client) => await client.pttl(key))),
    );
    expect(lasting.every((ms) => ms > 0 && ms < 120_000)).toBe(true);
  });
});
