/**
 * Pools through the live service: what is measured and told of them, and that memory is not given out twice. The rules are
 * tested in src/pool.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StatsResponse } from '../../src/http/native/stats-to-wire.ts';
import { aJudge } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const MIB = 1024 * 1024;

async function statsOf(service: RunningService): Promise<StatsResponse> {
  return StatsResponse.parse((await service.client.get('/v1/stats')).body);
}

async function python(service: RunningService): Promise<StatsResponse['environments'][number]> {
  const { environments } = await statsOf(service);
  const found = environments.find(({ id }) => id === 'python');
  if (found === undefined) throw new Error('there is no Python');
  return found;
}

describe('pools of a service', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2', '--self-test': 'none' } });
  });
  afterAll(async () => {
    await service.stop();
  });

  it('tell what a warm jail holds: an interpreter with its modules', async () => {
    const { idle_bytes } = await waitFor(
      async () => {
        const stats = await python(service);
        return stats.idle_bytes === null ? null : stats;
      },
      { what: 'a measured jail', timeoutMs: 30_000 },
    );
    expect(idle_bytes).toBeGreaterThan(4 * MIB);
    expect(idle_bytes).toBeLessThan(128 * MIB);
  });

  it('find a jail ready for nearly every submission of a steady load, and tell how long that took', async () => {
    // The jails beyond the first take some submissions' time to start.
    const until = performance.now() + 4000;
    const submit = async (): Promise<void> => {
      while (performance.now() < until) {
        const { verdict } = await service.client.judge(aJudge());
        expect(verdict).toBe('accepted');
      }
    };
    await Promise.all([submit(), submit()]);
    const { jails, warm_hit_rate, acquire_warm_ms } = await python(service);
    expect(jails.target).toBe(3);
    expect(warm_hit_rate).toBeGreaterThanOrEqual(0.8);
    expect(acquire_warm_ms?.p50).toBeLessThan(50);
  });

  it('account for all of it within the capacity', async () => {
    const { jail_memory } = await statsOf(service);
    const { capacity_bytes, idle_bytes, busy_bytes, waiting } = jail_memory;
    expect(idle_bytes).toBeGreaterThan(0);
    expect(idle_bytes + busy_bytes).toBeLessThanOrEqual(capacity_bytes);
    expect([busy_bytes, waiting]).toEqual([0, 0]);
  });
});

describe('a service whose memory holds one submission at a time', () => {
  it('serves them one after the other, gives up idle jails for them, and says so', async () => {
    const flags = { '--slots': '2', '--self-test': 'none', '--jail-memory-mb': '600' };
    await using service = await startService({ flags });
    const code = 'import time\ntime.sleep(0.5)\nprint("hello")';
    const busy: number[] = [];
    const watch = setInterval(() => {
      void statsOf(service).then(({ jail_memory }) => busy.push(jail_memory.busy_bytes));
    }, 50);
    const request = aJudge({ code, limits: { memory_mb: 512 } });
    const reports = await Promise.all([1, 2, 3].map(() => service.client.judge(request)));
    clearInterval(watch);
    expect(reports.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(Math.max(...busy)).toBeGreaterThanOrEqual(512 * MIB);
    expect(Math.max(...busy)).toBeLessThan(600 * MIB);
    const waits = reports.map(({ phases }) => phases.acquire_ms).toSorted((a, b) => a - b);
    expect(waits.at(-1)).toBeGreaterThan(500);
    const { jail_memory } = await statsOf(service);
    expect(jail_memory.reclaimed + jail_memory.refused).toBeGreaterThan(0);
    expect(jail_memory).toMatchObject({ capacity_bytes: 600 * MIB, busy_bytes: 0, waiting: 0 });
  });
});
