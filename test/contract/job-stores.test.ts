/** What every store of jobs promises, held against each: who gets an item, what counts, what a dead worker leaves. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SqliteJobStore } from '../../src/jobs/sqlite-store.ts';
import { LEASE_MS, type Claim, type ItemKind, type JobStore } from '../../src/jobs/store.ts';
import { RedisJobStore } from '../../src/jobs/redis-store.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { skipNote } from './walls.ts';

interface BackEnd {
  /** Why it cannot be tried here; null when it can. */
  readonly missing: string | null;
  /** Opens what the tests share. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A store of its own on what is shared, as another process has it. */
  open(clock: Clock): Promise<JobStore>;
  /** Lets leases and delays run down by so many ms. */
  pass(clock: MovingClock, ms: number): Promise<void>;
}

let folder = '';
const sqlite: BackEnd = {
  missing: null,
  async start() {
    folder = await temporaryFolder();
  },
  stop: async () => await rm(folder, { recursive: true, force: true }),
  open: async (clock) => SqliteJobStore.open(path.join(folder, 'jobs.sqlite'), clock),
  async pass(clock, ms) {
    clock.ahead += ms;
  },
};

let server: TestRedis | null = null;
const redis: BackEnd = {
  missing: redisMissing(),
  async start() {
    server = await startRedis();
  },
  stop: async () => await server?.stop(),
  open: async (clock) =>
    await RedisJobStore.open(server?.url ?? '', {
      clock,
      lookMs: 20,
      onError: (error) => {
        throw error;
      },
    }),
  /** Time is Redis' own there: what is left of locks and delays is shortened. */
  async pass(_clock, ms) {
    const client = new Redis(server?.url ?? '');
    for (const key of await client.keys('*:lock')) {
      const left = await client.pttl(key);
      await (left > ms ? client.pexpire(key, left - ms) : client.del(key));
    }
    for (const key of await client.keys('*:delayed')) {
      const members = await client.zrange(key, '0', '-1');
      for (const member of members) await client.zincrby(key, String(-ms * SCORE_OF_MS), member);
    }
    client.disconnect();
  },
};
/** BullMQ keeps the time of a delay with twelve bits behind it. */
const SCORE_OF_MS = 0x1000;

const BACK_ENDS: Readonly<Record<string, BackEnd>> = { SQLite: sqlite, Redis: redis };

type MovingClock = Clock & { ahead: number };

/** The machine's clock, ahead by what a test says: leases and delays run out when it wants. */
function movingClock(): MovingClock {
  const clock = {
    ...systemClock,
    ahead: 0,
    date: () => new Date(systemClock.date().getTime() + clock.ahead),
  };
  return clock;
}

for (const [name, backEnd] of Object.entries(BACK_ENDS)) {
  describe.skipIf(backEnd.missing !== null)(`jobs in ${name}${skipNote(backEnd.missing)}`, () => {
    const payer = { tenant: 'anonymous', weight: 2 };
    let clock: ReturnType<typeof movingClock>;
    let store: JobStore;
    beforeAll(() => backEnd.start());
    afterAll(() => backEnd.stop());
    beforeEach(async () => {
      clock = movingClock();
      store = await backEnd.open(clock);
    });
    afterEach(async () => {
      for (const tenant of ['anonymous', 'large', 'small'])
        for (const { id } of await store.list(tenant)) await store.remove(id);
      await store.close();
    });

    async function begin(count: number, tenant = 'anonymous'): Promise<string> {
      const id = `job_${randomUUID()}`;
      await store.create({ id, payer: { ...payer, tenant } });
      const items = Array.from({ length: count }, (_, at) => ({
        line: at + 1,
        body: `{"n":${at}}`,
      }));
      if (count > 0) await store.add(id, items);
      await store.seal(id);
      return id;
    }
    // Redis finds what a dead worker left when it looks next.
    const need = async (from: JobStore = store): Promise<Claim> =>
      await waitFor(async () => await from.claim(), { what: 'item to claim', timeoutMs: 10_000 });
    const complete = async (claim: Claim, kind: ItemKind = 'accepted'): Promise<void> =>
      await store.complete(claim, { kind, json: `{"line":${claim.line}}` });
    const page = async (id: string, cursor = 0, limit = 100) =>
      await store.results(id, { cursor, limit, chars: 1_000_000 });

    it('hands each item out once, in order, whole and with who pays', async () => {
      const id = await begin(3);
      const claims = [await need(), await need(), await need()];
      expect(await store.claim()).toBeNull();
      expect(claims.map(({ line }) => line)).toEqual([1, 2, 3]);
      expect(claims[1]).toMatchObject({ job: id, payer, body: '{"n":1}', faults: 0 });
      const [first, second, third] = claims;
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('three items were to be claimed');
      await complete(first);
      await complete(second, 'failed');
      expect(await store.get(id)).toMatchObject({ state: 'running', counts: { done: 2 } });
      await complete(third, 'fault');
      expect(await store.get(id)).toMatchObject({
        state: 'done',
        total: 3,
        bytes: 21,
        counts: { done: 3, accepted: 1, faults: 1, rejected: 0 },
        endedAt: expect.any(Number),
      });
    });

    it('gives nothing of a job that is still coming, and ends one without items', async () => {
      const id = `job_${randomUUID()}`;
      await store.create({ id, payer });
      await store.add(id, [{ line: 1, body: '{}' }]);
      expect(await store.claim()).toBeNull();
      await store.seal(id);
      await complete(await need());
      await expect(store.add(id, [{ line: 2, body: '{}' }])).rejects.toThrow();
      expect(await store.get(await begin(0))).toMatchObject({ state: 'done', total: 0 });
      expect(await store.get('job_none')).toBeNull();
    });

    it('counts one result an item, whoever judged it', async () => {
      const id = await begin(2);
      const first = await need();
      await backEnd.pass(clock, LEASE_MS + 1);
      // Its worker was thought dead.
      const again = await need();
      const other = again.line === first.line ? again : await need();
      expect(other).toMatchObject({ line: first.line, faults: 0 });
      await complete(other);
      await complete(first, 'fault');
      await complete(other);
      expect(await store.get(id)).toMatchObject({
        state: 'running',
        counts: { done: 1, accepted: 1, faults: 0 },
      });
      expect((await page(id)).results).toHaveLength(1);
    });

    it('keeps a claim that is renewed, also from another process’s view', async () => {
      await begin(1);
      const claim = await need();
      const other = await backEnd.open(clock);
      for (let turn = 0; turn < 3; turn += 1) {
        await backEnd.pass(clock, LEASE_MS / 2);
        await store.renew([claim]);
        expect(await other.claim()).toBeNull();
      }
      await backEnd.pass(clock, LEASE_MS + 1);
      expect(await need(other)).toMatchObject({ line: 1 });
      await other.close();
    });

    it('leaves nothing with a store that was closed, and finds all in the next', async () => {
      const id = await begin(3);
      await complete(await need());
      await need();
      await store.close();
      store = await backEnd.open(clock);
      await backEnd.pass(clock, LEASE_MS + 1);
      const lines = new Set([(await need()).line, (await need()).line]);
      expect(lines).toEqual(new Set([2, 3]));
      expect(await store.get(id)).toMatchObject({ counts: { done: 1 } });
    });

    it('takes items back, after a while, with their faults', async () => {
      await begin(1);
      await store.putBack(await need(), { delayMs: 0, isFault: false });
      const claim = await need();
      expect(claim.faults).toBe(0);
      await store.putBack(claim, { delayMs: 60_000, isFault: true });
      expect(await store.claim()).toBeNull();
      await backEnd.pass(clock, 60_001);
      expect(await need()).toMatchObject({ line: 1, faults: 1 });
      // The claim of before is worth nothing any more.
      await store.putBack(claim, { delayMs: 0, isFault: true });
      expect(await store.claim()).toBeNull();
    });

    it('serves tenants in turn, and the jobs of one in turn', async () => {
      const large = [await begin(20, 'large'), await begin(20, 'large')];
      const small = await begin(4, 'small');
      const jobs: string[] = [];
      for (let turn = 0; turn < 8; turn += 1) jobs.push((await need()).job);
      const count = (id: string | undefined) => jobs.filter((each) => each === id).length;
      expect([count(small), count(large[0]), count(large[1])]).toEqual([4, 2, 2]);
    });

    it('gives results in pages, in the order in which they came, and the same again', async () => {
      const id = await begin(5);
      const claims = [];
      for (let turn = 0; turn < 5; turn += 1) claims.push(await need());
      for (const claim of claims.toReversed()) await complete(claim);
      const first = await page(id, 0, 2);
      expect(first).toMatchObject({ results: ['{"line":5}', '{"line":4}'], isEnd: false });
      const second = await page(id, first.cursor, 3);
      expect(second.results).toEqual(['{"line":3}', '{"line":2}', '{"line":1}']);
      expect(second.isEnd).toBe(true);
      expect(await page(id, second.cursor)).toEqual({
        results: [],
        cursor: second.cursor,
        isEnd: true,
      });
      expect(await page(id, 0, 2)).toEqual(first);
      const short = await store.results(id, { cursor: 0, limit: 100, chars: 12 });
      expect(short.results.length).toBeLessThan(5);
      expect(short.isEnd).toBe(false);
    });

    it('ends a job that is cancelled: what is under way counts no more', async () => {
      const id = await begin(3);
      await complete(await need());
      const claim = await need();
      await store.cancel(id);
      await complete(claim);
      await store.putBack(claim, { delayMs: 0, isFault: false });
      expect(await store.claim()).toBeNull();
      expect(await store.get(id)).toMatchObject({ state: 'cancelled', counts: { done: 1 } });
      expect((await page(id)).results).toEqual(['{"line":1}']);
      await store.cancel(id);
      const done = await begin(1);
      await complete(await need());
      await store.cancel(done);
      expect(await store.get(done)).toMatchObject({ state: 'done' });
    });

    it('lists a tenant’s jobs, newest first, forgets them and those that are old', async () => {
      const [one, two] = [await begin(1), await begin(1)];
      await begin(1, 'small');
      expect((await store.list('anonymous')).map(({ id }) => id)).toEqual([two, one]);
      const before = await store.bytes();
      const tenants = ['anonymous', 'small', 'large'];
      const each = async () => await Promise.all(tenants.map((tenant) => store.bytes(tenant)));
      expect(await each()).toEqual([14, 7, 0]);
      await store.remove(one);
      expect(await each()).toEqual([7, 7, 0]);
      expect(await store.bytes()).toBeLessThanOrEqual(before);
      expect(await store.get(one)).toBeNull();
      expect((await page(one)).results).toEqual([]);
      const claim = await need();
      const other = claim.job === two ? claim : await need();
      await complete(other);
      expect(await store.bytes('anonymous')).toBe(17);
      const late = clock.date().getTime() + 1;
      await store.sweep({ ended: late - 60_000, begun: late - 60_000 });
      expect(await store.get(two)).not.toBeNull();
      const unsealed = `job_${randomUUID()}`;
      await store.create({ id: unsealed, payer });
      await store.sweep({ ended: late + 60_000, begun: late - 60_000 });
      expect(await store.get(unsealed)).not.toBeNull();
      await store.sweep({ ended: late + 60_000, begun: late + 60_000 });
      expect(await store.get(two)).toBeNull();
      expect(await store.get(unsealed)).toBeNull();
      expect(await store.list('small'), 'one that has not ended').toHaveLength(1);
    });

    it('loses and doubles nothing where several work at once', async () => {
      const [id, other] = [await begin(40), await backEnd.open(clock)];
      const work = async (from: JobStore): Promise<void> => {
        for (let claim = await from.claim(); claim !== null; claim = await from.claim())
          await from.complete(claim, { kind: 'accepted', json: String(claim.line) });
      };
      await Promise.all([work(store), work(store), work(other), work(other)]);
      await other.close();
      const { results } = await page(id);
      expect(results.map(Number).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 40 }, (_, at) => at + 1),
      );
      expect(await store.get(id)).toMatchObject({ state: 'done', counts: { done: 40 } });
    });
  });
}
