/**
 * Parts of ours killed under load, one kind after the other: every request gets the right answer from a fresh jail,
 * both attempts are in the report, nothing hangs, and nothing is left over.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aRun } from '../support/builders.ts';
import { isAlive, ownedProcesses, processFacts } from '../support/process-tree.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createGuard, expectHonestRun, type Guard } from '../support/unharmed.ts';
import { waitFor } from '../support/wait.ts';
import { aLoad, expectRight, judgeAll } from './load.ts';

const IN_FLIGHT = 24;
/** A submission of the load takes about 350 ms. */
const RETRY_MS = 1200;

interface Part {
  readonly name: string;
  /** Whom to kill now: parts of a jail in which a program runs, so that the breakdown is felt. */
  readonly victim: (service: RunningService) => number | null;
  readonly faults: readonly string[];
}

/** The supervisor of a jail with a run in it. */
function busySupervisor({ pid }: { readonly pid: number }): number | null {
  const { supervisors, runs } = ownedProcesses(pid);
  const parents = runs.flatMap((run) => processFacts(run)?.parent ?? []);
  return supervisors.find((supervisor) => parents.includes(supervisor)) ?? null;
}

const PARTS: readonly Part[] = [
  { name: 'the supervisor', victim: busySupervisor, faults: ['jail_died'] },
  {
    name: 'nsjail',
    victim(service) {
      const supervisor = busySupervisor(service);
      return supervisor === null ? null : (processFacts(supervisor)?.parent ?? null);
    },
    faults: ['jail_died'],
  },
  {
    name: 'a warm runtime',
    victim({ pid }) {
      const supervisor = busySupervisor({ pid });
      const { warmRuntimes } = ownedProcesses(pid);
      return warmRuntimes.find((each) => processFacts(each)?.parent === supervisor) ?? null;
    },
    // The supervisor says why it ends.
    faults: ['supervisor_error'],
  },
];

describe('a part killed under load', () => {
  let service: RunningService;
  let guard: Guard;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
    guard = await createGuard(service, ['python']);
  });
  afterAll(async () => await service.stop());

  it.each(PARTS)('$name: every request is answered right', async ({ victim, faults }) => {
    const answers = judgeAll(service.client, aLoad(IN_FLIGHT));
    const killed = new Set<number>();
    for (let i = 0; i < 3; i += 1) {
      const pid = await waitFor(
        () => {
          const found = victim(service);
          return found === null || killed.has(found) ? null : found;
        },
        { what: 'victim', timeoutMs: 20_000 },
      );
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
      // A request hit twice is a fault by right; so long takes the retry of the one just hit.
      await sleep(RETRY_MS);
    }
    const reports = await answers;
    expect(reports.length).toBe(IN_FLIGHT);
    for (const report of reports) expectRight(report);
    const retried = reports.filter(({ attempts }) => attempts.length > 0);
    expect(retried.length).toBeGreaterThanOrEqual(1);
    for (const { attempts } of retried) {
      expect(attempts.length).toBe(2);
      expect(faults).toContain(attempts[0]?.fault?.code);
      expect(attempts[1]?.fault).toBeNull();
      expect(attempts[0]?.jail).not.toBe(attempts[1]?.jail);
    }
    await guard.expectUnharmed();
  });

  it('the supervisor stopped instead of killed: unresponsive, retried on another jail', async () => {
    const answer = service.client.judge({ ...aLoad(1)[0], ...SLOW });
    const pid = await waitFor(() => busySupervisor(service), {
      what: 'supervisor',
      timeoutMs: 20_000,
    });
    process.kill(pid, 'SIGSTOP');
    const report = await answer;
    expect(report).toMatchObject({ verdict: 'accepted', reward: 1, fault: null });
    expect(report.attempts.map(({ fault }) => fault?.code ?? null)).toEqual([
      'jail_unresponsive',
      null,
    ]);
    await waitFor(() => (isAlive(pid) ? null : true), {
      what: 'end of the stopped jail',
      timeoutMs: 20_000,
    });
    await guard.expectUnharmed();
  });
});

/** Ends in time, so that only the stopped supervisor makes it late. */
const SLOW = {
  language: 'python',
  code: 'import time\ntime.sleep(0.5)\nprint(1)',
  limits: { cpu_ms: 500, wall_ms: 1500 },
  tests: { kind: 'stdio' as const, cases: [{ expected_stdout: '1\n' }] },
};

describe('the launcher killed under load', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
  });
  afterAll(async () => await service.stop());

  it('every request gets an answer, never a wrong reward, and the service recovers', async () => {
    const answers = judgeAll(service.client, aLoad(IN_FLIGHT));
    await waitFor(() => busySupervisor(service), { what: 'run', timeoutMs: 20_000 });
    const [launcher] = ownedProcesses(service.pid).launchers;
    if (launcher === undefined) throw new Error('the service has no launcher');
    process.kill(launcher, 'SIGKILL');
    const reports = await answers;
    expect(reports.length).toBe(IN_FLIGHT);
    for (const report of reports) expectRight(report);
    await expectHonestRun(service);
    const { launchers } = ownedProcesses(service.pid);
    expect(launchers.length).toBe(1);
    expect(launchers).not.toContain(launcher);
  });
});

/** 2 s of doubt, 10 s for an answer that does not come; the rest is for a busy host, ms. */
const STOPPED_MAX_MS = 20_000;

describe('a launcher that cannot be used', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '1' } });
  });
  afterAll(async () => await service.stop());

  const loseJails = async (): Promise<void> => {
    const { supervisors } = ownedProcesses(service.pid);
    for (const pid of supervisors) process.kill(pid, 'SIGKILL');
    await waitFor(() => (supervisors.some(isAlive) ? null : true), {
      what: 'end of the jails',
      timeoutMs: 20_000,
    });
  };
  /** Jails whose start was under way do not need a launcher that works: they are lost, too, until there is another. */
  const isReplaced = async (before: number | undefined): Promise<void> => {
    const look = async (): Promise<true | null> => {
      await loseJails();
      const { launchers } = ownedProcesses(service.pid);
      return launchers.length > 0 && !launchers.includes(before ?? 0) ? true : null;
    };
    await waitFor(look, { what: 'another launcher', timeoutMs: 90_000 });
  };
  /** A run that ends well; faults until then are ours and said to be. */
  const recovers = async (): Promise<void> => {
    const isWell = async (): Promise<true | null> => {
      const { outcome, fault } = await service.client.run(aRun());
      if (outcome === null) expect(['jail_start_failed', 'jail_died']).toContain(fault?.code);
      return outcome?.exit_code === 0 ? true : null;
    };
    await waitFor(isWell, { what: 'a run that ends well', timeoutMs: 90_000 });
    const isReady = async (): Promise<true | null> =>
      (await service.client.get('/readyz')).status === 200 ? true : null;
    await waitFor(isReady, { what: 'readiness', timeoutMs: 10_000 });
  };

  it('is replaced when its socket has been removed', async () => {
    const [before] = ownedProcesses(service.pid).launchers;
    // The service goes on writing there meanwhile.
    await rm(service.stateDir, { recursive: true, force: true, maxRetries: 20 });
    await isReplaced(before);
    await recovers();
  });

  it('is replaced when it is stopped and answers nobody', async () => {
    const [before] = ownedProcesses(service.pid).launchers;
    if (before === undefined) throw new Error('the service has no launcher');
    process.kill(before, 'SIGSTOP');
    const since = performance.now();
    await isReplaced(before);
    await recovers();
    expect(isAlive(before)).toBe(false);
    expect(performance.now() - since).toBeLessThan(STOPPED_MAX_MS);
    // Whoever reads the log learns which process it was.
    expect(service.output()).toContain(`process ${before}, has not responded within`);
  });
});

describe('a caller who hangs up', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '1' } });
  });
  afterAll(async () => await service.stop());

  it('frees the slot of running work and the place of queued work at once', async () => {
    const { client } = service;
    const endless = aRun({ code: 'while True: pass', limits: { cpu_ms: 60_000, wall_ms: 60_000 } });
    const callers = Array.from({ length: 8 }, () => new AbortController());
    const calls = callers.map(({ signal }) => client.run(endless, { signal }).catch(() => 'gone'));
    const isFull = async (): Promise<true | null> => {
      const { slots, queue } = await client.stats();
      return slots.busy === 1 && queue.length === callers.length - 1 ? true : null;
    };
    await waitFor(isFull, { what: 'full queue', timeoutMs: 10_000 });
    for (const caller of callers) caller.abort();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'gone'));
    const since = performance.now();
    await expectHonestRun(service);
    expect(performance.now() - since).toBeLessThan(5000);
    const isEmpty = async (): Promise<true | null> => {
      const { slots, queue } = await client.stats();
      return slots.busy === 0 && queue.length === 0 ? true : null;
    };
    await waitFor(isEmpty, { what: 'empty queue', timeoutMs: 10_000 });
    expect(ownedProcesses(service.pid).runs).toEqual([]);
    const { given_up: givenUp } = await client.stats();
    // One that waits may get the slot before its own leaving is heard of.
    const [ran = 0, waited = 0] = [givenUp.running, givenUp.waiting].map(
      (each) => each['caller_gone'],
    );
    expect(ran).toBeGreaterThan(0);
    expect(ran + waited).toBe(callers.length);
  });

  it('is answered 504 by the deadline it set itself, queued or running', async () => {
    const { client } = service;
    const endless = { code: 'while True: pass', limits: { cpu_ms: 60_000, wall_ms: 60_000 } };
    const before = (await client.stats()).given_up;
    const running = await client.post('/v1/run', aRun({ ...endless, deadline_ms: 400 }));
    expect(running.status).toBe(504);
    const holder = new AbortController();
    const held = client.run(aRun(endless), { signal: holder.signal }).catch(() => 'gone');
    const isHeld = async (): Promise<true | null> =>
      (await client.stats()).slots.busy === 1 && ownedProcesses(service.pid).runs.length > 0
        ? true
        : null;
    await waitFor(isHeld, { what: 'run', timeoutMs: 20_000 });
    const queued = await client.post('/v1/run', aRun({ ...endless, deadline_ms: 300 }));
    expect(queued.status).toBe(504);
    const { given_up: givenUp } = await client.stats();
    expect(givenUp.running).toEqual({ ...before.running, deadline: 1 });
    expect(givenUp.waiting).toEqual({ ...before.waiting, deadline: 1 });
    holder.abort();
    expect(await held).toBe('gone');
    await expectHonestRun(service);
  });
});
