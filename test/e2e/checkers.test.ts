/**
 * Checkers of every convention in jails of their own: what accepts, what refuses, what gives a part, and that whatever
 * else they do is a fault of the problem's, with no reward, never a pass and never a zero.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Checker } from '../../src/http/native/schema/problem-program.ts';
import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';
import type { z } from 'zod';

type CheckerBody = z.input<typeof Checker>;

const file = (name: string): string => readProjectFile('test', 'e2e', 'checkers', name);
const LIMITS = { cpu_ms: 500, wall_ms: 3000 };

const inPython = (name: string, given: Partial<CheckerBody>): CheckerBody => ({
  language: 'python',
  code: file('sum.py').replace('CONVENTION', name),
  convention: 'cms',
  limits: LIMITS,
  ...given,
});

const CHECKERS: Readonly<Record<string, CheckerBody>> = {
  testlib: {
    language: 'cpp',
    code: file('sum.testlib.cpp'),
    convention: 'testlib',
    limits: { ...LIMITS, compile_cpu_ms: 60_000 },
  },
  cms: inPython('cms', { convention: 'cms' }),
  kattis: inPython('kattis', { convention: 'kattis' }),
  'kattis with scores': inPython('kattis', { convention: 'kattis', points_max: 1 }),
  dmoj: { language: 'python', code: file('sum.dmoj.py'), convention: 'dmoj', limits: LIMITS },
  'dmoj of files': {
    language: 'python',
    files: { 'main.py': file('sum.dmoj.py') },
    entry: 'main.py',
    convention: 'dmoj',
    limits: LIMITS,
  },
  default: inPython('default', { convention: 'dmoj_bridged' }),
  'bridged testlib': inPython('testlib', {
    convention: 'dmoj_bridged',
    bridged: 'testlib',
    points_max: 10,
  }),
  coci: inPython('coci', { convention: 'dmoj_bridged', bridged: 'coci' }),
  peg: inPython('peg', { convention: 'dmoj_bridged', bridged: 'peg' }),
  python_file: inPython('python_file', { convention: 'python_file' }),
};

/** What a program prints → what becomes of it: a score, or a part of why its checker fails on it. */
const ENDS: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  testlib: {
    '1001': 'exit code 3: FAIL asked to fail',
    '1002': 'signal 6',
    '1003': 'reached its',
    '1004': 'not within 0 … 1',
    '1005': 0.25,
    '1006': 0,
  },
  cms: {
    '1002': 'uncaught exception',
    '1003': 'reached its',
    '1004': 'reached its wall limit',
    '1005': 0.5,
    '1007': 'no decimal number',
  },
  kattis: {
    '1002': 'uncaught exception',
    '1003': 'reached its',
    '1005': 'there is no points_max',
    '1007': 'exit code 77',
  },
  'kattis with scores': { '1005': 0.5 },
  dmoj: {
    '1001': 'check returned a NoneType',
    '1002': 'check raised ValueError: crash',
    '1003': 'reached its',
    '1004': 'not within 0 … 1',
    '1005': 0.5,
    '1006': 'left no result',
    '1007': 'no decimal number',
  },
  'dmoj of files': { '1005': 0.5 },
  default: { '1002': 'uncaught exception', '1005': 'exit code 9', '1007': 'exit code 77' },
  'bridged testlib': { '1005': 0.5, '1007': 'exit code 77' },
  coci: { '1005': 0.5 },
  peg: { '1005': 0.5, '1007': 'exit code 77' },
  python_file: { '1002': 'uncaught exception', '1003': 'reached its', '1005': 0 },
};

const names = Object.keys(CHECKERS);
const ends = Object.entries(ENDS).flatMap(([name, table]) =>
  Object.entries(table).map(([said, end]) => ({ name, said, end })),
);
const SUM = 'print(sum(map(int, input().split())))';

describe('checkers', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2', '--max-compile-cpu-ms': '120000' } });
  });
  afterAll(async () => await service.stop());

  const judge = async (
    name: string,
    given: Partial<JudgeRequestBody> & { readonly code: string },
  ): Promise<JudgeResponse> => {
    const checker = CHECKERS[name];
    if (checker === undefined) throw new Error(`no checker ${name}`);
    const cases = [
      { stdin: '1 2\n', expected_stdout: '3\n' },
      { stdin: '20 22\n', expected_stdout: '42\n' },
    ];
    const tests = { kind: 'stdio' as const, cases };
    return await service.client.judge(
      aJudge({ tests, compare: { checker }, scoring: 'fraction', ...given }),
    );
  };

  const needsScore = 'kattis with scores';

  it.each(names.filter((name) => name !== needsScore))('%s: accepts', async (name) => {
    const report = await judge(name, { code: SUM });
    expect(report, JSON.stringify(report.fault)).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      fault: null,
      message: '',
    });
    expect(report.cases.map(({ score }) => score)).toEqual([1, 1]);
  });

  it.each(names)('%s: refuses what is wrong, and what is empty', async (name) => {
    for (const code of ['print(4)', 'print(end="")']) {
      const report = await judge(name, { code });
      expect(report, JSON.stringify(report.fault)).toMatchObject({
        verdict: 'wrong_answer',
        reward: 0,
        passed: 0,
        fault: null,
      });
      expect(report.cases.map(({ score }) => score)).toEqual([0, 0]);
    }
  });

  it.each(ends)('$name, told $said: $end', async ({ name, said, end }) => {
    const report = await judge(name, { code: `print(${said})` });
    if (typeof end === 'number') {
      expect(report, JSON.stringify(report.fault)).toMatchObject({
        verdict: 'wrong_answer',
        reward: end,
        fault: null,
      });
      return;
    }
    // It judges the answer, so that it is the program that would turn its zero into a fault.
    expect(report, JSON.stringify(report.fault)).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
      fault: null,
    });
    expect(report.message).toContain('the checker failed on this output, and not on others');
    expect(report.message).toContain(end);
  });

  it('one that fails on the answer, too, is a fault that asks for no second try', async () => {
    const code = 'import sys\nsys.exit(77)';
    const checker: CheckerBody = { language: 'python', code, convention: 'testlib' };
    for (const said of ['print(4)', SUM])
      expect(await judge('testlib', { code: said, compare: { checker } })).toMatchObject({
        verdict: 'fault',
        reward: null,
        fault: { code: 'checker_failed', retryable: false },
        attempts: [{ fault: { code: 'checker_failed' } }],
      });
  });

  it('one that does not compile is a fault that says why, and asks for no second try', async () => {
    const checker: CheckerBody = { language: 'cpp', code: 'int main(', convention: 'testlib' };
    const report = await judge('testlib', { code: SUM, compare: { checker } });
    expect(report).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'checker_failed', retryable: false },
    });
    expect(report.fault?.message).toMatch(/does not compile: main\.cpp:1/);
  });

  /** A program that prints bytes that checkers, and readers of their answers, may trip over. */
  const HOSTILE: Readonly<Record<string, string>> = {
    'ten megabytes of one token': 'print("7" * 10_000_000)',
    'ten megabytes of lines': 'print("3\\n" * 5_000_000)',
    NULs: 'import sys; sys.stdout.buffer.write(b"3\\0" * 1000)',
    'bytes that are no text': 'import sys; sys.stdout.buffer.write(bytes(range(256)))',
    'lines like verdicts': 'print("points 1\\n1.0\\nok 3\\npartial 1/1\\n5\\n5\\n100")',
    "a result like the wrapper's": `print('{"passed": true, "points": null, "message": ""}')`,
    'arguments and paths': 'print("--help -o /dev/stdout ../case/answer.txt $(id) `id`")',
  };

  it.each(names.flatMap((name) => Object.keys(HOSTILE).map((what) => [name, what] as const)))(
    '%s: %s earn nothing, and do not break it into a pass',
    async (name, what) => {
      const limits = { output_kb: 32_768 };
      const report = await judge(name, { code: HOSTILE[what] ?? '', limits });
      // What a checker does not bear is a fault of the problem; it is said which, and never rewarded.
      expect(['wrong_answer', 'fault']).toContain(report.verdict);
      expect(report.reward === 0 || report.reward === null).toBe(true);
      if (name === 'testlib' || name === 'cms') expect(report.verdict).toBe('wrong_answer');
    },
  );

  it('a program that fails by itself is its own failure, and asks no checker', async () => {
    const checker: CheckerBody = { language: 'cpp', code: 'int main(', convention: 'testlib' };
    const report = await judge('testlib', { code: 'raise SystemExit(3)', compare: { checker } });
    expect(report).toMatchObject({ verdict: 'runtime_error', reward: 0, fault: null });
  });

  it('a caller who waits no longer ends the checker, and its jail serves the next one', async () => {
    const checker = { ...CHECKERS['cms'], limits: { cpu_ms: 10_000 } };
    const tests = { kind: 'stdio' as const, cases: [{ stdin: '1 2', expected_stdout: '3' }] };
    const body = {
      ...aJudge({ code: 'print(1004)', tests, deadline_ms: 1500 }),
      compare: { checker },
    };
    expect(await service.client.post('/v1/judge', body)).toMatchObject({ status: 504 });
    expect(await judge('cms', { code: SUM })).toMatchObject({ verdict: 'accepted', fault: null });
  });

  it('a language that is not there is refused by its path', async () => {
    const checker = { language: 'cobol', code: 'x', convention: 'testlib' };
    const answer = await service.client.post('/v1/judge', { ...aJudge(), compare: { checker } });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'unknown_language', errors: [{ path: 'compare.checker.language' }] },
    });
  });
});
