/** `/submit` over a scripted service: what is asked, what is answered, and that no fault is a verdict. */
import { describe, expect, it } from 'vitest';

import type { RejectionCode } from '../../../../domain/errors.ts';
import type { JudgeSubmission } from '../../../../domain/submission.ts';
import { createFakeClock } from '../../../../lib/fake-clock.ts';
import {
  aCase,
  aFault,
  aJudgeReport,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../../test-support/scripted-service.ts';
import { settle } from '../../../test-support/settle.ts';
import { ask, mbpp, multiple, oj, submission } from './test-requests.ts';

describe('/submit', () => {
  const judging = (judge: NonNullable<Script['judge']>): Script => ({ judge });

  it('asks for the row’s tests by the original’s comparison, and stops at the first failure', async () => {
    const seen: JudgeSubmission[] = [];
    await ask(
      '/submit',
      submission({ run_timeout: 3 }),
      judging(async (given) => {
        seen.push(given);
        return aJudgeReport();
      }),
    );
    expect(seen).toMatchObject([
      {
        language: 'python',
        program: { kind: 'single', code: 'print(3)' },
        tests: {
          kind: 'stdio',
          cases: [{ stdin: Buffer.from('1 2') }, { stdin: Buffer.from('1') }],
        },
        compare: { kind: 'grader', grader: 'common_oj' },
        stop: 'first_failure',
        limits: { cpuMs: 3000 },
      },
    ]);
  });

  it.each(['\n', ''])('puts a continuation on a line of its own, behind %j', async (end) => {
    const row = {
      prompt: `def f(x):${end}`,
      entry_point: 'f',
      test: 'def check(f):\n    assert f(1) == 1\n',
    };
    const seen: JudgeSubmission[] = [];
    const config = { dataset_type: 'EvoEvalDataset', provided_data: row };
    await ask('/submit', submission(config, '    return x\nmore'), {
      async judge(given) {
        seen.push(given);
        return aJudgeReport();
      },
    });
    expect(seen).toMatchObject([{ program: { kind: 'single', code: 'def f(x):\n    return x' } }]);
  });

  it.each([0, null, 1e300])('takes a run_timeout of %j', async (run_timeout) => {
    const types = { MBPPDataset: mbpp, MultiPLEDataset: multiple, CommonOJDataset: oj };
    for (const [dataset_type, provided_data] of Object.entries(types)) {
      const config = { dataset_type, provided_data, run_timeout };
      expect((await ask('/submit', submission(config))).status).toBe(200);
    }
  });

  it('answers each case that was run, with its run', async () => {
    const wrong = aCase({ verdict: 'wrong_answer', outcome: anOutcome({ stdout: bytes('4') }) });
    const cases = [aCase(), wrong];
    const report = aJudgeReport({ verdict: 'wrong_answer', reward: 0, cases });
    const { body } = await ask(
      '/submit',
      submission(),
      judging(async () => report),
    );
    expect(body).toMatchObject({
      id: 1,
      accepted: false,
      extracted_code: 'print(3)',
      full_code: null,
      test_code: null,
      extracted_type: 'fenced',
      extra: null,
      tests: [
        {
          passed: true,
          exec_info: {
            status: 'Success',
            message: '',
            compile_result: null,
            run_result: { stdout: '1\n', stderr: '', return_code: 0 },
            executor_pod_name: null,
            files: {},
          },
          test_info: { input: { stdin: '1 2' }, output: { stdout: '3' } },
        },
        { passed: false, exec_info: { status: 'Success', run_result: { stdout: '4' } } },
      ],
    });
  });

  it('shows both ends of what a case that passed is given, and all of it when asked', async () => {
    const stdin = 'x'.repeat(3000);
    const row = { ...oj, test: [{ input: { stdin }, output: { stdout: '' } }] };
    const of = async (extra: object) => {
      const { body } = await ask('/submit', submission({ provided_data: row, extra }));
      const { tests } = body as { tests: { test_info: { input: { stdin: string } } }[] };
      return tests[0]?.test_info.input.stdin.length;
    };
    expect([await of({}), await of({ return_full_case: true })]).toEqual([999, 3000]);
  });

  it('answers a compile error, and tests that failed apart, as the run would have told', async () => {
    const failed = anOutcome({ kind: 'compile_error', exitCode: 1, stderr: bytes('no') });
    const compile = { ok: false, cached: false, warm: false, outcome: failed };
    const report = aJudgeReport({ verdict: 'compile_error', reward: 0, cases: [], compile });
    const one = await ask(
      '/submit',
      submission(),
      judging(async () => report),
    );
    expect(one.body).toMatchObject({
      accepted: false,
      tests: [
        {
          exec_info: {
            status: 'Failed',
            compile_result: { return_code: 1, stderr: 'no' },
            run_result: null,
          },
        },
      ],
    });
    const still = anOutcome({ exitCode: null });
    const cases = [
      aCase({ outcome: still }),
      aCase({ verdict: 'wrong_answer', message: 'f(1) is 2', outcome: still }),
    ];
    const config = { dataset_type: 'MBPPDataset', provided_data: mbpp };
    const apart = aJudgeReport({ verdict: 'wrong_answer', reward: 0, cases });
    const other = await ask(
      '/submit',
      submission(config, '```python\ndef f(x): return 2\n```'),
      judging(async () => apart),
    );
    expect(other.body).toMatchObject({
      accepted: false,
      full_code: 'import re\ndef f(x): return 2\nassert f(1) == 1',
      test_code: 'assert f(1) == 1',
      tests: [
        {
          passed: false,
          exec_info: { status: 'Failed', run_result: { return_code: 1, stderr: 'f(1) is 2' } },
        },
      ],
    });
    const right = await ask(
      '/submit',
      submission(config),
      judging(async () => aJudgeReport({ cases: [aCase({ outcome: still })] })),
    );
    expect(right.body).toMatchObject({
      accepted: true,
      tests: [{ passed: true, exec_info: { status: 'Success' } }],
    });
  });

  it('runs nothing for a completion without a program', async () => {
    const { body } = await ask(
      '/submit',
      submission({}, 'I do not know.'),
      judging(async () => aJudgeReport()),
    );
    expect(body).toMatchObject({
      accepted: false,
      extracted_code: '',
      extracted_type: 'empty',
      tests: [{ passed: false, exec_info: { status: 'Failed', run_result: { return_code: 1 } } }],
    });
  });

  describe('of tests in the program', () => {
    const config = { dataset_type: 'MultiPLEDataset', provided_data: multiple };
    const real = `function f(a){\nreturn a; }\n${multiple.tests}`;
    const isAltered = (code: string): boolean =>
      code !== real && code.replace(/f\(1\),\d/, 'f(1),1') === real;
    /** Of the runs of the tests as they are, in turn, the last one's for all that follow; and of altered ones. */
    const exits = (codes: readonly (number | null)[], ofAltered: number | null = 1) => {
      const seen: string[] = [];
      const left = [...codes];
      const run: NonNullable<Script['run']> = async ({ program }) => {
        const code = program.kind === 'single' ? program.code : '';
        seen.push(code);
        expect(code === real || isAltered(code)).toBe(true);
        const next = left.length > 1 ? left.shift() : left[0];
        const exitCode = code === real ? next : ofAltered;
        if (exitCode === null) return aRunReport({ outcome: null, fault: aFault });
        return aRunReport({ outcome: anOutcome({ exitCode: exitCode ?? 0 }) });
      };
      return { seen, script: { run } };
    };

    it.each([
      [[1], 1, false, false],
      [[0], 1, true, false],
      [[0, 1], 1, false, false],
      [[0], 0, false, true],
    ])(
      'with exit codes %j, altered %i: accepted %s, forged %s',
      async (codes, ofAltered, accepted, forged) => {
        const { seen, script } = exits(codes, ofAltered);
        const { body } = await ask('/submit', submission(config, 'return a; }'), script);
        expect(body).toMatchObject({ accepted, extra: { verifier: 'altered_tests', forged } });
        expect(seen[0]).toBe(real);
        if (!accepted) return;
        // A toss of a coin would be right in all of them once in 256 times.
        const altered = seen.filter(isAltered);
        expect([seen.length, altered.length, new Set(altered).size]).toEqual([8, 4, 1]);
      },
    );

    it('says that it cannot tell where no altered value compiles, and never that the program is wrong', async () => {
      const failed = anOutcome({ kind: 'compile_error', exitCode: 1 });
      const compile = { ok: false, cached: false, warm: false, outcome: failed };
      const { status, body } = await ask('/submit', submission(config, 'return a; }'), {
        run: async ({ program }) =>
          program.kind === 'single' && program.code === real
            ? aRunReport({ outcome: anOutcome() })
            : aRunReport({ outcome: failed, compile }),
      });
      expect(status).toBe(400);
      expect(body).toEqual({ detail: expect.stringContaining('could be altered') });
    });

    it.each([
      [[null], 1],
      [[0], null],
      [[0, null], 1],
    ])('with a fault, %j and %j: no verdict', async (codes, ofAltered) => {
      const answer = await ask(
        '/submit',
        submission(config, 'return a; }'),
        exits(codes, ofAltered).script,
      );
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ detail: `failed to request sandbox: ${aFault.message}` });
    });
  });

  it('says nothing of a program that was not judged', async () => {
    const fault = aJudgeReport({ verdict: 'fault', reward: null, cases: [], fault: aFault });
    const answer = await ask(
      '/submit',
      submission(),
      judging(async () => fault),
    );
    expect([answer.status, answer.body]).toEqual([
      500,
      { detail: `failed to request sandbox: ${aFault.message}` },
    ]);
  });

  it.each<RejectionCode>(['queue_full', 'draining', 'deadline', 'not_ready'])(
    'answers %s with 504',
    async (rejected) => {
      const answer = await ask(
        '/submit',
        submission(),
        judging(async () => {
          throw rejection(rejected);
        }),
      );
      expect(answer.status).toBe(504);
    },
  );

  it('answers a language that is not there with no verdict', async () => {
    const answer = await ask('/submit', submission({ language: 'swift' }));
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('served are')]);
  });

  it('is held open past the deadline, and broken off where there is no result', async () => {
    const clock = createFakeClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const fault = aJudgeReport({ verdict: 'fault', reward: null, cases: [], fault: aFault });
    const { app } = createTestApp({
      clock,
      script: judging(async (_, { onStart }) => {
        onStart?.();
        await promise;
        return fault;
      }),
    });
    const answer = app.request('/submit', post(submission()));
    await settle();
    await settle();
    clock.advance(120_000);
    const held = await answer;
    expect(held.status).toBe(200);
    resolve();
    await expect(held.text()).rejects.toThrow();
  });
});
