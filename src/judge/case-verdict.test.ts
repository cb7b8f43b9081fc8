/** Which ends of a run may still be right, by the exit policy of a profile. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { ExitPolicy } from '../domain/profile.ts';
import { compareOutput } from '../verify/compare.ts';
import { comparing, judgeCase } from './case-verdict.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

function anOutcome(parts: Partial<Outcome>): Outcome {
  return {
    kind: 'exited',
    exitCode: 0,
    signal: null,
    limit: null,
    cpuMs: 1,
    wallMs: 1,
    memoryBytes: 1,
    memorySource: 'cgroup_peak',
    stdout: bytes('3\n'),
    stderr: bytes(''),
    stdoutBytes: 2,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    forked: false,
    collected: [],
    ...parts,
  };
}

const test = {
  id: '1',
  stdin: bytes(''),
  expectedStdout: bytes('3\n'),
  weight: 1,
  group: null,
  args: [],
  files: [],
  limits: DEFAULT_MAXIMA,
};

async function verdictOf(outcome: Outcome, exit: ExitPolicy, mergesStderr = false) {
  const judge = comparing(
    async (expected, actual, compare) => compareOutput(expected, actual, compare),
    { kind: 'grader', grader: 'stripped_lines' },
    { exit, mergesStderr },
  );
  const { verdict } = await judgeCase(test, outcome, { judge, position: 1, exit });
  return verdict;
}

const failed = (stderr: string) => anOutcome({ exitCode: 1, stderr: bytes(stderr) });
const TRACEBACK = 'Traceback (most recent call last):\n  File "main.py", line 1\nOdd: x\n';

describe('the exit policy', () => {
  it.each<[string, Outcome, string, string, string]>([
    ['a clean end', anOutcome({}), 'accepted', 'accepted', 'accepted'],
    ['sys.exit(1)', failed(''), 'runtime_error', 'accepted', 'accepted'],
    ['sys.exit("no")', failed('no\n'), 'runtime_error', 'accepted', 'accepted'],
    ['a traceback', failed(TRACEBACK), 'runtime_error', 'runtime_error', 'accepted'],
    [
      'a syntax error',
      failed('  File "main.py", line 1\nSyntaxError: invalid syntax\n'),
      'runtime_error',
      'runtime_error',
      'accepted',
    ],
    [
      'an exception of Node',
      failed('main.js:1\nthrow x\n^\n\nTypeError: x\n    at main.js\n'),
      'runtime_error',
      'runtime_error',
      'accepted',
    ],
    ['a panic of Go', failed('panic: no\n'), 'runtime_error', 'runtime_error', 'accepted'],
    [
      'a panic of Rust',
      failed("\nthread 'main' (12) panicked at main.rs:1:1:\nno\n"),
      'runtime_error',
      'runtime_error',
      'accepted',
    ],
    [
      'a signal',
      anOutcome({ kind: 'signalled', exitCode: null, signal: 11 }),
      'runtime_error',
      'runtime_error',
      'accepted',
    ],
    [
      'a time limit',
      anOutcome({ kind: 'time_limit', exitCode: null, signal: 9, limit: 'cpu' }),
      'time_limit',
      'time_limit',
      'time_limit',
    ],
    [
      'a memory limit',
      anOutcome({ kind: 'memory_limit', exitCode: null, signal: 9, limit: 'memory' }),
      'memory_limit',
      'memory_limit',
      'memory_limit',
    ],
  ])('%s after the right output', async (_, outcome, zero, noException, any) => {
    expect(await verdictOf(outcome, 'zero')).toBe(zero);
    expect(await verdictOf(outcome, 'no_exception')).toBe(noException);
    expect(await verdictOf(outcome, 'any')).toBe(any);
  });

  it('never accepts the wrong output', async () => {
    const wrong = anOutcome({ exitCode: 1, stdout: bytes('4\n') });
    expect(await verdictOf(wrong, 'any')).toBe('wrong_answer');
    expect(await verdictOf(wrong, 'no_exception')).toBe('wrong_answer');
  });

  it('reads stderr behind stdout where the profile has it so', async () => {
    const warned = anOutcome({ stderr: bytes('warning\n') });
    expect(await verdictOf(warned, 'any')).toBe('accepted');
    expect(await verdictOf(warned, 'any', true)).toBe('wrong_answer');
    const split = anOutcome({ stdout: bytes(''), stderr: bytes('3\n') });
    expect(await verdictOf(split, 'any', true)).toBe('accepted');
  });
});
