/** Rows H to L: resources, refusing to die, standard streams, clocks, JavaScript inside a process. */
import { constants } from 'node:os';

import { expect } from 'vitest';

import { aJudge, aRun } from '../../support/builders.ts';
import type { Outcome } from '../../support/client.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import type { Escape, RunAttempt, Scene } from './escape.ts';

const { SIGKILL } = constants.signals;
const WALL = {
  request: { limits: { wall_ms: 700, cpu_ms: 5000 } },
  outcome: { kind: 'time_limit', limit: 'wall' } as const,
};
const CPU = {
  request: { limits: { cpu_ms: 400, wall_ms: 15_000 } },
  outcome: { kind: 'time_limit', limit: 'cpu' } as const,
};
const MEMORY = {
  request: { limits: { memory_mb: 64, disk_mb: 1024, cpu_ms: 10_000 } },
  outcome: { kind: 'memory_limit', limit: 'memory' } as const,
};
const ANSWER = { cases: [{ expected_stdout: '42\n' }] };
const FIVE_MB = 'x'.repeat(5_000_000);

/** A bomb is ended by one of its limits. */
const bomb = (program: string): RunAttempt => ({
  program,
  request: { limits: { processes: 32, cpu_ms: 1500 } },
  outcome: { kind: 'process_limit', limit: 'processes' },
  gvisor: {
    outcome: {},
    check: ({ limit }) => expect(['processes', 'cpu', 'memory', 'wall', null]).toContain(limit),
    reason:
      'forks are refused by an rlimit, which counts no refusals: who goes on asking meets another limit, or gives up',
  },
});

const sameBytes = ({ stdout_base64: out }: Outcome): void => {
  const bytes = Buffer.from(out ?? '', 'base64').subarray(0, 256);
  expect([...bytes]).toEqual(Array.from({ length: 256 }, (_, index) => index));
};

/** More at once than there are slots, by far: each is answered, none by a limit that it did not meet. */
async function manyAtOnce({ service, wall }: Scene): Promise<void> {
  const count = wall === 'nsjail' ? 128 : 32;
  const limits = { cpu_ms: 2000, wall_ms: 5000 };
  const given = aJudge({ code: 'print(6 * 7)', limits, ...ANSWER });
  const reports = await Promise.all(
    Array.from({ length: count }, () => service.client.judge(given)),
  );
  expect(reports.filter(({ verdict }) => verdict !== 'accepted')).toEqual([]);
}

/** Half of its CPU limit is used: the verdict is the same each time, with a neighbour that works. */
async function sameVerdictEachTime({ service }: Scene): Promise<void> {
  const code =
    'import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end:\n    pass\nprint(42)';
  const given = aJudge({ code, limits: { cpu_ms: 600 }, ...ANSWER });
  const turns = Array.from({ length: 6 }, () => service.client.judge(given));
  const verdicts = (await Promise.all(turns)).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(turns.map(() => 'accepted'));
}

const WALLS_PROGRAM = 'escapes/in-process-walls.js';
/** What an isolate leaves to processes; without these lines the rest is judged in it. */
const FOR_PROCESSES =
  /^attempts\.(?:captureStackTrace|errorsOfTheHost|typeErrors|errorCause|suppressedErrors|bindings|sharedMemory|wasm|evaluators|contexts|requireCache|structuredClones) = .*$/gm;

/** Once by the isolates, as far as they go, once by a process forked from a warm Node, once by one of its own. */
async function inProcessWalls({ service, wall }: Scene): Promise<void> {
  const { language, code } = hostileProgram(WALLS_PROGRAM);
  const ways = [
    {
      code: code.replace(FOR_PROCESSES, ''),
      runtime: 'isolate',
      least: 20,
    },
    { code, runtime: 'forked', least: 30 },
    { code, warm: false, runtime: 'process', least: 30 },
  ] as const;
  for (const { runtime, least, ...given } of ways) {
    const { provenance, outcome } = await service.client.run(aRun({ language, ...given }));
    const lines = outcome?.stdout.trim().split('\n') ?? [];
    expect([outcome?.kind, outcome?.exit_code]).toEqual(['exited', 0]);
    // Behind gVisor there are no isolates, and which programs are forked is its own matter.
    if (wall === 'nsjail') expect(provenance.runtime).toBe(runtime);
    expect(lines.length).toBeGreaterThan(least);
    expect(lines.filter((line) => !line.startsWith('no '))).toEqual([]);
  }
}

export const RESOURCES: readonly Escape[] = [
  {
    row: 39,
    attack: 'filling the disk by fallocate',
    runs: [
      {
        program: 'resources/fallocate.c',
        outcome: { kind: 'exited', exit_code: 0, stdout: 'refused\n' },
      },
    ],
    heldBy: 'test/hostile/resources.test.ts',
  },
  {
    row: 40,
    attack: 'fork bombs',
    runs: [bomb('processes/fork-bomb.c'), bomb('processes/thread-bomb.c')],
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 41,
    attack: 'floods on both streams',
    runs: ['streams/flood-both.c', 'streams/flood-stderr.c'].map((program) => ({
      program,
      request: { limits: { output_kb: 1024 } },
      outcome: { kind: 'output_limit', limit: 'output' },
    })),
    heldBy: 'test/hostile/streams.test.ts',
  },
  {
    row: 42,
    attack: 'descriptors up to the limit, left open',
    runs: [
      {
        program: 'resources/open-files.c',
        request: { limits: { files: 64 } },
        outcome: { kind: 'exited', exit_code: 0, stdout: '61\n' },
      },
    ],
    heldBy: 'test/hostile/resources.test.ts',
  },
  {
    row: 43,
    attack: 'memory that rlimits do not see',
    runs: ['mmap-shared.c', 'memfd.c', 'tmpfs-file.c'].map((name) => ({
      program: `resources/${name}`,
      ...MEMORY,
    })),
    heldBy: 'test/hostile/resources.test.ts',
  },
  {
    row: 44,
    attack: 'a child that is killed for memory under a parent that answers',
    judged: [
      {
        program: 'resources/child-oom.c',
        request: { limits: { memory_mb: 64 }, ...ANSWER },
        verdicts: ['memory_limit'],
      },
    ],
    heldBy: 'test/hostile/resources.test.ts',
  },
  {
    row: 45,
    attack: 'memory without end',
    runs: ['heap.c', 'many-hogs.c'].map((name) => ({ program: `resources/${name}`, ...MEMORY })),
    heldBy: 'test/hostile/resources.test.ts',
  },
  { row: 46, attack: 'many more at once than there are slots', scene: manyAtOnce },
  {
    row: 47,
    attack: 'stopping itself, deaf to signals',
    runs: ['stop-itself.c', 'ignore-signals.c'].map((name) => ({
      program: `processes/${name}`,
      ...WALL,
    })),
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 48,
    attack: 'waiting where signals do not come',
    runs: [{ program: 'escapes/vfork-sleep.c', ...WALL }],
  },
  {
    row: 49,
    attack: 'killing everybody',
    runs: [
      {
        program: 'processes/kill-everyone.c',
        outcome: { kind: 'exited', exit_code: 0, stdout: 'alive\n' },
      },
      {
        program: 'processes/kill-itself.c',
        request: { args: [String(SIGKILL)] },
        outcome: { kind: 'signalled', signal: SIGKILL },
      },
    ],
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 50,
    attack: 'a daemon behind a right answer',
    judged: [
      { program: 'processes/fork-and-leave.c', request: ANSWER, verdicts: ['accepted'], reward: 1 },
    ],
  },
  {
    row: 51,
    attack: 'taking more processor, and raising limits',
    runs: [
      {
        program: 'processes/raise-limits.c',
        outcome: { kind: 'exited', exit_code: 0 },
        check: ({ stdout }) => expect(stdout).not.toContain('granted'),
        gvisor: {
          outcome: { kind: 'exited', exit_code: 0 },
          check: ({ stdout }) => expect(stdout.match(/^.* granted/gm)).toEqual(['nice granted']),
          reason: 'its scheduler is the host’s, which hears nothing of the niceness inside',
        },
      },
    ],
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 52,
    attack: 'typing into a terminal',
    runs: [
      {
        program: 'kernel/denied-calls.c',
        outcome: { kind: 'exited', exit_code: 0 },
        check: ({ stdout }) =>
          expect(stdout).toMatch(/^tiocsti errno E\w+\ntiocsti_high_bits errno E\w+\n/m),
      },
    ],
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 53,
    attack: 'bytes that are no text',
    runs: [
      {
        program: 'bytes/all-bytes.py',
        outcome: { kind: 'exited', exit_code: 0 },
        check: sameBytes,
      },
      { program: 'bytes/terminal.py', outcome: { kind: 'exited', exit_code: 0 } },
    ],
    heldBy: 'test/hostile/streams.test.ts',
  },
  {
    row: 54,
    attack: 'input that nobody reads',
    runs: [
      {
        program: 'streams/ignore-stdin.py',
        request: { stdin: FIVE_MB },
        outcome: { kind: 'exited', exit_code: 0, stdout: 'done\n' },
      },
    ],
    heldBy: 'test/hostile/streams.test.ts',
  },
  {
    row: 55,
    attack: 'a grandchild that keeps the output open',
    runs: [
      {
        program: 'processes/daemon-keeps-stdout.c',
        outcome: { kind: 'exited', exit_code: 0, stdout: '42\n' },
      },
    ],
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 56,
    attack: 'sleeping',
    runs: [{ program: 'processes/sleep.py', ...WALL }],
    heldBy: 'test/hostile/processes.test.ts',
  },
  {
    row: 57,
    attack: 'processor time in children and in the kernel',
    runs: ['spin-grandchild.c', 'spin-short-children.c', 'spin-page-faults.c'].map((name) => ({
      program: `processes/${name}`,
      ...CPU,
    })),
    heldBy: 'test/hostile/processes.test.ts',
  },
  { row: 58, attack: 'verdicts by chance near a limit', scene: sameVerdictEachTime },
  { row: 59, attack: 'passing walls inside a process', scene: inProcessWalls },
  {
    row: 60,
    attack: 'objects of the isolate’s host',
    runs: [
      { program: 'isolate/reach-host.js', outcome: { kind: 'exited', stdout: 'contained\n' } },
    ],
    heldBy: 'test/hostile/isolate.test.ts',
  },
];
