/** Sandbox Fusion's own SDK, unchanged, against the whole service: programs, notebooks and data sets in real jails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { getPythonClient } from '../../support/python-client.ts';
import { startService, type RunningService } from '../../support/service.ts';
import { JAVA_SUBMISSIONS, TEST_FILE_SUBMISSIONS } from './rows-of-test-files.ts';
import { GO_SUBMISSIONS, RIGHT, ROWS, SUBMISSIONS } from './rows.ts';

const found = await getPythonClient('sandbox-fusion');
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

const TIMEOUT_MS = 180_000;

interface Call {
  readonly name: string;
  readonly request: unknown;
  readonly options?: object;
}

const Results = z.array(
  z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ error: z.string() })]),
);
const EvalResult = z.looseObject({
  accepted: z.boolean(),
  tests: z.array(
    z.looseObject({ passed: z.boolean(), exec_info: z.looseObject({ status: z.string() }) }),
  ),
});

describe.skipIf(found.kind === 'unreachable')(`Sandbox Fusion’s SDK${note}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      languages: ['python', 'cpp', 'javascript', 'typescript', 'bash', 'go', 'java'],
    });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  async function callAll(...calls: readonly Call[]) {
    if (found.kind === 'unreachable') throw new Error(found.reason);
    const results = Results.parse(
      await found.drive('driver.py', { url: `${service.url}/`, calls }),
    );
    expect(results).toHaveLength(calls.length);
    return results;
  }

  async function valueOf(name: string, request: unknown): Promise<unknown> {
    const [result] = await callAll({ name, request });
    if (result === undefined || 'error' in result) throw new Error(result?.error);
    return result.value;
  }

  it('runs a program, with files to it and from it', async () => {
    expect(
      await valueOf('run_code', {
        language: 'python',
        code: 'print(input(), open("a").read()); open("c", "w").write("out")',
        stdin: 'in',
        files: { a: 'ZmlsZQ==', none: null },
        fetch_files: ['c', 'missing'],
      }),
    ).toMatchObject({
      status: 'Success',
      message: '',
      compile_result: null,
      run_result: { status: 'Finished', return_code: 0, stdout: 'in file\n', stderr: '' },
      files: { c: 'b3V0' },
    });
  });

  it('tells compile errors, failures and time-outs apart by its own summary', async () => {
    const of = (language: string, code: string) => ({
      name: 'summary',
      request: { language, code, run_timeout: 0.5 },
    });
    const results = await callAll(
      of('python', 'print(1)'),
      of('cpp', 'int main() { return x; }'),
      of('python', 'exit(3)'),
      of('python', 'while True: pass'),
    );
    expect(results.map((each) => ('value' in each ? each.value : each.error))).toEqual([
      'RunStatus.Success',
      'CompileFailed',
      'RunFailed',
      'RunTimeout',
    ]);
  });

  it('runs twenty programs at once', async () => {
    const request = Array.from({ length: 40 }, (_, i) => ({
      language: 'python',
      code: `print(${i})`,
    }));
    const results = z
      .array(z.looseObject({ run_result: z.looseObject({ stdout: z.string() }) }))
      .parse(await valueOf('concurrent', request));
    expect(results.map(({ run_result }) => run_result.stdout)).toEqual(
      request.map((_, i) => `${i}\n`),
    );
  });

  it('runs cells, with what they show and raise', async () => {
    const cells = [
      'a = 123',
      'a',
      'print(a)',
      'import sys; sys.stderr.write("stderr message")',
      'raise RuntimeError("error message")',
    ];
    expect(await valueOf('run_jupyter', { cells })).toMatchObject({
      status: 'Success',
      driver: { status: 'Finished', return_code: 0 },
      cells: [
        { stdout: '', stderr: '', display: [], error: [] },
        { display: [{ 'text/plain': '123' }] },
        { stdout: '123\n' },
        { stderr: 'stderr message', display: [{ 'text/plain': '14' }] },
        { error: [{ ename: 'RuntimeError', evalue: 'error message' }] },
      ],
    });
  });

  it('keeps the cells that were finished when the time is up', async () => {
    const cells = ['print(1)', 'print(2)\nwhile True: pass', 'print(3)'];
    expect(await valueOf('run_jupyter', { cells, total_timeout: 1 })).toMatchObject({
      status: 'Failed',
      driver: { status: 'TimeLimitExceeded', return_code: null },
      cells: [
        { stdout: '1\n', error: [] },
        { stdout: '2\n', error: [{ ename: 'TimeLimitExceeded' }] },
      ],
    });
    expect(await valueOf('run_jupyter', { cells, cell_timeout: 0.5 })).toMatchObject({
      status: 'Success',
      cells: [{}, { error: [{ ename: 'CellTimeoutError' }] }, { stdout: '3\n' }],
    });
  });

  async function expectVerdicts(submissions: typeof SUBMISSIONS): Promise<void> {
    const options = { max_attempts: 1 };
    const calls = submissions.map(([, request]) => ({ name: 'submit', request, options }));
    const results = await callAll(...calls);
    const told = results.map((each, at) => {
      const name = submissions[at]?.[0] ?? '';
      if ('error' in each) return [name, each.error];
      const { accepted, tests } = EvalResult.parse(each.value);
      expect(tests.length, name).toBeGreaterThan(0);
      expect(
        tests.every(({ passed }) => passed),
        name,
      ).toBe(accepted);
      return [name, accepted];
    });
    expect(told).toEqual(submissions.map(([name, , accepted]) => [name, accepted]));
  }

  it(
    'accepts right answers to rows of every kind and no wrong ones',
    { timeout: TIMEOUT_MS },
    async () => await expectVerdicts([...SUBMISSIONS, ...TEST_FILE_SUBMISSIONS]),
  );

  it('accepts them in Go too', { timeout: TIMEOUT_MS }, async ({ skip }) => {
    const go = (await service.client.languages()).find(({ id }) => id === 'go');
    skip(go?.available !== true, `Go is not available on this host: ${go?.reason}`);
    await expectVerdicts(GO_SUBMISSIONS);
  });

  it('accepts them in Java too', { timeout: TIMEOUT_MS }, async ({ skip }) => {
    const java = (await service.client.languages()).find(({ id }) => id === 'java');
    skip(java?.available !== true, `Java is not available on this host: ${java?.reason}`);
    const junit = z
      .array(z.looseObject({ kind: z.string(), reason: z.string().nullable() }))
      .parse(java?.['tests'])
      .find(({ kind }) => kind === 'junit');
    skip(junit?.reason !== null, `JUnit is not available on this host: ${junit?.reason}`);
    await expectVerdicts(JAVA_SUBMISSIONS);
  });

  it('tells of each test of jest what its report would', { timeout: TIMEOUT_MS }, async () => {
    const [, half] = TEST_FILE_SUBMISSIONS.filter(([name]) => name.includes('a file of jest'));
    const result = z.looseObject({ extra: z.unknown() }).parse(await valueOf('submit', half?.[1]));
    expect(result.extra).toEqual({
      jest_cases: [
        {
          passed: true,
          full_name: 'Counter counts',
          file: 'solution.test.ts',
          suite: 'Counter',
          test: 'counts',
          failure_messages: [],
        },
        {
          passed: false,
          full_name: 'Counter doubles',
          file: 'solution.test.ts',
          suite: 'Counter',
          test: 'doubles',
          failure_messages: [expect.any(String)],
        },
      ],
    });
  });

  describe('files of tests as programs', () => {
    const PYTEST = 'def f(n):\n    return n + 1\n\ndef test_f():\n    assert f(1) == RESULT\n';
    const GO =
      'package f_test\n\nimport "testing"\n\nfunc f(n int) int { return n + 1 }\n\nfunc TestF(t *testing.T) {\n\tif f(1) != RESULT {\n\t\tt.Fatal("not so")\n\t}\n}\n';
    const ends = async (language: string, code: string, results: readonly string[]) => {
      const calls = results.map((result) => ({
        name: 'run_code',
        request: { language, code: code.replace('RESULT', result) },
      }));
      const Ended = z.looseObject({
        status: z.string(),
        compile_result: z.null(),
        run_result: z.looseObject({ return_code: z.int(), stdout: z.string() }),
      });
      const answers = await callAll(...calls);
      return answers.map((each) => Ended.parse('value' in each ? each.value : each.error));
    };

    it('end as pytest ends', { timeout: TIMEOUT_MS }, async () => {
      const [right, wrong] = await ends('pytest', PYTEST, ['2', '3']);
      expect(right).toMatchObject({ status: 'Success', run_result: { return_code: 0 } });
      expect(right?.run_result.stdout).toContain('1 passed');
      expect(wrong).toMatchObject({ status: 'Failed', run_result: { return_code: 1 } });
      expect(wrong?.run_result.stdout).toContain('assert 2 == 3');
    });

    it('end as Go’s tests end', { timeout: TIMEOUT_MS }, async ({ skip }) => {
      const go = (await service.client.languages()).find(({ id }) => id === 'go');
      skip(go?.available !== true, `Go is not available on this host: ${go?.reason}`);
      const [right, wrong, broken] = await ends('go_test', GO, ['2', '3', '"2"']);
      expect(right).toMatchObject({ status: 'Success', run_result: { return_code: 0 } });
      expect(right?.run_result.stdout).toContain('PASS');
      expect(wrong).toMatchObject({ status: 'Failed', run_result: { return_code: 1 } });
      expect(wrong?.run_result.stdout).toContain('not so');
      // The original has no compile step there.
      expect(broken?.status).toBe('Failed');
      expect(broken?.run_result.return_code).not.toBe(0);
    });
  });

  it('gets prompts', async () => {
    const config = {
      dataset_type: 'AutoEvalDataset',
      provided_data: [ROWS.autoEval, ROWS.autoEval],
    };
    expect(await valueOf('get_prompts', { dataset: 'x', config })).toEqual(
      Array.from({ length: 2 }, () => ({
        id: 3,
        prompt: ROWS.autoEval.content,
        labels: { programming_language: 'python', execution_language: 'python' },
      })),
    );
    expect(
      await valueOf('get_prompt_by_id', {
        dataset: 'humaneval_python',
        id: 'x',
        config: { provided_data: ROWS.humanEval },
      }),
    ).toMatchObject({ id: 'HumanEval/x', prompt: ROWS.humanEval.prompt });
  });

  it('is told what cannot be judged, never that it was wrong', async () => {
    const results = await callAll(
      ...[
        { custom_extract_logic: 'open("/tmp/never", "w")' },
        { provided_data: { ...ROWS.mbpp, test_list: [] } },
        { provided_data: null },
      ].map((config) => ({
        name: 'submit',
        request: { ...RIGHT, config: { ...RIGHT.config, ...config } },
        options: { max_attempts: 1 },
      })),
    );
    expect(results).toEqual([
      { error: expect.stringMatching(/code 400.*not executed/) as string },
      { error: expect.stringMatching(/code 400.*no tests/) as string },
      { error: expect.stringMatching(/code 400.*holds no data sets/) as string },
    ]);
  });
});
