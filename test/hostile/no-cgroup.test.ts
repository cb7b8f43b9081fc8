/**
 * The weaker wall of a host without control groups (`--cgroup none`): rlimits and the supervisor's own looking. Programs
 * are still contained and never rewarded; what is known to be weaker: memory in files and memfds does not count towards
 * the memory limit, and a fork bomb may meet another limit first. The service says in its capabilities that it is weaker.
 * It is not stricter either: right programs that reserve much and touch little are accepted as behind a memory cgroup.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { Outcome } from '../support/client.ts';
import { describeRuns, useArena } from './hostile-suite.ts';

const memoryLimit = {
  request: { limits: { memory_mb: 64, disk_mb: 64, cpu_ms: 10_000 } },
  expect: { kind: 'memory_limit', limit: 'memory' } as const,
};
const cpuLimit = {
  request: { limits: { cpu_ms: 400, wall_ms: 15_000 } },
  expect: { kind: 'time_limit', limit: 'cpu' } as const,
};
const isContained = ({ kind, exit_code: exitCode, limit }: Outcome): void => {
  expect(['process_limit', 'time_limit', 'exited']).toContain(kind);
  expect(kind === 'exited' ? exitCode : limit).not.toBe(kind === 'exited' ? 0 : null);
};

const Capabilities = z.looseObject({
  cgroup: z.string(),
  walls: z.array(z.looseObject({ enforced: z.record(z.string(), z.string().nullable()) })),
});

describe('without control groups', () => {
  const arena = useArena({
    languages: ['javascript', 'typescript', 'cpp', 'bash'],
    flags: { '--cgroup': 'none' },
  });

  it('the service says what it enforces and how', async () => {
    const { body } = await arena.service().client.get('/v1/capabilities');
    const { cgroup, walls } = Capabilities.parse(body);
    expect(cgroup).toBe('none');
    expect(walls[0]?.enforced['memory'] ?? '').not.toContain('cgroup');
  });

  it.each(['javascript', 'typescript', 'python', 'c', 'cpp', 'bash'])(
    '%s is served if its toolchain is here',
    async (id) => {
      const language = (await arena.service().client.languages()).find((each) => each.id === id);
      expect(language?.reason ?? '').not.toContain('self-test');
    },
  );

  describeRuns('what is reserved and not touched', arena, [
    {
      program: 'resources/workers.js',
      request: { limits: { memory_mb: 128 } },
      expect: { kind: 'exited', exit_code: 0, stdout: '2\n' },
    },
    {
      program: 'resources/reserve.c',
      request: { limits: { memory_mb: 64 } },
      expect: { kind: 'exited', exit_code: 0, stdout: 'reserved\n' },
    },
  ]);

  describeRuns('memory', arena, [
    { program: 'resources/populate.c', ...memoryLimit },
    { program: 'resources/bytearray.py', ...memoryLimit },
    { program: 'resources/static-array.c', ...memoryLimit },
    { program: 'resources/heap.c', ...memoryLimit },
    { program: 'resources/heap.py', ...memoryLimit },
    { program: 'resources/mmap-shared.c', ...memoryLimit },
    { program: 'resources/many-hogs.c', ...memoryLimit },
    { program: 'resources/child-oom.c', ...memoryLimit },
  ]);

  describeRuns('processes', arena, [
    {
      program: 'processes/fork-bomb.c',
      request: { limits: { processes: 16, cpu_ms: 500 } },
      expect: {},
      check: isContained,
    },
    {
      program: 'processes/thread-bomb.c',
      request: { limits: { processes: 16, cpu_ms: 500 } },
      expect: {},
      check: isContained,
    },
    { program: 'processes/swarm-leaves.c', expect: {} },
    { program: 'processes/kill-everyone.c', expect: { kind: 'exited', stdout: 'alive\n' } },
  ]);

  describeRuns('time', arena, [
    { program: 'processes/spin-grandchild.c', ...cpuLimit },
    { program: 'processes/spin-short-children.c', ...cpuLimit },
    { program: 'processes/spin-system.c', ...cpuLimit },
  ]);
});
