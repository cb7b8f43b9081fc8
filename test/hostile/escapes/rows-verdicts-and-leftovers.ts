/** Rows C, D and E: forging the verdict, what is left for others, the compile step. */
import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

import { aJudge, aRun } from '../../support/builders.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import { ownedProcesses } from '../../support/process-tree.ts';
import { readProjectFile } from '../../support/project.ts';
import type { Escape, Scene } from './escape.ts';
import { findsNothing } from './scenes.ts';

const FUNCTION_TESTS = {
  kind: 'function' as const,
  entry: 'add',
  cases: [
    { args: [1, 2], expected: 3 },
    { args: [-5, 12], expected: 7 },
  ],
};
const HACK_LIMITS = { cpu_ms: 2000, wall_ms: 6000, memory_mb: 256, processes: 32 };

/** Programs of the gauntlet against tests that call a function: none earns anything, none makes a fault. */
function hacks(...names: readonly string[]) {
  return async ({ service }: Scene): Promise<void> => {
    for (const name of names) {
      const code = readProjectFile('gauntlet', 'code', 'hacks', `${name}.py`);
      const report = await service.client.judge({
        language: 'python',
        code,
        tests: FUNCTION_TESTS,
        limits: HACK_LIMITS,
      });
      expect({ name, reward: report.reward, fault: report.fault }).toEqual({
        name,
        reward: 0,
        fault: null,
      });
    }
  };
}

/** At the moment of the answer nothing of the run is there any more. */
async function leavesNobody({ service, wall }: Scene): Promise<void> {
  for (const program of ['processes/fork-and-leave.c', 'processes/daemon-keeps-stdout.c']) {
    const outcome = await service.client.outcome(aRun(hostileProgram(program)));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout: '42\n' });
    // Processes of gVisor's are none of the host's; there the next run's list of processes tells (row 37).
    if (wall === 'nsjail') expect(ownedProcesses(service.pid).runs).toEqual([]);
  }
}

/** Answers of programs that ran side by side are each their own. */
async function keepsAnswersApart(scene: Scene): Promise<void> {
  await findsNothing(scene, { together: 4 });
  const numbers = Array.from({ length: 8 }, (_, index) => String(index));
  const reports = await Promise.all(
    numbers.map((number) =>
      scene.service.client.judge(
        aJudge({ code: 'print(input())', cases: [{ stdin: number, expected_stdout: number }] }),
      ),
    ),
  );
  expect(reports.map(({ reward }) => reward)).toEqual(numbers.map(() => 1));
}

/** Compile steps that read or flood: an error of the program's, quoting nothing of the host's. */
function compiles(...rows: readonly (readonly [program: string, ...verdicts: string[]])[]) {
  return async ({ service }: Scene): Promise<void> => {
    const passwd = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .filter((line) => line.length > 10);
    for (const [program, ...verdicts] of rows) {
      const limits = { compile_cpu_ms: 3000, compile_wall_ms: 20_000 };
      const report = await service.client.judge(
        aJudge({ ...hostileProgram(`compile/${program}`), limits }),
      );
      expect({ program, fault: report.fault, reward: report.reward }).toEqual({
        program,
        fault: null,
        reward: 0,
      });
      expect(verdicts).toContain(report.verdict);
      for (const line of passwd) expect(JSON.stringify(report)).not.toContain(line);
    }
  };
}

const REFUSED = 'compile_error';

export const VERDICTS_AND_LEFTOVERS: readonly Escape[] = [
  {
    row: 14,
    attack: 'text that says the tests have passed',
    judged: [{ program: 'verdicts/print-verdict.py', verdicts: ['wrong_answer'] }],
    scene: hacks('banner', 'conftest'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 15,
    attack: 'ending well before the last test',
    judged: ['sys-exit.py', 'os-exit.py', 'shape-exit.js'].map((name) => ({
      program: `verdicts/${name}`,
      verdicts: ['wrong_answer'],
    })),
    scene: hacks('exit-at-import', 'exit-in-call', 'hard-exit', 'base-exception'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 16,
    attack: 'objects that equal everything',
    scene: hacks('always-equal', 'equal-int', 'equal-list', 'equal-str', 'lying-class'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 17,
    attack: 'test tools that are replaced',
    scene: hacks('patched-unittest', 'patched-builtins', 'patched-codec'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 18,
    attack: 'looking into the harness',
    scene: hacks('memory', 'own-proc', 'trace-hook', 'frames', 'debugger'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 19,
    attack: 'looking for the tests',
    scene: hacks('files', 'secrets', 'collector'),
    heldBy: 'test/hostile/gauntlet.test.ts',
  },
  {
    row: 20,
    attack: 'set-uid files',
    runs: [{ program: 'escapes/setuid-file.c' }],
  },
  { row: 21, attack: 'survivors', scene: leavesNobody },
  {
    row: 22,
    attack: 'files left for the next run',
    scene: async (scene) => await findsNothing(scene, { together: 1 }),
    heldBy: 'test/hostile/leftovers.test.ts',
  },
  { row: 23, attack: 'neighbours at the same moment', scene: keepsAnswersApart },
  {
    row: 24,
    attack: 'the compile step runs what was sent',
    scene: compiles(
      ['include-stdin.c', REFUSED, 'wrong_answer'],
      ['incbin.c', REFUSED],
      ['large-object.c', REFUSED],
    ),
    heldBy: 'test/hostile/compile.test.ts',
  },
  {
    row: 25,
    attack: 'the compile step reads the host',
    scene: compiles(
      ['include-host.c', REFUSED],
      ['include-random.c', REFUSED],
      ['line-host.c', REFUSED],
      ['embed-host.c', REFUSED],
      ['assembler-include.c', REFUSED],
    ),
    heldBy: 'test/hostile/compile.test.ts',
  },
  {
    row: 26,
    attack: 'the compiler as a bomb',
    scene: compiles(['flood.c', REFUSED, 'wrong_answer'], ['macro-bomb.c', REFUSED]),
    heldBy: 'test/hostile/compile.test.ts',
  },
];
