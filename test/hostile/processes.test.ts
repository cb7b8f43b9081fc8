/** Programs that refuse to die, multiply, or take time and rights that are not theirs. */
import { constants } from 'node:os';

import { describe, expect, it } from 'vitest';

import { aRun } from '../support/builders.ts';
import type { Outcome } from '../support/client.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { expectHonestRun } from '../support/unharmed.ts';
import { describeRuns, useArena } from './hostile-suite.ts';

const { SIGKILL, SIGABRT, SIGSEGV, SIGTERM, SIGXCPU } = constants.signals;
/** A run that only waits for its children must not take longer than this when they are killed with it, ms. */
const AT_ONCE_MS = 1000;
/** Wall limits are met within this, ms: killing and reaping on a busy host. */
const LATE_MAX_MS = 1000;

const answersAtOnce = ({ stdout, wall_ms: wallMs }: Outcome): void => {
  expect(stdout).toBe('42\n');
  expect(wallMs).toBeLessThan(AT_ONCE_MS);
};
const answersOrIsStopped = ({ kind, stdout }: Outcome): void => {
  expect(['exited', 'process_limit']).toContain(kind);
  expect(['42\n', '']).toContain(stdout);
};
const WALL = { limits: { wall_ms: 700, cpu_ms: 5000 } };
const wallLimit = {
  expect: { kind: 'time_limit', limit: 'wall' } as const,
  request: WALL,
  check({ wall_ms: wallMs }: Outcome) {
    expect(wallMs).toBeGreaterThanOrEqual(WALL.limits.wall_ms);
    expect(wallMs).toBeLessThan(WALL.limits.wall_ms + LATE_MAX_MS);
  },
};
const CPU = { limits: { cpu_ms: 400, wall_ms: 15_000 } };
const cpuLimit = {
  expect: { kind: 'time_limit', limit: 'cpu' } as const,
  request: CPU,
  check: ({ cpu_ms: cpuMs }: Outcome) => expect(cpuMs).toBeGreaterThanOrEqual(CPU.limits.cpu_ms),
};

describe('processes and time', () => {
  const arena = useArena();

  describeRuns('leaving others behind', arena, [
    {
      program: 'processes/fork-and-leave.c',
      expect: { kind: 'exited', exit_code: 0 },
      check: answersAtOnce,
    },
    {
      program: 'processes/daemon-keeps-stdout.c',
      expect: { kind: 'exited', exit_code: 0 },
      check: answersAtOnce,
    },
    {
      program: 'processes/swarm-leaves.c',
      expect: {},
      check: answersOrIsStopped,
    },
    { program: 'processes/zombies.c', expect: { kind: 'exited', exit_code: 0, stdout: '42\n' } },
  ]);

  describeRuns('refusing to die', arena, [
    { program: 'processes/stop-itself.c', ...wallLimit },
    { program: 'processes/stop-group.c', ...wallLimit },
    { program: 'processes/ignore-signals.c', ...wallLimit },
    { program: 'processes/sleep.py', ...wallLimit },
  ]);

  describeRuns('killing others', arena, [
    {
      program: 'processes/kill-everyone.c',
      expect: { kind: 'exited', exit_code: 0, stdout: 'alive\n' },
    },
  ]);

  describeRuns('multiplying', arena, [
    {
      program: 'processes/fork-bomb.c',
      request: { limits: { processes: 32, cpu_ms: 5000 } },
      expect: { kind: 'process_limit', limit: 'processes' },
    },
    {
      program: 'processes/thread-bomb.c',
      request: { limits: { processes: 32, cpu_ms: 5000 } },
      expect: { kind: 'process_limit', limit: 'processes' },
    },
  ]);

  describeRuns('taking time', arena, [
    { program: 'processes/spin-user.c', ...cpuLimit },
    { program: 'processes/spin-system.c', ...cpuLimit },
    { program: 'processes/spin-page-faults.c', ...cpuLimit },
    { program: 'processes/spin-grandchild.c', ...cpuLimit },
    { program: 'processes/spin-short-children.c', ...cpuLimit },
  ]);

  describeRuns('ways to end', arena, [
    ...[0, 1, 126, 127, 128 + SIGKILL, 128 + SIGXCPU, 255].map((code) => ({
      program: 'processes/exit-code.c',
      as: String(code),
      request: { args: [String(code)] },
      expect: { kind: 'exited' as const, exit_code: code, signal: null, limit: null },
    })),
    ...[SIGKILL, SIGTERM, SIGSEGV, constants.signals.SIGHUP].map((signal) => ({
      program: 'processes/kill-itself.c',
      as: String(signal),
      request: { args: [String(signal)] },
      expect: { kind: 'signalled' as const, signal, exit_code: null, limit: null },
    })),
    { program: 'processes/abort.c', expect: { kind: 'signalled', signal: SIGABRT } },
    { program: 'processes/overflow-stack.c', expect: { kind: 'signalled', signal: SIGSEGV } },
  ]);

  it('cannot raise its limits, its priority or its rights', async () => {
    const outcome = await arena
      .service()
      .client.outcome(aRun(hostileProgram('processes/raise-limits.c')));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0 });
    expect(outcome.stdout).not.toContain('granted');
    expect(outcome.stdout).toContain('no_new_privs 1');
    // A limit that is not set at all could not be raised either.
    const unlimited = outcome.stdout.split('\n').filter((line) => line.includes('unlimited'));
    expect(unlimited).toEqual([]);
    await arena.guard().expectUnharmed();
  });

  it('does not hurt a neighbour by a fork bomb, a memory hog and a flood at its side', async () => {
    const { client } = arena.service();
    const hogs = [
      'processes/fork-bomb.c',
      'resources/many-hogs.c',
      'streams/flood-both.c',
      'processes/spin-system.c',
    ];
    let isOver = false;
    const hostile = (async () => {
      for (let i = 0; !isOver; i += 1) {
        const program = hostileProgram(hogs[i % hogs.length] ?? '');
        await client.outcome(aRun({ ...program, limits: { cpu_ms: 500, memory_mb: 64 } }));
      }
    })();
    for (let i = 0; i < 20; i += 1) await expectHonestRun(arena.service());
    isOver = true;
    await hostile;
    await arena.guard().expectUnharmed();
  });
});
