/**
 * Three replicas behind the HAProxy configuration that is shipped, with one Redis: limits hold over all of them, a session is
 * found where it is, a replica that is killed in mid-load loses no request with a key, and all of them are replaced one by one
 * while nobody notices. The longer version, with everything else that can break, is `npm run prove:chaos`.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { Policy } from '../../src/admission/tenants/schema.ts';
import { JudgeResponse } from '../../src/http/native/schema/report.ts';
import type { JudgeRequestBody } from '../support/builders.ts';
import { haproxyMissing, startHaproxy, type TestHaproxy } from '../support/haproxy.ts';
import { freePorts } from '../support/ports.ts';
import { ownedProcesses } from '../support/process-tree.ts';
import { redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { writeTenants } from '../support/tenants.ts';
import { waitFor, within } from '../support/wait.ts';
import { aLoad, expectRight } from './load.ts';

const missing = redisMissing() ?? haproxyMissing();
const LIMIT_MS = 110_000;
const RATE = 10;
const POLICIES = {
  load: {},
  limited: { requestsPerS: RATE, burst: RATE },
} satisfies Record<string, Policy>;
type Tenant = keyof typeof POLICIES;

let keys: Readonly<Record<Tenant, string>>;
let folder: string;
let redis: TestRedis;
let haproxy: TestHaproxy;
let ports: readonly number[];
const replicas: RunningService[] = [];

async function startReplica(port: number): Promise<RunningService> {
  return await startService({
    languages: ['python'],
    port,
    startTimeoutMs: LIMIT_MS,
    flags: {
      '--self-test': 'none',
      '--anonymous': 'none',
      '--slots': '1',
      '--tenants': path.join(folder, 'tenants.json'),
      '--redis-url': redis.url,
      // This machine may be busy: a late answer is not to be taken for none.
      '--redis-timeout-ms': '5000',
      '--leave-ms': '3000',
    },
  });
}

interface Sent {
  readonly url: string;
  readonly tenant: Tenant;
  readonly body: unknown;
  readonly idempotencyKey?: string;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

async function send({ url, tenant, body, idempotencyKey, signal, path: to = '/v1/judge' }: Sent) {
  const response = await fetch(`${url}${to}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${keys[tenant]}`,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, text: await response.text() };
}

/** As a client does that wants its answer: sends again what was not answered, under one key. */
async function insist(request: JudgeRequestBody): Promise<string> {
  const idempotencyKey = `key-${request.id ?? ''}`;
  const sent = { url: haproxy.url, tenant: 'load', body: request, idempotencyKey } as const;
  const ask = async (): Promise<string | null> => {
    const answer = await send(sent).catch(() => null);
    if (answer?.status === 200) return answer.text;
    if (answer !== null) expect([429, 502, 503, 504]).toContain(answer.status);
    return null;
  };
  return await waitFor(ask, { what: 'an answer', timeoutMs: LIMIT_MS });
}

const reportOf = (text: string): JudgeResponse => JudgeResponse.parse(JSON.parse(text));
const UNIT = { language: 'python', code: 'print(1)' };

describe.skipIf(missing !== null)(
  `three replicas, a Redis and an HAProxy${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    beforeAll(async () => {
      folder = await temporaryFolder();
      keys = await writeTenants(path.join(folder, 'tenants.json'), POLICIES);
      redis = await startRedis();
      ports = await freePorts(3);
      replicas.push(...(await Promise.all(ports.map(startReplica))));
      haproxy = await startHaproxy(ports);
    });
    afterAll(async () => {
      await haproxy.stop();
      await Promise.all(replicas.map(async (each) => await each.stop()));
      await redis.stop();
      await rm(folder, { recursive: true });
    });

    it('hold a limit together: at most 5 % over', async () => {
      const since = performance.now();
      const statuses = new Set<number>();
      const served = new Set<string>();
      let granted = 0;
      const lane = async (): Promise<void> => {
        while (performance.now() < since + 2000 || !statuses.has(429)) {
          const url = haproxy.url;
          const { status } = await send({ url, tenant: 'limited', body: UNIT, path: '/v1/run' });
          statuses.add(status);
          if (status === 200) granted += 1;
        }
      };
      await Promise.all(Array.from({ length: 6 }, lane));
      const elapsedS = (performance.now() - since) / 1000;
      expect(statuses).toEqual(new Set([200, 429]));
      expect(granted).toBeLessThanOrEqual((RATE + RATE * elapsedS) * 1.05);
      expect(granted).toBeGreaterThanOrEqual(RATE);
      for (const replica of replicas) {
        const { tenants } = await statsOf(replica, 'limited');
        if (tenants.some(({ submissions }) => submissions > 0)) served.add(replica.url);
      }
      // Whoever has the fewest is next: all of them have had their part.
      expect(served.size).toBe(3);
    });

    it('end what runs and what waits for callers that have gone', async () => {
      const code = 'while True: pass';
      const body = { language: 'python', code, limits: { cpu_ms: 60_000, wall_ms: 60_000 } };
      const gone = new AbortController();
      const { signal } = gone;
      const sent = { url: haproxy.url, tenant: 'load', body, path: '/v1/run', signal } as const;
      // As many run as there are slots, and as many wait.
      const calls = Array.from({ length: 6 }, () => send(sent).catch(() => 'gone'));
      const sums = async () => {
        const all = await Promise.all(replicas.map((each) => statsOf(each)));
        const sum = (of: (stats: z.infer<typeof Stats>) => number): number =>
          all.reduce((total, each) => total + of(each), 0);
        return {
          busy: sum(({ slots }) => slots.busy),
          waiting: sum(({ queue }) => queue.length),
          ended: sum(({ given_up: { running } }) => running['caller_gone'] ?? 0),
          neverRun: sum(({ given_up: { waiting } }) => waiting['caller_gone'] ?? 0),
        };
      };
      const isFull = async () => {
        const { busy, waiting } = await sums();
        return busy > 0 && waiting > 0 && busy + waiting === calls.length ? true : null;
      };
      await waitFor(isFull, { what: 'work everywhere', timeoutMs: 60_000 });
      gone.abort();
      expect(await Promise.all(calls)).toEqual(calls.map(() => 'gone'));
      const isFree = async () => {
        const found = await sums();
        const isCounted = found.ended + found.neverRun === calls.length;
        return found.busy + found.waiting === 0 && isCounted ? found : null;
      };
      // One that waits may get a slot before its caller's leaving is heard of.
      const { ended } = await waitFor(isFree, { what: 'the slots', timeoutMs: 60_000 });
      expect(ended).toBeGreaterThan(0);
    });

    it('take each step of a session to the replica that has it', async () => {
      const sent = { url: haproxy.url, tenant: 'load' } as const;
      const step = async (to: string, body: object): Promise<unknown> => {
        const { status, text } = await send({ ...sent, path: to, body });
        if (status >= 300) throw new Error(`${to}: ${status} ${text}`);
        return JSON.parse(text);
      };
      const { id } = Made.parse(await step('/v1/sessions', { language: 'python' }));
      const exec = `/v1/sessions/${id}/exec`;
      for (let round = 1; round <= 4; round += 1) {
        await step(exec, { command: `echo ${round} >> rounds` });
        // Something else between: else it would be the same one's turn by chance.
        await send({ ...sent, path: '/v1/run', body: UNIT });
      }
      const read = Executed.parse(await step(exec, { command: 'cat rounds' }));
      expect(read.outcome.stdout).toBe('1\n2\n3\n4\n');
      const headers = { 'x-api-key': keys.load };
      const gone = await fetch(`${haproxy.url}/v1/sessions/${id}`, { method: 'DELETE', headers });
      expect(gone.ok).toBe(true);
    });

    it('lose no request with a key where one is killed, and contradict no answer', async () => {
      const load = aLoad(24);
      const answers = Promise.all(load.map(async (request) => await insist(request)));
      const [victim, other] = replicas;
      if (victim === undefined || other === undefined) throw new Error('there are no replicas');
      const isBusy = (): true | null => (ownedProcesses(victim.pid).runs.length > 0 ? true : null);
      await waitFor(isBusy, { what: 'a run', timeoutMs: 60_000 });
      victim.kill('SIGKILL');
      await victim.exited(LIMIT_MS);
      const texts = await within(answers, { what: 'the load', timeoutMs: LIMIT_MS });
      expect(texts).toHaveLength(load.length);
      for (const text of texts) expectRight(reportOf(text));
      // Whichever replica is asked again, it says what was said.
      const again = await Promise.all(load.slice(0, 6).map((each) => insist(each)));
      expect(again).toEqual(texts.slice(0, 6));
      const direct = { url: other.url, tenant: 'load', idempotencyKey: 'key-load-7' } as const;
      expect((await send({ ...direct, body: load[7] })).text).toBe(texts[7]);
      // Its place is taken again below.
      await rm(victim.stateDir, { recursive: true, force: true });
    });

    it('are replaced one by one while every request is answered', async () => {
      let isOver = false;
      let number = 0;
      const failures: string[] = [];
      // Without keys: nobody sends these again, neither their client nor the balancer.
      const lane = async (): Promise<number> => {
        let answered = 0;
        while (!isOver) {
          const [request] = aLoad(1);
          number += 1;
          const body = { ...request, id: `roll-${number}` };
          const { status, text } = await send({ url: haproxy.url, tenant: 'load', body }).catch(
            (error: unknown) => ({ status: 0, text: String(error) }),
          );
          if (status === 200 && reportOf(text).reward === 1) answered += 1;
          else failures.push(`${status} ${text}`);
        }
        return answered;
      };
      const lanes = Array.from({ length: 4 }, lane);
      for (const [at, old] of replicas.entries()) {
        // The first is the one that was killed.
        if (at > 0) await endInOrder(old);
        const next = await startReplica(ports[at] ?? 0);
        replicas[at] = next;
        await waitFor(() => isTaken(next), { what: 'a share of the load', timeoutMs: LIMIT_MS });
      }
      isOver = true;
      const answered = (await Promise.all(lanes)).reduce((sum, each) => sum + each, 0);
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(3);
    });
  },
);

async function endInOrder(service: RunningService): Promise<void> {
  service.kill('SIGTERM');
  const unready = async (): Promise<true | null> =>
    (await fetch(`${service.url}/readyz`)).status === 503 ? true : null;
  await waitFor(unready, { what: 'word of leaving', timeoutMs: 20_000 });
  expect(await service.exited(LIMIT_MS)).toEqual({ code: 0, signal: null });
  await rm(service.stateDir, { recursive: true, force: true });
}

const Made = z.looseObject({ id: z.string() });
const Executed = z.looseObject({ outcome: z.looseObject({ stdout: z.string() }) });

const Stats = z.looseObject({
  slots: z.looseObject({ busy: z.number() }),
  queue: z.looseObject({ length: z.number() }),
  submissions: z.looseObject({ judged: z.number() }),
  given_up: z.strictObject({
    waiting: z.record(z.string(), z.number()),
    running: z.record(z.string(), z.number()),
  }),
  tenants: z.array(z.looseObject({ submissions: z.number() })),
});

/** Of a replica, as a tenant sees it. */
async function statsOf({ url }: RunningService, tenant: Tenant = 'load') {
  const headers = { 'x-api-key': keys[tenant] };
  return Stats.parse(await (await fetch(`${url}/v1/stats`, { headers })).json());
}

/** Whether the balancer has found a replica: it has judged something. */
async function isTaken(service: RunningService): Promise<true | null> {
  if ((await statsOf(service)).submissions.judged > 0) return true;
  await sleep(100);
  return null;
}
