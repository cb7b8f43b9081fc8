/** Sessions when something breaks: a killed jail costs a second try and no file, and an ended service leaves nothing. */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { ExecResponse, SessionList, SessionWire } from '../../src/http/native/schema/session.ts';
import { groupParents, groupsOf } from '../support/host-snapshot.ts';
import { descendants, isAlive, ownedProcesses, processFacts } from '../support/process-tree.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { createGuard } from '../support/unharmed.ts';
import { waitFor } from '../support/wait.ts';

const PATIENCE_MS = 20_000;
const FLAGS = { '--self-test': 'none', '--slots': '1' };

async function start(stateDir: string): Promise<RunningService> {
  return await startService({ languages: ['python'], flags: FLAGS, stateDir });
}

async function create({ client }: RunningService): Promise<string> {
  return SessionWire.parse((await client.post('/v1/sessions', { language: 'python' })).body).id;
}

async function exec({ client }: RunningService, id: string, command: string) {
  const limits = { wall_ms: 20_000 };
  return ExecResponse.parse(
    (await client.post(`/v1/sessions/${id}/exec`, { command, limits })).body,
  );
}

/** The supervisor of a jail with a run in it. */
function busySupervisor({ pid }: RunningService): number | null {
  const { supervisors, runs } = ownedProcesses(pid);
  const parents = runs.flatMap((run) => processFacts(run)?.parent ?? []);
  return supervisors.find((each) => parents.includes(each)) ?? null;
}

async function expectGone(paths: readonly string[]): Promise<void> {
  await waitFor(() => (paths.some((each) => existsSync(each)) ? null : true), {
    what: 'end of all control groups',
    timeoutMs: PATIENCE_MS,
  });
}

describe('a session', () => {
  it('loses no file with its jail: the exec is done on another, or is not done and says so', async () => {
    const service = await start(await temporaryFolder());
    const guard = await createGuard(service, ['python']);
    const id = await create(service);
    await exec(service, id, 'echo 1 > f');
    const answer = exec(service, id, 'echo 2 >> f; sleep 3; cat f');
    const victim = await waitFor(() => busySupervisor(service), {
      what: 'a busy jail',
      timeoutMs: PATIENCE_MS,
    });
    process.kill(victim, 'SIGKILL');
    expect(await answer).toMatchObject({
      outcome: { stdout: '1\n2\n' },
      ...{ attempts: 2, kept: true, seq: 2 },
    });
    // And where the second try ends in a fault as well, the folder is as it was.
    const before = await exec(service, id, 'echo 3 > f');
    const faulty = exec(service, id, 'echo 4 >> f; sleep 15');
    const killed = new Set([victim]);
    while (killed.size < 3) {
      const next = await waitFor(
        () => {
          const found = busySupervisor(service);
          return found === null || killed.has(found) ? null : found;
        },
        { what: 'a busy jail', timeoutMs: PATIENCE_MS },
      );
      process.kill(next, 'SIGKILL');
      killed.add(next);
    }
    expect(await faulty).toMatchObject({
      fault: { code: 'jail_died', retryable: true },
      ...{ outcome: null, kept: false, not_kept: 'fault', seq: null, tree: before.tree },
    });
    expect((await exec(service, id, 'cat f')).outcome?.stdout).toBe('3\n');
    await guard.expectUnharmed();
    await service.stop();
  });
});

describe('the end of a service with sessions', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('%s leaves nothing of them', async (signal) => {
    const stateDir = await temporaryFolder();
    const first = await start(stateDir);
    const id = await create(first);
    const body = { command: 'sleep 4; echo x > f', limits: { wall_ms: 20_000 } };
    const answer = first.client.post(`/v1/sessions/${id}/exec`, body).catch(() => null);
    await waitFor(() => busySupervisor(first), { what: 'a run', timeoutMs: PATIENCE_MS });
    const pids = descendants(first.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(first.pid), ...groupParents(first.pid)];
    first.kill(signal);
    const told = await answer;
    if (signal === 'SIGTERM') expect(told?.status).toBe(200);
    await first.exited();
    await waitFor(() => (pids.some(isAlive) ? null : true), {
      what: 'end of all processes',
      timeoutMs: PATIENCE_MS,
    });
    // What a killed service could not take away its next start does.
    const second = signal === 'SIGKILL' ? await start(stateDir) : null;
    await expectGone(groups);
    const left = await readdir(stateDir);
    expect(left.filter((name) => name.includes(String(first.pid)))).toEqual([]);
    if (second !== null) {
      expect((await second.client.get(`/v1/sessions/${id}`)).status).toBe(404);
      const { body: list } = await second.client.get('/v1/sessions');
      expect(SessionList.parse(list).sessions).toEqual([]);
      await second.stop();
    }
    await rm(stateDir, { recursive: true, force: true });
  });
});
