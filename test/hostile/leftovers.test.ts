/** What one run leaves for the next: nothing, be it the next case, the next submission, or a neighbour. */
import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { aJudge, aRun } from '../support/builders.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { describeJudgements, useArena } from './hostile-suite.ts';

const ANSWER = [{ expected_stdout: '42\n' }];

describe('leftovers', () => {
  const arena = useArena();
  const leaver = hostileProgram('leftovers/leave-and-look.c');

  it('are seen by no later case of the same submission', async () => {
    const { client } = arena.service();
    const cases = Array.from({ length: 5 }, (_, i) => ({
      expected_stdout: 'clean\n',
      files: { 'data.txt': 'data', ...(i === 0 ? { 'only-first.txt': 'x' } : {}) },
      args: i === 0 ? ['first'] : [],
    }));
    const report = await client.judge(aJudge({ ...leaver, cases, stop: 'never', detail: 'full' }));
    const found = report.cases.map(({ stdout }) => stdout);
    // Only the first case has that file, and it says so; nobody else may.
    expect(found).toEqual([
      'found a file of another case\ndirty\n',
      ...found.slice(1).map(() => 'clean\n'),
    ]);
    await arena.guard().expectUnharmed();
  });

  it('are seen by no later submission', async () => {
    const { client } = arena.service();
    for (let i = 0; i < 6; i += 1) {
      const outcome = await client.outcome(aRun({ ...leaver, files: { 'data.txt': 'data' } }));
      expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout: 'clean\n' });
    }
    await arena.guard().expectUnharmed();
  });

  it('are seen by no neighbour', async () => {
    const { client } = arena.service();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        client.outcome(aRun({ ...leaver, files: { 'data.txt': 'data' } })),
      ),
    );
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(outcomes.map(() => 'clean\n'));
  });

  it('of a submission with other files are gone', async () => {
    const { client } = arena.service();
    await client.run(aRun({ code: 'print(1)', files: { 'secret/answer.txt': '42' } }));
    for (let i = 0; i < 4; i += 1) {
      const look = 'import os\nprint(sorted(os.listdir(".")))';
      expect((await client.outcome(aRun({ code: look }))).stdout).toBe("['main.py']\n");
    }
  });

  it('do not change the program for its next case', async () => {
    const { client } = arena.service();
    const cases = Array.from({ length: 6 }, (_, i) => ({
      stdin: `${i} 1\n`,
      expected_stdout: `${i + 1}\n`,
    }));
    const report = await client.judge(
      aJudge({ ...hostileProgram('leftovers/rewrite-itself.py'), cases, scoring: 'fraction' }),
    );
    expect(report).toMatchObject({ verdict: 'accepted', reward: 1, passed: 6, total: 6 });
    await arena.guard().expectUnharmed();
  });
});

describe('forging the verdict', () => {
  const arena = useArena({ languages: ['javascript'] });

  describeJudgements('without an answer', arena, [
    {
      program: 'verdicts/sys-exit.py',
      request: { cases: ANSWER },
      verdict: 'wrong_answer',
      reward: 0,
    },
    {
      program: 'verdicts/os-exit.py',
      request: { cases: ANSWER },
      verdict: 'wrong_answer',
      reward: 0,
    },
    {
      program: 'verdicts/shape-exit.js',
      request: { cases: ANSWER },
      verdict: 'wrong_answer',
      reward: 0,
    },
    {
      program: 'verdicts/print-verdict.py',
      request: { cases: ANSWER },
      verdict: 'wrong_answer',
      reward: 0,
    },
    {
      program: 'verdicts/answer-then-fail.py',
      request: { cases: ANSWER },
      verdict: 'runtime_error',
      reward: 0,
    },
    {
      program: 'verdicts/answer-then-hang.py',
      request: { cases: ANSWER, limits: { wall_ms: 700 } },
      verdict: 'time_limit',
      reward: 0,
    },
    {
      program: 'verdicts/sys-exit.py',
      as: 'an empty answer is right where none is expected',
      request: { cases: [{ expected_stdout: '' }] },
      verdict: 'accepted',
      reward: 1,
    },
  ]);

  it('finds the expected output nowhere', async () => {
    const { client } = arena.service();
    const marker = `marker${randomUUID().replaceAll('-', '')}`;
    const program = hostileProgram('verdicts/find-expected.py');
    const cases = Array.from({ length: 3 }, (_, i) => ({
      stdin: `${marker}\n`,
      expected_stdout: `${marker}-expected-${i}\n`,
    }));
    const report = await client.judge(aJudge({ ...program, cases, stop: 'never', detail: 'full' }));
    expect(report).toMatchObject({ verdict: 'wrong_answer', reward: 0, passed: 0 });
    expect(report.cases.map(({ stdout }) => stdout)).toEqual(['hits 0\n', 'hits 0\n', 'hits 0\n']);
  });

  it('by half the answer scores half under fraction, nothing under all', async () => {
    const { client } = arena.service();
    const code = 'n = int(input())\nprint(n if n % 2 else -1)';
    const cases = [1, 2, 3, 4].map((n) => ({ stdin: `${n}\n`, expected_stdout: `${n}\n` }));
    expect(await client.judge(aJudge({ code, cases, scoring: 'fraction' }))).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0.5,
      passed: 2,
    });
    expect(await client.judge(aJudge({ code, cases }))).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
    });
  });
});
