/** open-instruct's paths over a scripted service: shapes, what is asked of the service, and bad input. */
import { deflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { Fault } from '../../../domain/errors.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aCase,
  aFault,
  aJudgeReport,
  anOutcome,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const ADD = 'def add(a, b):\n    return a + b';
const ASSERTS = ['assert add(1, 2) == 3', 'assert add(0, 0) == 0', 'assert add(1, 1) == 3'];
const PAIRS = [
  { input: '1 2\n', output: '3' },
  { input: '2 2\n', output: '4' },
];

async function ask(path: string, body: unknown, options: Parameters<typeof createTestApp>[0] = {}) {
  const response = await createTestApp(options).app.request(path, post(body));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as unknown, text };
}

/** Takes note of what is judged; statements with `== 3` twice fail. */
function noting() {
  const seen: JudgeSubmission[] = [];
  const script: Script = {
    async judge(submission) {
      seen.push(submission);
      const isWrong = JSON.stringify(submission.tests).includes('add(1, 1)');
      return aJudgeReport({
        cases: [
          isWrong
            ? aCase({ verdict: 'wrong_answer', score: 0, testMs: 3 })
            : aCase({ testMs: 12.5 }),
        ],
      });
    },
  };
  return { seen, script };
}

describe('/test_program', () => {
  it('judges every statement by itself, in order, and tells its time', async () => {
    const { seen, script } = noting();
    const body = { program: ADD, tests: ASSERTS, max_execution_time: 2 };
    const answer = await ask('/test_program', body, { script });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ results: [1, 1, 0], runtimes: [0.0125, 0.0125, -1] });
    expect(seen).toHaveLength(3);
    expect(seen[0]).toMatchObject({
      language: 'python',
      program: { kind: 'single', code: ADD },
      tests: { kind: 'asserts', ids: ['1'] },
      profile: { name: 'oi-asserts', version: 1 },
      limits: { cpuMs: 2000, wallMs: 2500 },
    });
  });

  it('takes a second where no time is given, and fractions', async () => {
    const { seen, script } = noting();
    await ask('/test_program', { program: ADD, tests: ASSERTS.slice(0, 1) }, { script });
    const body = { program: ADD, tests: ASSERTS.slice(0, 1), max_execution_time: 0.25 };
    await ask('/test_program', body, { script });
    expect(seen.map(({ limits }) => limits.cpuMs)).toEqual([1000, 250]);
  });

  it('never tells a time beyond the limit, which would turn a reward negative', async () => {
    const script: Script = {
      judge: async () => aJudgeReport({ cases: [aCase({ testMs: 1100 })] }),
    };
    const { body } = await ask('/test_program', { program: ADD, tests: ['assert 1'] }, { script });
    expect(body).toEqual({ results: [1], runtimes: [1] });
  });

  const pickled = (python: string) => deflateSync(Buffer.from(python, 'latin1')).toString('base64');
  /** `['assert 1']`, protocol 0. */
  const PICKLE = '(lp0\nVassert 1\np1\na.';

  it.each<[string, unknown, number]>([
    ['JSON in text', JSON.stringify(ASSERTS), 3],
    ['a pickle', pickled(PICKLE), 1],
    ['no tests', [], 0],
    ['empty text', '', 0],
    ['text that is nothing', 'SECRET nonsense', 0],
    ['a pickle that calls a function', pickled("cos\nsystem\n(S'true'\ntR."), 0],
    ['base64 of nothing', 'eJxxxxxxxxx', 0],
    ['JSON of something else', '{"a": 1}', 0],
  ])('reads %s', async (_, tests, count) => {
    const answer = await ask('/test_program', { program: ADD, tests });
    expect(answer.status).toBe(200);
    const { results } = answer.body as { results: unknown[] };
    expect(results).toHaveLength(count);
  });

  it.each([
    'threading',
    'multiprocess',
    'multiprocessing',
    'import os',
    'from os',
    'shutil',
    'import torch',
    'from torch',
    'import sklearn',
    'from sklearn',
    'from ostrich',
  ])('fails a program with %s without running it, unless told otherwise', async (word) => {
    const { seen, script } = noting();
    const body = { program: `${ADD}\n# ${word}`, tests: ASSERTS };
    const answer = await ask('/test_program', body, { script });
    expect(answer.body).toEqual({ results: [0, 0, 0], runtimes: [-1, -1, -1] });
    expect(seen).toHaveLength(0);
    const lenient = await ask('/test_program', body, {
      script,
      config: { openInstructWords: false },
    });
    expect(lenient.body).toMatchObject({ results: [1, 1, 0] });
    // The other endpoint has no such list.
    const stdio = { ...body, tests: PAIRS.slice(0, 1) };
    expect((await ask('/test_program_stdio', stdio, { script })).body).toMatchObject({
      results: [1],
    });
  });
});

describe('/test_program_stdio', () => {
  it('judges all tests at once and goes on after a failure', async () => {
    const seen: JudgeSubmission[] = [];
    const wrong = anOutcome({ wallMs: 500 });
    const late = anOutcome({ kind: 'time_limit', exitCode: null, limit: 'cpu', wallMs: 2000 });
    const script: Script = {
      async judge(submission) {
        seen.push(submission);
        return aJudgeReport({
          total: 4,
          cases: [
            aCase({ outcome: anOutcome({ wallMs: 40 }) }),
            aCase({ verdict: 'wrong_answer', score: 0, outcome: wrong }),
            aCase({ verdict: 'time_limit', score: 0, outcome: late }),
            aCase({ verdict: 'runtime_error', score: 0, outcome: anOutcome({ exitCode: 1 }) }),
          ],
        });
      },
    };
    const tests = [...PAIRS, ...PAIRS];
    const body = { program: 'x', tests, max_execution_time: 1.5 };
    const answer = await ask('/test_program_stdio', body, { script });
    expect(answer.body).toEqual({ results: [1, 0, 0, 0], runtimes: [0.04, 0.5, -1, -1] });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      tests: { kind: 'stdio', cases: [{ id: '1' }, {}, {}, {}] },
      compare: { kind: 'grader', grader: 'decimal_lines' },
      stop: 'never',
      scoring: 'fraction',
      // An alarm is of whole seconds.
      limits: { cpuMs: 2000 },
    });
  });
});

describe('both', () => {
  it('answer /health', async () => {
    const response = await createTestApp().app.request('/health');
    expect(await response.json()).toMatchObject({ status: 'healthy' });
  });

  it.each<[string, string, unknown, string]>([
    ['no program', '/test_program', { tests: ASSERTS }, 'program'],
    ['a program that is no text', '/test_program', { program: 1, tests: ASSERTS }, 'program'],
    ['no tests', '/test_program', { program: 'SECRET' }, 'tests'],
    ['a test that is no text', '/test_program', { program: 'SECRET', tests: ['a', 1] }, 'tests[0]'],
    ['pairs where statements go', '/test_program', { program: 'SECRET', tests: PAIRS }, 'tests'],
    ['statements where pairs go', '/test_program', { program: 'SECRET', tests: 5 }, 'tests'],
    [
      'a time of nothing',
      '/test_program_stdio',
      { program: 'SECRET', tests: PAIRS, max_execution_time: 0 },
      'max_execution_time',
    ],
    [
      'an output that is missing',
      '/test_program_stdio',
      { program: 'SECRET', tests: [{ input: 'SECRET' }] },
      'tests[0]',
    ],
  ])('name the field that is wrong: %s', async (_, path, body, field) => {
    const answer = await ask(path, body);
    expect(answer.status).toBe(422);
    const { detail } = answer.body as { detail: { loc: string[] }[] };
    expect(detail[0]?.loc[0]).toBe('body');
    expect(detail[0]?.loc[1] ?? '').toContain(field);
    expect(answer.text).not.toContain('SECRET');
  });

  it('take bodies that are no JSON for what they are', async () => {
    expect(await ask('/test_program', '{"program": "SECRET" x')).toMatchObject({ status: 422 });
    const big = await ask('/test_program', { program: 'x' }, { config: { bodyMaxBytes: 5 } });
    expect(big.status).toBe(413);
  });

  it('wait for a place in the queue, for any error is a zero there', async () => {
    const clock = createFakeClock();
    let calls = 0;
    const script: Script = {
      async judge() {
        calls += 1;
        if (calls < 3) throw rejection('queue_full', 100);
        return aJudgeReport({ cases: [aCase({ testMs: 1 })] });
      },
    };
    const body = { program: ADD, tests: ['assert 1'] };
    const answer = createTestApp({ script, clock }).app.request('/test_program', post(body));
    for (let turn = 0; turn < 20; turn += 1) {
      await settle();
      clock.advance(100);
    }
    expect((await answer).status).toBe(200);
    expect(calls).toBe(3);
  });

  it('hold the client while it lasts longer than the client bears silence', async () => {
    const clock = createFakeClock();
    const done = Promise.withResolvers<void>();
    const script: Script = {
      async judge() {
        await done.promise;
        return aJudgeReport({ cases: [aCase({ testMs: 1 })] });
      },
    };
    const body = { program: ADD, tests: ['assert 1'] };
    const answer = createTestApp({ script, clock }).app.request('/test_program', post(body));
    for (let turn = 0; turn < 12; turn += 1) {
      await settle();
      clock.advance(2000);
    }
    const response = await answer;
    done.resolve();
    const text = await response.text();
    expect(text).toMatch(/^ +\{/);
    expect(JSON.parse(text)).toEqual({ results: [1], runtimes: [0.001] });
  });

  it.each([
    [
      'a fault in a report',
      async () => aJudgeReport({ verdict: 'fault', reward: null, fault: aFault, cases: [] }),
    ],
    [
      'a fault',
      async () => {
        throw new Fault('jail_died', '/secret');
      },
    ],
  ] as const)('answer %s with 500 and never with zeros', async (_, judge) => {
    const body = { program: ADD, tests: ASSERTS };
    const answer = await ask('/test_program', body, { script: { judge } });
    expect(answer).toMatchObject({ status: 500, body: { detail: expect.any(String) as string } });
    expect(answer.text).not.toContain('/secret');
  });

  it('are gone where they are switched off', async () => {
    const { app } = createTestApp({ config: { surfaces: [] } });
    for (const path of ['/test_program', '/test_program_stdio', '/run_code'])
      expect((await app.request(path, post({}))).status).toBe(404);
  });
});
