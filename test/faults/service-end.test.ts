/** How the service ends, politely and not: nobody hangs, nothing is left, and the next start clears what a crash left. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { aRun } from '../support/builders.ts';
import { toProblem } from '../support/client.ts';
import { startAssay } from '../support/command.ts';
import { groupParents, groupsOf } from '../support/host-snapshot.ts';
import { descendants, isAlive, ownedProcesses } from '../support/process-tree.ts';
import {
  freshStateDir,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service.ts';
import { expectHonestRun } from '../support/unharmed.ts';
import { waitFor, within } from '../support/wait.ts';
import { aLoad, expectRight } from './load.ts';

/** Processes end this soon after the service, ms. */
const GONE_MS = 10_000;

async function expectGone(pids: readonly number[]): Promise<void> {
  await waitFor(() => (pids.some(isAlive) ? null : true), {
    what: 'end of all processes',
    timeoutMs: GONE_MS,
  });
}

async function expectNoGroups(folders: readonly string[]): Promise<void> {
  await waitFor(() => (folders.some((folder) => existsSync(folder)) ? null : true), {
    what: 'end of all control groups',
    timeoutMs: GONE_MS,
  });
}

/** What a service keeps in its state folder for as long as it lives. */
async function instanceFolders({
  stateDir,
  pid,
}: Pick<RunningService, 'stateDir' | 'pid'>): Promise<string[]> {
  const entries = await readdir(stateDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.includes(String(pid)))
    .map(({ name }) => name);
}

describe('SIGTERM under load', () => {
  it('finishes what runs, refuses what waits with 503 draining, leaves nothing', async () => {
    const service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
    const { client } = service;
    const answers = aLoad(24).map((request) => client.post('/v1/judge', request));
    const isBusy = async (): Promise<true | null> => {
      const { slots, queue } = await client.stats();
      return slots.busy === 2 && queue.length > 0 && ownedProcesses(service.pid).runs.length > 0
        ? true
        : null;
    };
    await waitFor(isBusy, { what: 'load', timeoutMs: 20_000 });
    const pids = descendants(service.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(service.pid), ...groupParents(service.pid)];
    service.kill('SIGTERM');
    const settled = await within(Promise.all(answers), { what: 'answers', timeoutMs: 30_000 });
    const statuses = new Set(settled.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    const refused = settled.filter(({ status }) => status === 503);
    expect(new Set(refused.map((answer) => toProblem(answer).code))).toEqual(new Set(['draining']));
    expect(await service.exited()).toEqual({ code: 0, signal: null });
    await expectGone(pids);
    await expectNoGroups(groups);
    const left = await readdir(service.stateDir, { recursive: true });
    expect(left.filter((name) => name.endsWith('.sock'))).toEqual([]);
    await rm(service.stateDir, { recursive: true });
  });

  it('ends at once when idle', async () => {
    const service = await startService({ languages: ['python'] });
    await expectHonestRun(service);
    const since = performance.now();
    service.kill('SIGTERM');
    expect(await service.exited()).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeLessThan(5000);
    await rm(service.stateDir, { recursive: true });
  });

  it('does not wait for ever for a program that runs on', async () => {
    const service = await startService({
      languages: ['python'],
      flags: { '--slots': '1', '--drain-ms': '1000' },
    });
    const endless = aRun({ code: 'while True: pass', limits: { cpu_ms: 60_000, wall_ms: 60_000 } });
    const answer = service.client.post('/v1/run', endless).catch(() => null);
    await waitFor(() => (ownedProcesses(service.pid).runs.length > 0 ? true : null), {
      what: 'run',
      timeoutMs: 20_000,
    });
    const pids = descendants(service.pid).map(({ pid }) => pid);
    service.kill('SIGTERM');
    await service.exited(15_000);
    const status = (await answer)?.status ?? null;
    expect([503, null]).toContain(status);
    await expectGone(pids);
    await rm(service.stateDir, { recursive: true });
  });
});

describe('Ctrl-C, which signals the whole process group', () => {
  it('finishes what runs with its right verdict', async () => {
    const service = await startService({
      languages: ['python'],
      flags: { '--slots': '2' },
      ownGroup: true,
    });
    const load = aLoad(2);
    const answers = load.map((request) => service.client.judge(request));
    await waitFor(() => (ownedProcesses(service.pid).runs.length > 1 ? true : null), {
      what: 'runs',
      timeoutMs: 20_000,
    });
    service.killGroup('SIGINT');
    for (const report of await Promise.all(answers)) {
      expectRight(report);
      expect(report.attempts).toEqual([]);
    }
    expect(await service.exited()).toEqual({ code: 0, signal: null });
    await rm(service.stateDir, { recursive: true });
  });

  it('a second time ends what runs and still clears up', async () => {
    const service = await startService({
      languages: ['python'],
      flags: { '--slots': '1' },
      ownGroup: true,
    });
    const endless = aRun({ code: 'while True: pass', limits: { cpu_ms: 60_000, wall_ms: 60_000 } });
    const answer = service.client.post('/v1/run', endless).catch(() => null);
    await waitFor(() => (ownedProcesses(service.pid).runs.length > 0 ? true : null), {
      what: 'run',
      timeoutMs: 20_000,
    });
    const pids = descendants(service.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(service.pid), ...groupParents(service.pid)];
    service.killGroup('SIGINT');
    await waitFor(() => (service.output().includes('stopping') ? true : null), {
      what: 'word of stopping',
      timeoutMs: 5000,
    });
    // Signals within a second are one, because npm and the terminal both send one.
    await sleep(1200);
    service.killGroup('SIGINT');
    expect(await service.exited(10_000)).toEqual({ code: 3, signal: null });
    expect([503, null]).toContain((await answer)?.status ?? null);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(groups.filter((folder) => existsSync(folder))).toEqual([]);
    expect(await instanceFolders(service)).toEqual([]);
    await rm(service.stateDir, { recursive: true });
  });
});

/** Whether a program runs for longer than a self-test does; null while none does. */
async function lastingRun(pid: number): Promise<true | null> {
  const before = new Set(ownedProcesses(pid).runs);
  await sleep(800);
  return ownedProcesses(pid).runs.some((run) => before.has(run)) ? true : null;
}

/** A command that judges or runs a program for a minute; its files are in `stateDir`. */
async function spinning(name: 'run' | 'gauntlet', stateDir: string): Promise<readonly string[]> {
  const program = '# Hack 1: Spins.\n# Expected: no reward.\nwhile True: pass\n';
  const tests = { kind: 'stdio', cases: [{ expected_stdout: '' }] };
  const limits = { hack: { cpu_ms: 60_000 }, honest: {} };
  const files = {
    'catalogue.json': { hacks: { 1: 'Spin' }, not_applicable: {} },
    'p/problem.json': { title: 'Any', limits, styles: { stdio: { tests } } },
  };
  const folder = path.join(stateDir, 'programs');
  await mkdir(path.join(folder, 'p', 'hacks'), { recursive: true });
  await mkdir(path.join(folder, 'p', 'honest'));
  for (const [file, value] of Object.entries(files))
    await writeFile(path.join(folder, file), JSON.stringify(value));
  const spin = path.join(folder, 'p', 'hacks', 'spin.py');
  await writeFile(spin, program);
  return name === 'run' ? ['run', spin, '--cpu-ms', '60000'] : ['gauntlet', '--folder', folder];
}

describe('a signal to a command with a service of its own', () => {
  it.each([
    ['run', 'SIGINT', 130],
    ['run', 'SIGTERM', 143],
    ['gauntlet', 'SIGINT', 130],
  ] as const)('%s: %s leaves nothing and is told in the exit code', async (name, signal, code) => {
    const stateDir = await freshStateDir();
    const argv = [
      ...(await spinning(name, stateDir)),
      '--languages',
      'python',
      '--state-dir',
      stateDir,
    ];
    const started = startAssay(argv);
    await waitFor(() => lastingRun(started.pid), { what: 'run', timeoutMs: 20_000 });
    const pids = descendants(started.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(started.pid), ...groupParents(started.pid)];
    started.kill(signal);
    expect(await started.exited(10_000)).toBe(code);
    await expectGone(pids);
    expect(groups.filter((folder) => existsSync(folder))).toEqual([]);
    expect(await instanceFolders({ pid: started.pid, stateDir })).toEqual([]);
    await rm(stateDir, { recursive: true });
  });
});

describe('a signal in the middle of a start', () => {
  it.each([
    ['serve', 'SIGINT', 0],
    ['serve', 'SIGTERM', 0],
    ['languages', 'SIGINT', 130],
    ['languages', 'SIGTERM', 143],
  ] as const)('%s, %s: leaves nothing and is told in the exit code', async (name, signal, code) => {
    const stateDir = await temporaryFolder();
    const port = name === 'serve' ? ['--port', '0'] : [];
    const started = startAssay([name, '--state-dir', stateDir, ...port]);
    // The wall is being tried; the toolchains are still to be looked for.
    await waitFor(() => ownedProcesses(started.pid).launchers[0], {
      what: 'launcher',
      timeoutMs: 20_000,
    });
    const pids = descendants(started.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(started.pid), ...groupParents(started.pid)];
    started.kill(signal);
    expect(await started.exited(20_000)).toBe(code);
    await expectGone(pids);
    await expectNoGroups(groups);
    expect(await instanceFolders({ pid: started.pid, stateDir })).toEqual([]);
    await rm(stateDir, { recursive: true });
  });
});

describe('SIGKILL of the service under load', () => {
  it('leaves no process, and the next start sweeps groups and state', async () => {
    const stateDir = await temporaryFolder();
    const first = await startService({
      languages: ['python'],
      stateDir,
      flags: { '--slots': '2' },
    });
    const answers = aLoad(20).map((request) =>
      first.client.post('/v1/judge', request).catch(() => null),
    );
    await waitFor(() => (ownedProcesses(first.pid).runs.length > 0 ? true : null), {
      what: 'run',
      timeoutMs: 20_000,
    });
    const pids = descendants(first.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(first.pid), ...groupParents(first.pid)];
    expect(pids.length).toBeGreaterThan(2);
    first.kill('SIGKILL');
    await within(Promise.all(answers), { what: 'end of all calls', timeoutMs: 10_000 });
    await expectGone(pids);
    const second = await startService({
      languages: ['python'],
      stateDir,
      flags: { '--slots': '2' },
    });
    await expectHonestRun(second);
    await expectNoGroups(groups);
    expect(await instanceFolders({ pid: first.pid, stateDir })).toEqual([]);
    await second.stop();
  });

  it('together with its launcher leaves no process either', async () => {
    const stateDir = await temporaryFolder();
    const first = await startService({
      languages: ['python'],
      stateDir,
      flags: { '--slots': '2' },
    });
    const answers = aLoad(8).map((request) =>
      first.client.post('/v1/judge', request).catch(() => null),
    );
    await waitFor(() => (ownedProcesses(first.pid).runs.length > 0 ? true : null), {
      what: 'run',
      timeoutMs: 20_000,
    });
    const pids = descendants(first.pid).map(({ pid }) => pid);
    const groups = [...groupsOf(first.pid), ...groupParents(first.pid)];
    for (const launcher of ownedProcesses(first.pid).launchers) process.kill(launcher, 'SIGKILL');
    first.kill('SIGKILL');
    await Promise.all(answers);
    await expectGone(pids);
    const second = await startService({ languages: ['python'], stateDir });
    await expectNoGroups(groups);
    await second.stop();
  });
});
