/**
 * What must hold after every hostile program: the host as before, the service well, the next honest run on time. One
 * guard per service; it takes its picture when the service is warm.
 */
import { expect } from 'vitest';

import { aJudge, aRun } from './builders.ts';
import { comparable, takeSnapshot, type HostSnapshot } from './host-snapshot.ts';
import { residentBytes } from './process-tree.ts';
import type { RunningService } from './service.ts';
import { settle, SLOWNESS, waitFor } from './wait.ts';

/** The service's memory may vary with buffers of large answers, not grow with every run. */
const RESIDENT_GROWTH_MAX_BYTES = 400 * 1024 * 1024;
/** How long a jail may take to clean up or to be replaced, ms; much longer than it should, for a busy host. */
const SETTLE_MS = 10_000;
/** So long nothing changes before a picture counts as the state of rest, ms. */
const REST_MS = 300;
/** An honest run of a few ms may take this long on a busy host, ms of CPU. */
const HONEST_CPU_MAX_MS = 500 * SLOWNESS;

const JAILS_TIMEOUT_MS = 30_000;

export interface Guard {
  /** Asserts that nothing was left and nothing is broken. */
  expectUnharmed(): Promise<void>;
}

/** Warms the service up, takes the picture of before, and answers with the guard. */
export async function createGuard(
  service: RunningService,
  languages: readonly string[],
): Promise<Guard> {
  for (const language of languages) await service.client.run(warmUp(language));
  // Its jails start when the service is ready already. A run waits for them, or is refused where there are none.
  await service.client.post('/v1/run', aRun({ language: 'scientific' }));
  // A jail that is starting opens what it holds for good.
  await waitFor(async () => ((await isAnyStarting(service)) ? null : true), {
    what: 'the jails',
    timeoutMs: JAILS_TIMEOUT_MS,
  });
  const before = await restingSnapshot(service);
  const residentBefore = residentBytes(service.pid);
  return {
    async expectUnharmed() {
      const now = await settledSnapshot(service, before);
      expect(comparable(now, before)).toEqual({
        ...comparable(before, now),
        runs: [],
        unpairedJails: 0,
        strayGroups: 0,
      });
      await expectHonestRun(service);
      expect((await service.client.get('/healthz')).status).toBe(200);
      await expectNoGrowth(service, residentBefore);
    },
  };
}

/** What a large answer took is given back when the collector comes round, which on a busy host may be later. */
async function expectNoGrowth(service: RunningService, residentBefore: number): Promise<void> {
  await waitFor(
    async () => {
      await service.client.stats();
      const growth = residentBytes(service.pid) - residentBefore;
      return growth < RESIDENT_GROWTH_MAX_BYTES ? true : null;
    },
    { what: 'the memory of large answers to be given back', timeoutMs: SETTLE_MS },
  );
}

async function isAnyStarting(service: RunningService): Promise<boolean> {
  const { environments } = await service.client.stats();
  return environments.some(({ jails }) => jails.starting > 0);
}

/** An honest submission is accepted, without a fault, in about its own CPU time. */
export async function expectHonestRun(service: RunningService): Promise<void> {
  const report = await service.client.judge(
    aJudge({
      code: 'print(sum(map(int, input().split())))',
      cases: [{ stdin: '19 23\n', expected_stdout: '42\n' }],
    }),
  );
  const [first] = report.cases;
  expect(report).toMatchObject({ verdict: 'accepted', reward: 1, fault: null });
  expect(first?.cpu_ms ?? Infinity).toBeLessThan(HONEST_CPU_MAX_MS);
}

function warmUp(language: string): { language: string; code: string } {
  return { language, code: language === 'python' ? 'print(1)' : 'int main(void) { return 0; }' };
}

async function settledSnapshot(
  service: RunningService,
  before: HostSnapshot,
): Promise<HostSnapshot> {
  const isSettled = (now: HostSnapshot): boolean => isQuiet(now) && isSame(now, before);
  return await settle(() => takeSnapshot(service), isSettled, SETTLE_MS);
}

/** A picture that stays the same for a while: the jails of the self-tests have cleaned up and all are started. */
async function restingSnapshot(service: RunningService): Promise<HostSnapshot> {
  let last = takeSnapshot(service);
  let since = performance.now();
  return await settle(
    () => takeSnapshot(service),
    (now) => {
      if (!isQuiet(now) || !isSame(now, last) || now.supervisors.size !== last.supervisors.size) {
        since = performance.now();
      }
      last = now;
      return performance.now() - since > REST_MS;
    },
    SETTLE_MS,
  );
}

const isQuiet = (now: HostSnapshot): boolean =>
  now.runs.length === 0 && now.unpairedJails === 0 && now.strayGroups === 0;

const isSame = (one: HostSnapshot, other: HostSnapshot): boolean =>
  JSON.stringify(comparable(one, other)) === JSON.stringify(comparable(other, one));
