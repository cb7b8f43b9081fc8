/** Programs that exhaust memory, disk, inodes and descriptors: the right limit is named, and only theirs is used up. */
import { constants } from 'node:os';

import { describe, expect } from 'vitest';

import type { Outcome } from '../support/client.ts';
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
