/**
 * Tenants of real services: two replicas that share one Redis hold a limit together, keys change without a restart, and
 * limits hold while Redis is away. What is counted is counted by the answers; nothing depends on how fast this machine is.
 */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { Policy } from '../../src/admission/tenants/schema.ts';
import { assay } from '../support/command.ts';
import { redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { writeTenants } from '../support/tenants.ts';
import { waitFor } from '../support/wait.ts';

const missing = redisMissing();
const RUN = { language: 'python', code: 'print(1)' };
const SPIN = { language: 'python', code: 'while True: pass' };

const POLICIES = {
  rate: { requestsPerS: 10, burst: 10 },
  slow: { concurrency: 1 },
  fault: { requestsPerS: 5, burst: 5 },
  hang: { requestsPerS: 1000, burst: 1000 },
  operator: { isOperator: true },
} satisfies Record<string, Policy>;
type Name = keyof typeof POLICIES;

const Stats = z.looseObject({
  slots: z.looseObject({ busy: z.number() }),
  tenant_limits: z.strictObject({ store: z.string(), degraded: z.boolean() }),
});

let keys: Readonly<Record<Name, string>>;
let folder: string;
let file: string;
let redis: TestRedis | null = null;
let replicas: readonly RunningService[];

beforeAll(async () => {
  folder = await temporaryFolder();
  file = path.join(folder, 'tenants.json');
  keys = await writeTenants(file, POLICIES);
  redis = missing === null ? await startRedis() : null;
  const flags = {
    '--self-test': 'none',
    '--anonymous': 'none',
    '--log-level': 'info',
    '--slots': '1',
    '--tenants': file,
    // This machine may be busy: a late answer is not to be taken for none.
    ...(redis === null ? {} : { '--redis-url': redis.url, '--redis-timeout-ms': '2000' }),
  };
  const start = async () => await startService({ languages: ['python'], flags });
  replicas = await Promise.all(redis === null ? [start()] : [start(), start()]);
});
afterAll(async () => {
  await Promise.all(replicas.map(async (each) => await each.stop()));
  await redis?.stop();
  await rm(folder, { recursive: true });
});

function replica(index: number): RunningService {
  const found = replicas[index];
  if (found === undefined) throw new Error(`there is no replica ${index}`);
  return found;
}

function keyOf(name: Name): string {
  return keys[name];
}

async function run(
  { url }: RunningService,
  key: string | null,
  { body = RUN, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<number> {
  const response = await fetch(`${url}/v1/run`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function untilStatus(service: RunningService, key: string, status: number): Promise<void> {
  const isSo = async () => ((await run(service, key)) === status ? true : null);
  await waitFor(isSo, { what: `a ${status}`, timeoutMs: 20_000 });
}

async function stats({ url }: RunningService): Promise<z.infer<typeof Stats>> {
  const headers = { 'x-api-key': keyOf('operator') };
  return Stats.parse(await (await fetch(`${url}/v1/stats`, { headers })).json());
}

async function isDegraded(service: RunningService): Promise<boolean> {
  return (await stats(service)).tenant_limits.degraded;
}

interface Load {
  readonly granted: number;
  readonly statuses: ReadonlySet<number>;
  readonly elapsedS: number;
}

/** Asks all replicas, two at a time each, for so long and until somebody was refused. */
async function load(name: Name, forMs: number): Promise<Load> {
  const statuses = new Set<number>();
  let granted = 0;
  const since = performance.now();
  const lane = async (service: RunningService): Promise<void> => {
    while (performance.now() < since + forMs || !statuses.has(429)) {
      const status = await run(service, keyOf(name));
      statuses.add(status);
      if (status === 200) granted += 1;
    }
  };
  await Promise.all([...replicas, ...replicas].map(lane));
  return { granted, statuses, elapsedS: (performance.now() - since) / 1000 };
}

describe('keys', () => {
  const tenant = async (argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await assay(['tenant', ...argv, '--tenants', file]);
    if (code !== 0) throw new Error(`assay tenant ${argv.join(' ')}: ${stderr}`);
    return stdout.trim();
  };

  it('let in, are exchanged and end while the service runs, and are nowhere to be read', async () => {
    const service = replica(0);
    expect(await run(service, null)).toBe(401);
    const first = await tenant(['add', 'team-a']);
    await untilStatus(service, first, 200);
    const second = await tenant(['rotate', 'team-a', '--grace', '0']);
    await untilStatus(service, second, 200);
    await untilStatus(service, first, 401);
    const url = service.url.replace('//', `//${second}@`);
    expect((await assay(['languages', '--url', url])).code).toBe(0);
    const told = `${service.output()}${await readFile(file, 'utf8')}`;
    expect(told).toContain('"tenant":"team-a"');
    for (const key of [first, second]) expect(told).not.toContain(key.slice(-40));
    await tenant(['revoke', 'team-a']);
    await untilStatus(service, second, 401);
  });

  it('are asked for by connections that talk, too', async () => {
    const socket = new WebSocket(`${replica(0).url.replace('http', 'ws')}/api/v2/connect`);
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.addEventListener('open', () => resolve('open'));
    socket.addEventListener('error', () => resolve('refused'));
    expect(await promise).toBe('refused');
  });
});

describe.skipIf(missing !== null)(
  `two replicas and a Redis${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('let in together what one would: at most 5 % more', async () => {
      const { granted, statuses, elapsedS } = await load('rate', 2000);
      expect(statuses).toEqual(new Set([200, 429]));
      expect(granted).toBeLessThanOrEqual((10 + 10 * elapsedS) * 1.05);
      expect(granted).toBeGreaterThanOrEqual(10);
    });

    it('count those under way together', async () => {
      const [first, second] = [replica(0), replica(1)];
      const gone = new AbortController();
      const spinning = run(first, keyOf('slow'), { body: SPIN, signal: gone.signal }).catch(
        () => 'gone',
      );
      const isBusy = async () => ((await stats(first)).slots.busy > 0 ? true : null);
      await waitFor(isBusy, { what: 'a run', timeoutMs: 20_000 });
      expect(await run(second, keyOf('slow'))).toBe(429);
      gone.abort();
      expect(await spinning).toBe('gone');
      await untilStatus(second, keyOf('slow'), 200);
    });

    it('go on within limits when Redis is killed under load, say so, and come back', async () => {
      const loaded = load('fault', 2000);
      await untilStatus(replica(0), keyOf('fault'), 429);
      await redis?.stop('SIGKILL');
      const { granted, statuses, elapsedS } = await loaded;
      expect(statuses).toEqual(new Set([200, 429]));
      // From then on each replica counts by itself, beginning with a full bucket.
      expect(granted).toBeLessThanOrEqual(3 * (5 + 5 * elapsedS));
      for (const service of replicas) {
        await run(service, keyOf('fault'));
        expect(await isDegraded(service)).toBe(true);
        const isTold = () => (service.output().includes('Redis does not answer') ? true : null);
        await waitFor(isTold, { what: 'a line of the log', timeoutMs: 20_000 });
        expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      }
      redis = await startRedis({ port: redis?.port ?? 0 });
      for (const service of replicas) {
        const isBack = async () => {
          await run(service, keyOf('fault'));
          return (await isDegraded(service)) ? null : true;
        };
        await waitFor(isBack, { what: 'the shared limits', timeoutMs: 30_000 });
      }
    });

    it('answer while Redis hangs', async () => {
      const pid = redis?.pid ?? 0;
      process.kill(pid, 'SIGSTOP');
      try {
        expect(await run(replica(0), keyOf('hang'))).toBe(200);
        expect(await isDegraded(replica(0))).toBe(true);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    });
  },
);
