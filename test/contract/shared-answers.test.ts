/**
 * What replicas share in a real Redis besides limits and jobs: bytes for a while within a sum, one piece of work done once
 * whoever dies, and answers under an Idempotency-Key; and what holds while Redis is away.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectRedis, type Connection } from '../../src/admission/redis/connection.ts';
import { RedisKept } from '../../src/admission/redis/redis-kept.ts';
import {
  aFault,
  aRunReport,
  createTestApp,
  post,
} from '../../src/http/test-support/scripted-service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { MemoryKept } from '../../src/lib/kept.ts';
import { createLeaseId } from '../../src/lib/lease-id.ts';
import { Presence } from '../../src/lib/presence.ts';
import { SharedFlight } from '../../src/lib/shared-flight.ts';
import { redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait.ts';
import { skipNote } from './walls.ts';

const missing = redisMissing();
const clock = systemClock;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (found: Uint8Array | null): string | null =>
  found === null ? null : Buffer.from(found).toString('latin1');

describe.skipIf(missing !== null)(`what replicas share${skipNote(missing)}`, () => {
  let server: TestRedis;
  const connections: Connection[] = [];
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const each of connections) each.close();
    await server.stop();
  });

  /** As a replica has it. */
  async function aReplica({ name = 'test', bytesMax = 100_000, ttlMs = 60_000 } = {}) {
    const connection = connectRedis(server.url, {
      clock,
      answerMs: 2000,
      onError: () => undefined,
    });
    connections.push(connection);
    await connection.settled(10_000);
    const presence = new Presence({
      clock,
      isConnected: () => connection.isConnected,
      isAway: () => true,
      probe: async () => await connection.ask(async (client) => await client.ping()),
      onChange: () => undefined,
    });
    const own = new MemoryKept({ bytesMax, ttlMs, clock });
    const options = { connection, presence, name, bytesMax, ttlMs, own };
    const kept = await RedisKept.create(options);
    return { kept, presence, own, flight: aFlight(kept) };
  }
  const aFlight = (kept: RedisKept) =>
    new SharedFlight({ work: kept, clock, createToken: createLeaseId });
  const { signal } = new AbortController();

  it('is kept byte by byte, for all, in time and within a sum: the oldest goes first', async () => {
    const bounds = { name: 'bounds', bytesMax: 10_000 };
    const [one, other] = [await aReplica(bounds), await aReplica(bounds)];
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    await one.kept.put('all', all);
    expect(text(await other.kept.get('all'))).toBe(text(all));
    expect(await other.kept.get('nothing')).toBeNull();
    for (let at = 0; at < 20; at += 1) await other.kept.put(`${at}`, new Uint8Array(1000));
    const known = await Promise.all(
      ['all', '0', '18', '19'].map(async (key) => (await one.kept.get(key)) !== null),
    );
    expect(known).toEqual([false, false, true, true]);
    const { entries, bytes: sum, evicted } = other.kept.stats();
    expect(sum).toBeLessThanOrEqual(bounds.bytesMax);
    expect([entries, evicted]).toEqual([8, 13]);
    await one.kept.put('too large', new Uint8Array(2000));
    expect(await one.kept.get('too large')).toBeNull();
    const short = await aReplica({ name: 'short', ttlMs: 50 });
    await short.kept.put('a', bytes('1'));
    const isGone = async () => ((await short.kept.get('a')) === null ? true : null);
    await waitFor(isGone, { what: 'end of its time', timeoutMs: 10_000 });
  });

  it.each(['bytes', 'ends', 'sum'])(
    'is counted anew where Redis has thrown %s away',
    async (part) => {
      const [name, bytesMax] = [`lost-${part}`, 10_000];
      const { kept, own } = await aReplica({ name, bytesMax });
      for (let at = 0; at < 7; at += 1) await kept.put(`old ${at}`, new Uint8Array(1000));
      const lost = async () =>
        await connections
          .at(-1)
          ?.ask(async (client) => await client.del(`assay:{${name}}:${part}`));
      expect(await lost()).toBe(1);
      for (let at = 0; at < 9; at += 1) await kept.put(`new ${at}`, new Uint8Array(1000));
      expect(own.stats().entries).toBe(0);
      const { entries, bytes: sum } = kept.stats();
      expect([entries, sum <= bytesMax, sum > 8000]).toEqual([8, true, true]);
      const found = await Promise.all(['old 6', 'new 0', 'new 8'].map((key) => kept.get(key)));
      expect(found.map((each) => each !== null)).toEqual([false, false, true]);
      expect(await lost()).toBe(1);
      expect(await kept.get('new 8')).toBeNull();
    },
  );

  it('is done once, by one of those who are asked for it at a time', async () => {
    const replicas = await Promise.all([1, 2, 3].map(async () => await aReplica()));
    let works = 0;
    const flown = await Promise.all(
      [...replicas, ...replicas].map(({ flight }) =>
        flight.fly({ key: 'once', mark: 'm', signal }, async () => {
          works += 1;
          await sleep(100);
          return { value: 'own', bytes: bytes('what it came to') };
        }),
      ),
    );
    expect(works).toBe(1);
    expect(flown.filter(({ kind }) => kind === 'own')).toHaveLength(1);
    for (const each of flown)
      if (each.kind === 'shared') expect(text(each.bytes)).toBe('what it came to');
  });

  it('is not waited for by other work, and is tried again where it failed or is its own alone', async () => {
    const [one, other] = [await aReplica(), await aReplica()];
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = one.flight.fly({ key: 'k', mark: 'a', signal }, async () => {
      begun.resolve();
      await gate.promise;
      return { value: 1, bytes: null };
    });
    await begun.promise;
    const flight = { key: 'k', mark: 'b', signal };
    const taken = await other.flight.fly(flight, async () => ({ value: 0, bytes: null }));
    expect(taken).toEqual({ kind: 'other' });
    const second = other.flight.fly({ key: 'k', mark: 'a', signal }, async () => {
      throw new Error('its own misfortune');
    });
    const gone = new AbortController();
    const waiting = other.flight.fly({ key: 'k', mark: 'a', signal: gone.signal }, async () => ({
      value: 2,
      bytes: null,
    }));
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    gate.resolve();
    expect(await first).toEqual({ kind: 'own', value: 1 });
    await expect(second).rejects.toThrow('its own misfortune');
    const third = await one.flight.fly({ key: 'k', mark: 'a', signal }, async () => ({
      value: 3,
      bytes: bytes('3'),
    }));
    expect(third).toEqual({ kind: 'own', value: 3 });
  });

  it('comes to one thing where a lease ran out under its holder', async () => {
    const [one, other] = [await aReplica(), await aReplica()];
    const holder = { token: 'slow', mark: 'm' };
    expect(await one.kept.begin('late', holder, 50)).toEqual({ kind: 'mine' });
    const next = { token: 'next', mark: 'm' };
    const isFree = async () =>
      (await other.kept.begin('late', next, 60_000))?.kind === 'mine' ? true : null;
    await waitFor(isFree, { what: 'end of the lease', timeoutMs: 10_000 });
    await one.kept.renew('late', holder, 60_000);
    expect(await one.kept.finish('late', holder, bytes('slow'))).toBeNull();
    expect(text(await other.kept.finish('late', next, bytes('next')))).toBe('slow');
    expect(text(await other.kept.get('late'))).toBe('slow');
  });

  const RUN = { language: 'python', code: 'print(1)' };
  const keyed = (key: string, body: object = RUN): RequestInit => ({
    ...post(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });
  /** A service of one replica; its runs are told apart by their ids. */
  async function anApp(name: string, isFaulty = () => false) {
    let runs = 0;
    const run = async () => {
      runs += 1;
      const id = `${name}_${runs}`;
      return aRunReport(isFaulty() ? { id, outcome: null, fault: aFault } : { id });
    };
    const { kept } = await aReplica({ name: 'answers' });
    const { app } = createTestApp({ script: { run }, shared: kept });
    const send = async (key: string, body?: object) => {
      const response = await app.request('/v1/run', keyed(key, body));
      return {
        status: response.status,
        replayed: response.headers.get('idempotent-replayed'),
        text: await response.text(),
      };
    };
    return { send, runs: () => runs };
  }

  it('are answers under a key: the same from every replica, and refused for another request', async () => {
    const [one, other] = [await anApp('one'), await anApp('other')];
    const first = await one.send('k');
    const again = await other.send('k');
    expect([again.text, again.replayed, other.runs()]).toEqual([first.text, 'true', 0]);
    const misused = await other.send('k', { ...RUN, code: 'print(2)' });
    expect([misused.status, misused.text.includes('key_reused')]).toEqual([422, true]);
    const all = [one, other, one, other].map((each) => each.send('many'));
    const texts = new Set((await Promise.all(all)).map((each) => each.text));
    expect(texts.size).toBe(1);
    expect(one.runs() + other.runs()).toBe(2);
  });

  it('are no faults', async () => {
    let faulty = true;
    const [one, other] = [await anApp('one', () => faulty), await anApp('other')];
    expect((await one.send('f')).text).toContain('"fault":{');
    faulty = false;
    expect((await other.send('f')).replayed).toBeNull();
    expect([one.runs(), other.runs()]).toEqual([1, 1]);
  });

  it('are each replica’s own while Redis is away, and shared again after it', async () => {
    const [one, other] = [await anApp('one'), await anApp('other')];
    await server.stop();
    const first = await one.send('away');
    expect([first.status, (await one.send('away')).text]).toEqual([200, first.text]);
    // Executed anew: another report of the same request, and its own from then on.
    const elsewhere = await other.send('away');
    expect([elsewhere.status, elsewhere.replayed]).toEqual([200, null]);
    server = await startRedis({ port: server.port });
    let tries = 0;
    const isShared = async () => {
      tries += 1;
      const made = await one.send(`back-${tries}`);
      return (await other.send(`back-${tries}`)).text === made.text ? true : null;
    };
    await waitFor(isShared, { what: 'shared answers', timeoutMs: 20_000 });
    expect((await one.send('away')).text).toBe(first.text);
  });
});
