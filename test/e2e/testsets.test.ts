/**
 * Tests kept at the server, through the live service: registered with proof, referred to by id and version, never shown,
 * there again after a restart, gone when deleted.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, temporaryFolder, type RunningService } from '../support/service.ts';

const FLAGS = { '--slots': '2', '--languages': 'python,c' };
const RUNS = { runs: 4 };

let service: RunningService;
let stateDir: string;
beforeAll(async () => {
  stateDir = await temporaryFolder();
  service = await startService({ flags: FLAGS, stateDir });
});
afterAll(async () => await service.stop());

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};
const register = (body: object) => call('POST', '/v1/testsets', { calibrate: RUNS, ...body });
const judge = (testset: string, code: string, more: object = {}) =>
  call('POST', '/v1/judge', { testset, code, ...more });

const SUM = {
  id: 'sum',
  language: 'python',
  tests: {
    kind: 'stdio',
    cases: [
      { stdin: '1 2\n', expected_stdout: '3\n' },
      { stdin: '20 22\n', expected_stdout: '42\n' },
    ],
  },
  references: [{ code: 'print(sum(map(int, input().split())))' }],
};
const ADD = {
  id: 'HumanEval/add',
  language: 'python',
  tests: {
    kind: 'check',
    entry: 'add',
    code: 'def check(candidate):\n    assert candidate(2, 3) == 5\n    assert candidate(-9, 2) == -7\n',
  },
  references: [{ code: 'def add(a, b):\n    return a + b\n' }],
};

describe('test sets', () => {
  it('are registered with proof, and judged by reference', async () => {
    const { status, body } = await register({ id: 'basics', problems: [SUM, ADD] });
    expect(body).toMatchObject({
      id: 'basics',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      hidden: true,
      problems: 2,
      results: [
        { id: 'sum', calibrated: true, warning: null, calibration: { mode: 'stdio', runs: 4 } },
        { id: 'HumanEval/add', accepted: true, calibration: { mode: 'split/0', runs: 4 } },
      ],
    });
    expect(status).toBe(200);
    const right = await judge('basics/sum', 'a, b = map(int, input().split())\nprint(a + b)');
    expect(right.body).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      passed: 2,
      provenance: { testset: `basics/sum@${body.digest}` },
    });
    const added = await judge('basics/HumanEval/add', 'add = lambda a, b: b + a');
    expect(added.body).toMatchObject({ verdict: 'accepted', reward: 1, mode: 'split' });
  });

  it('keep their tests to themselves', async () => {
    const { body } = await judge('basics/sum', 'print(7)', { detail: 'full' });
    expect(body).toMatchObject({ verdict: 'wrong_answer', reward: 0 });
    expect(body.cases[0].message).toBe('not what was expected');
    const added = await judge('basics/HumanEval/add', 'def add(a, b):\n    return 0', {
      detail: 'full',
    });
    expect(added.body.verdict).toBe('wrong_answer');
    expect(JSON.stringify(added.body)).not.toContain('assert');
    const shown = await call('GET', '/v1/testsets/basics');
    expect(JSON.stringify(shown.body)).not.toMatch(/20 22|expected_stdout|candidate/);
    expect(shown.body.results).toHaveLength(2);
  });

  it('show expected values where their registrant said so, and are unproved without references', async () => {
    const problems = [{ ...SUM, references: [] }];
    const { results } = (await register({ id: 'open', hidden: false, problems })).body;
    const warning = expect.stringContaining('no references');
    expect(results).toMatchObject([{ accepted: true, calibrated: false, warning }]);
    const { body } = await judge('open', 'print(7)');
    expect(body.cases[0].message).toContain('expected 3');
  });

  it('have versions, and the digest names one', async () => {
    const first = await register({ id: 'moving', problems: [SUM] });
    const cases = [{ stdin: '1 2\n', expected_stdout: '2\n' }];
    const other = { ...SUM, tests: { kind: 'stdio', cases }, references: [{ code: 'print(2)' }] };
    const second = await register({ id: 'moving', problems: [other] });
    expect(second.body.digest).not.toBe(first.body.digest);
    const sum = 'print(sum(map(int, input().split())))';
    expect((await judge('moving', sum)).body.reward).toBe(0);
    expect((await judge(`moving@${first.body.digest}`, sum)).body.reward).toBe(1);
    const again = await register({ id: 'moving', problems: [SUM] });
    expect(again.body.digest).toBe(first.body.digest);
  });

  const refusals: [string, object, RegExp][] = [
    [
      'a reference that fails',
      { ...SUM, references: [{ code: 'print(4)' }] },
      /reference solution is not accepted.*wrong_answer at case 1/,
    ],
    [
      'a reference that fails now and then',
      {
        ...SUM,
        references: [{ code: 'import os\nprint(3 if os.urandom(1)[0] < 128 else 4)' }],
        tests: { kind: 'stdio', cases: [{ expected_stdout: '3' }] },
      },
      /flaky|not accepted/,
    ],
    [
      'tests that a wrong program passes',
      { ...ADD, tests: { ...ADD.tests, code: 'def check(candidate):\n    candidate(1, 2)\n' } },
      /accept wrong programs: .*returns-none/,
    ],
    [
      'tests that execute what a program returns',
      {
        ...ADD,
        tests: {
          ...ADD.tests,
          code: 'def check(candidate):\n    assert eval(candidate(1, 2)) == 3\n',
        },
        references: [{ code: 'def add(a, b):\n    return f"{a} + {b}"' }],
      },
      /accept wrong programs: .*returns-a-text-to-execute/,
    ],
    [
      'tests whose answer can be guessed',
      {
        ...SUM,
        tests: { kind: 'stdio', cases: [{ expected_stdout: 'YES\n' }] },
        references: [{ code: 'print("YES")' }],
      },
      /accept wrong programs: prints-a-guess/,
    ],
    [
      "a registrant's own wrong program",
      {
        ...SUM,
        controls: [{ name: 'mine', code: 'a, b = map(int, input().split())\nprint(b + a)' }],
      },
      /accept wrong programs: mine/,
    ],
  ];
  it.each(refusals)('refuse %s', async (_name, problem, reason) => {
    const { status, body } = await register({
      id: 'bad',
      problems: [problem],
      calibrate: { runs: 20 },
    });
    expect(body).toMatchObject({ code: 'testset_refused', errors: [{ path: 'problems[0]' }] });
    expect(body.errors[0].message).toMatch(reason);
    expect(status).toBe(422);
    expect((await judge('bad', 'print(1)')).body.code).toBe('no_such_testset');
  });

  it('register what holds, on request', async () => {
    const bad = { ...SUM, id: 'bad', references: [{ code: 'print(4)' }] };
    const { body } = await register({ id: 'part', partial: true, problems: [bad, SUM] });
    expect(body.problems).toBe(1);
    expect(body.results.map((each: { accepted: boolean }) => each.accepted)).toEqual([false, true]);
  });

  it('keep every digit of a number', async () => {
    const body =
      '{"id":"digits","calibrate":{"runs":2},"problems":[{"id":"p","language":"python","tests":{"kind":"function","entry":"f","cases":[{"args":[12345678901234567890],"expected":12345678901234567891}]},"references":[{"code":"f = lambda n: n + 1"}]}]}';
    const response = await fetch(`${service.url}/v1/testsets`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await response.json()).toMatchObject({ problems: 1 });
    expect((await judge('digits', 'f = lambda n: n + 1')).body.reward).toBe(1);
    expect((await judge('digits', 'f = lambda n: n + 2')).body.reward).toBe(0);
    expect((await judge('digits', 'f = lambda n: int(float(n))')).body.reward).toBe(0);
  });

  const bad: [string, string, object, string, string][] = [
    ['POST', '/v1/testsets', { id: 'a/b', problems: [SUM] }, 'id', 'letters, digits'],
    ['POST', '/v1/testsets', { id: 'a', problems: [] }, 'problems', ''],
    [
      'POST',
      '/v1/testsets',
      { id: 'a', problems: [{ ...SUM, id: 'x@y' }] },
      'problems[0].id',
      'no @',
    ],
    [
      'POST',
      '/v1/testsets',
      { id: 'a', problems: [SUM, SUM] },
      'problems[1].id',
      'another problem',
    ],
    [
      'POST',
      '/v1/testsets',
      { id: 'a', problems: [{ ...SUM, tests: { kind: 'stdio', cases: [{}] } }] },
      'problems[0].tests.cases[0].expected_stdout',
      'required',
    ],
    [
      'POST',
      '/v1/testsets',
      { id: 'a', problems: [{ ...SUM, language: undefined }] },
      'problems[0].references[0].language',
      'is required',
    ],
    ['POST', '/v1/judge', { testset: 'basics', code: '' }, 'testset', 'name one, as in basics/sum'],
    [
      'POST',
      '/v1/judge',
      { testset: 'basics/sum', code: '', tests: SUM.tests },
      'tests',
      'given by the test set',
    ],
    [
      'POST',
      '/v1/judge',
      { testset: 'basics/sum', code: '', compare: 'exact' },
      'compare',
      'given by the test set',
    ],
    [
      'POST',
      '/v1/judge',
      { testset: 'basics/sum', code: '', language: 'c' },
      'language',
      'given by the test set',
    ],
    ['POST', '/v1/judge', { testset: 7, code: '' }, 'testset', 'is a string'],
  ];
  it.each(bad)(
    '%s %s: a wrong request names its place (%#)',
    async (method, path, body, place, message) => {
      const answer = await call(method, path, body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].path).toBe(place);
      expect(answer.body.errors[0].message).toContain(message);
      expect(answer.body.detail).toContain(message);
    },
  );

  it('are in batches too, and outlive a restart', async () => {
    await service.stop({ keepState: true });
    service = await startService({ flags: FLAGS, stateDir });
    const lines = ['print(3)', 'print(sum(map(int, input().split())))'].map((code, index) =>
      JSON.stringify({ id: String(index), testset: 'basics/sum', code }),
    );
    const response = await fetch(`${service.url}/v1/judge/batch`, {
      method: 'POST',
      body: `${lines.join('\n')}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const answers = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rewards = Object.fromEntries(answers.slice(0, -1).map(({ id, reward }) => [id, reward]));
    expect(rewards).toEqual({ 0: 0, 1: 1 });
  });

  it('are gone when deleted', async () => {
    expect((await call('DELETE', '/v1/testsets/moving')).status).toBe(204);
    expect((await call('GET', '/v1/testsets/moving')).status).toBe(404);
    expect((await judge('moving', '')).body.code).toBe('no_such_testset');
    // What it shared with others is still theirs.
    expect((await judge('basics/sum', 'print(sum(map(int, input().split())))')).body.reward).toBe(
      1,
    );
  });

  /** Accepts a number that is at least the answer; `order` says which file it takes for which. */
  const atLeast = (order: string): object => ({
    language: 'python',
    convention: 'testlib',
    code: `import sys
files = dict(zip("${order}", sys.argv[1:]))
text = lambda name: open(files[name]).read()
if "quote" in text("o"):
    sys.stderr.write(text("a"))
    sys.exit(3)
try:
    sys.exit(int(text("o") or -1) < int(text("a") or -1))
except ValueError:
    sys.exit(1)
`,
  });

  it('refuse a problem whose checker takes the output for the answer', async () => {
    const problem = (order: string) => ({ ...SUM, compare: { checker: atLeast(order) } });
    const refused = await register({ id: 'swapped', problems: [problem('iao')] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toMatch(/the checker: case 1: it accepts a/);
    expect((await register({ id: 'larger', problems: [problem('ioa')] })).status).toBe(200);
    const report = await judge('larger/sum', 'print(1000)');
    expect(report.body).toMatchObject({ verdict: 'accepted', reward: 1 });
  });

  it('do not show what a checker that fails quotes of the answer', async () => {
    const { body } = await judge('larger/sum', 'print("quote")', { detail: 'full' });
    expect(body).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
      message: 'not what was expected',
    });
    expect(JSON.stringify(body)).not.toContain('exit code 3');
  });

  it('leave nothing behind of a set that is refused', async () => {
    const kept = async (): Promise<number> =>
      (await readdir(join(stateDir, 'testsets', 'problems'))).length;
    const before = await kept();
    const wrong = { ...ADD, id: 'wrong', references: [{ code: 'def add(a, b):\n    return 1\n' }] };
    const other = { ...SUM, args: ['nobody', 'else', 'has', 'these'] };
    const { status, body } = await register({ id: 'refused', problems: [other, wrong] });
    expect([status, body.code]).toEqual([422, 'testset_refused']);
    expect(await kept()).toBe(before);
  });

  it('keep every version of those that are registered at once', async () => {
    const versions = await Promise.all(
      ['1', '2', '3', '4'].map(async (arg) => {
        const { body } = await register({ id: 'at-once', problems: [{ ...SUM, args: [arg] }] });
        return body.digest as string;
      }),
    );
    const { body } = await call('GET', '/v1/testsets/at-once');
    const known = body.versions.map(({ digest }: { digest: string }) => digest);
    expect(known.toSorted()).toEqual(versions.toSorted());
  });

  it('are read in linear time', async () => {
    const test = `import unittest\nfrom solution import add\n${'\n'.repeat(200_000)}
class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
`;
    const tests = { kind: 'unittest', files: { 'test_add.py': test } };
    const since = performance.now();
    const answered = register({ id: 'blank-lines', problems: [{ ...ADD, tests }] });
    // Nobody else is kept waiting.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(10_000);
    expect((await answered).status).toBe(200);
  });

  it('are taken where wrong programs break the interactor, which are charged with it', async () => {
    const code = `import sys
number = int(open(sys.argv[1]).read())
print(number, flush=True)
sys.exit(42 if int(input()) == 2 * number else 43)
`;
    const tests = {
      kind: 'interactive',
      interactor: { language: 'python', convention: 'kattis', code },
      cases: [{ id: '1', stdin: '21\n' }],
    };
    const references = [{ code: 'print(2 * int(input()))' }];
    const problem = { id: 'twice', language: 'python', tests, references };
    expect(await register({ id: 'breaks', problems: [problem] })).toMatchObject({ status: 200 });
    const { body } = await judge('breaks/twice', 'pass');
    expect(body).toMatchObject({ verdict: 'wrong_answer', reward: 0, fault: null });
    // One that fails whatever is said to it fails the references, too.
    const broken = { ...tests, interactor: { ...tests.interactor, code: 'import nothing' } };
    const refused = await register({ id: 'broken', problems: [{ ...problem, tests: broken }] });
    expect(refused.status).toBe(422);
  });
});
