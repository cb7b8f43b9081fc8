/** Programs that exhaust memory, disk, inodes and descriptors: the right limit is named, and only theirs is used up. */
import { constants } from 'node:os';

import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import type { Outcome } from '../support/client.ts';
import { command } from '../support/command.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { describeJudgements, describeRuns, useArena } from './hostile-suite.ts';

const wentDeep = ({ stdout }: Outcome): void => expect(Number(stdout)).toBeGreaterThan(100);
const memoryLimit = {
  request: { limits: { memory_mb: 64, disk_mb: 1024, cpu_ms: 10_000 } },
  expect: { kind: 'memory_limit', limit: 'memory' } as const,
};
const diskLimit = {
  request: { limits: { disk_mb: 16 } },
  expect: { kind: 'disk_limit', limit: 'disk' } as const,
};

describe('resources', () => {
  const arena = useArena();

  describeRuns('memory', arena, [
    { program: 'resources/heap.c', ...memoryLimit },
    { program: 'resources/heap.py', ...memoryLimit },
    { program: 'resources/static-array.c', ...memoryLimit },
    { program: 'resources/mmap-shared.c', ...memoryLimit },
    { program: 'resources/memfd.c', ...memoryLimit },
    { program: 'resources/tmpfs-file.c', ...memoryLimit },
    { program: 'resources/many-hogs.c', ...memoryLimit },
    { program: 'resources/child-oom.c', ...memoryLimit },
    {
      program: 'resources/forge-oom.c',
      request: { limits: { memory_mb: 64 } },
      expect: { kind: 'signalled', signal: constants.signals.SIGKILL, limit: null },
    },
  ]);

  describeJudgements('memory, judged', arena, [
    {
      program: 'resources/child-oom.c',
      as: 'the right answer does not help',
      request: { limits: { memory_mb: 64 }, cases: [{ expected_stdout: '42\n' }] },
      verdict: 'memory_limit',
      reward: 0,
    },
    {
      program: 'resources/forge-oom.c',
      as: 'a kill by its own hand is no memory limit',
      request: { limits: { memory_mb: 64 } },
      verdict: 'runtime_error',
      reward: 0,
    },
  ]);

  it('memory is the same right after a compiler was read from disk', async () => {
    const evict =
      'import os, subprocess\n' +
      'path = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True).stdout.strip()\n' +
      'os.posix_fadvise(os.open(path, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)\n';
    const cases = Array.from({ length: 4 }, () => ({ expected_stdout: '' }));
    for (let round = 0; round < 3; round += 1) {
      expect((await command(['python3', '-c', evict])).code).toBe(0);
      const report = await arena.service().client.judge(
        aJudge({
          ...hostileProgram('resources/near-limit.c'),
          limits: { memory_mb: 128 },
          scoring: 'fraction',
          cases,
        }),
      );
      expect(report.cases.map(({ verdict }) => verdict)).toEqual(cases.map(() => 'memory_limit'));
    }
  });

  describeRuns('disk', arena, [
    { program: 'resources/fill-disk.c', ...diskLimit },
    { program: 'resources/fill-disk.c', as: 'and again: it is empty each time', ...diskLimit },
    { program: 'resources/inodes.c', ...diskLimit },
    {
      program: 'resources/fallocate.c',
      expect: { kind: 'exited', exit_code: 0, stdout: 'refused\n' },
    },
    {
      program: 'resources/deep-tree.c',
      expect: { kind: 'exited', exit_code: 0 },
      check: wentDeep,
    },
  ]);

  describeJudgements('disk, judged', arena, [
    {
      program: 'resources/larger-than-disk.c',
      as: 'its own failure, not a fault of ours',
      // A run with files of its own gets the executable as a copy.
      request: {
        limits: { disk_mb: 8 },
        cases: [{ expected_stdout: '', files: { data: '' } }],
      },
      verdict: 'runtime_error',
      reward: 0,
    },
  ]);

  describeRuns('descriptors', arena, [
    {
      program: 'resources/open-files.c',
      request: { limits: { files: 64 } },
      expect: { kind: 'exited', exit_code: 0, stdout: '61\n' },
    },
  ]);
});
