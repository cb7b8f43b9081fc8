/**
 * Tasks of two steps, of outputs alone, and managers that talk with several processes: nothing passes between runs but what the service
 * hands on, nobody can hold the others or the service up, and who is charged is who failed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';

import type { Interactor, Manager } from '../../src/http/native/schema/problem-program.ts';
import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    flags: { '--slots': '2', '--languages': 'cpp,python', '--max-compile-cpu-ms': '60000' },
  });
});
afterAll(async () => await service.stop());

const judge = async (given: Partial<JudgeRequestBody>): Promise<JudgeResponse> =>
  await service.client.judge(aJudge(given));

describe('two steps', () => {
  const cases = [
    { id: 'few', stdin: '3 1 2\n', expected_stdout: '6\n' },
    { id: 'many', stdin: '10 20 30 40\n', expected_stdout: '100\n' },
  ];
  const twoStep = (manager?: z.input<typeof Manager>): JudgeRequestBody['tests'] => ({
    kind: 'two_step',
    cases,
    ...(manager === undefined ? {} : { manager }),
  });
  /** Refuses what is longer than a line of 12 bytes, and hands on the negative. */
  const MANAGER: z.input<typeof Manager> = {
    language: 'python',
    convention: 'kattis',
    code: `import sys
text = sys.stdin.read()
if text == "crash": raise ValueError
if len(text) > 12: sys.exit(43)
print("-" + text, end="")
sys.exit(42)`,
  };
  const STEPS = (first: string, second: string) =>
    `import sys\nif sys.argv[1:] == ["0"]:\n ${first}\nelse:\n ${second}\n`;
  const SUM = 'print(sum(map(int, input().split())))';

  it('the second run gets the output of the first', async () => {
    const report = await judge({ code: STEPS(SUM, 'print(int(input()))'), tests: twoStep() });
    expect(report, JSON.stringify(report.cases)).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      mode: 'two_step',
    });
  });

  it('or what the manager makes of it', async () => {
    const code = STEPS(SUM, 'print(-int(input()))');
    expect(await judge({ code, tests: twoStep(MANAGER) })).toMatchObject({ reward: 1 });
    const plain = STEPS(SUM, 'print(int(input()))');
    expect(await judge({ code: plain, tests: twoStep(MANAGER) })).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
    });
  });

  const REMEMBERS = STEPS(
    'open("/tmp/x", "w").write("6"); open("x", "w").write("6"); open("/dev/shm/x", "w").write("6"); print()',
    'import os; print([p for p in ("/tmp/x", "x", "/dev/shm/x") if os.path.exists(p)] or "nothing")',
  );
  it.each([
    ['a memory of files', REMEMBERS, 'wrong_answer', /got nothing/],
    [
      'a first run that fails',
      STEPS('sys.exit(3)', SUM),
      'runtime_error',
      /first run: exit code 3/,
    ],
    ['a second run that fails', STEPS(SUM, 'sys.exit(4)'), 'runtime_error', /^exit code 4/],
    ['a first run without end', STEPS('\n while True: pass', SUM), 'time_limit', /first run/],
    ['a second run that is right alone', STEPS('pass', 'print(6)'), 'wrong_answer', /./],
  ])('%s earns nothing', async (what, code, verdict, message) => {
    const expected = what === 'a second run that is right alone' ? { passed: 1 } : { passed: 0 };
    const report = await judge({ code, tests: twoStep(), limits: { cpu_ms: 400 } });
    expect(report).toMatchObject({ verdict, reward: 0, ...expected });
    expect(report.message).toMatch(message);
  });

  it('what the manager refuses is the wrong answer of the first run', async () => {
    const code = STEPS('print("7" * 13)', 'print(6)');
    const report = await judge({ code, tests: twoStep(MANAGER) });
    expect(report).toMatchObject({ verdict: 'wrong_answer', reward: 0 });
    expect(report.message).toMatch(/^the first run/);
  });

  it('a manager that fails on what the first run printed alone is no fault', async () => {
    const code = STEPS('print("crash", end="")', 'print(6)');
    const report = await judge({ code, tests: twoStep(MANAGER) });
    expect(report).toMatchObject({ verdict: 'wrong_answer', reward: 0, fault: null });
    expect(report.message).toMatch(/^the first run: the interactor failed on this output/);
  });

  it('a manager that fails is a fault of the problem', async () => {
    const code = STEPS('print("7")', 'print(6)');
    const manager = { ...MANAGER, code: 'raise SystemExit(9)' };
    expect(await judge({ code, tests: twoStep(manager) })).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'interactor_failed', retryable: false },
    });
  });

  it('a grader tells the steps apart', async () => {
    const grader = `#include <cstdio>
#include <cstring>
long long encode(int); long long decode(long long);
int main(int argc, char **argv) {
  long long value = 0, sum = 0;
  while (scanf("%lld", &value) == 1) sum += value;
  printf("%lld\\n", strcmp(argv[argc - 1], "0") == 0 ? encode((int)sum) : decode(sum));
}`;
    const graders = {
      cpp: { files: { 'grader.cpp': grader }, entry: 'grader.cpp', program: 'code.cpp' },
    };
    const code =
      'long long encode(int x) { return x * 3LL; }\nlong long decode(long long x) { return x / 3; }';
    const report = await judge({ language: 'cpp', code, graders, tests: twoStep() });
    expect(report, report.message).toMatchObject({ verdict: 'accepted', reward: 1 });
  });
});

describe('outputs alone', () => {
  const cases = [
    { id: 'a', stdin: '1 2\n', expected_stdout: '3\n', group: 'one' },
    { id: 'b', stdin: '20 22\n', expected_stdout: '42\n', group: 'two' },
    { id: 'c', stdin: '2 2\n', expected_stdout: '4\n', group: 'two' },
  ];
  const groups = {
    one: { points: 20, rule: 'sum' as const },
    two: { points: 80, rule: 'sum' as const },
  };
  const tests: JudgeRequestBody['tests'] = { kind: 'output_only', cases };
  const RIGHT = { a: '3', b: '42\n', c: { base64: Buffer.from('4').toString('base64') } };
  const hand = async (given: Partial<JudgeRequestBody>): Promise<JudgeResponse> =>
    await service.client.judge({ language: 'text', tests, ...given });

  it('are compared case by case', async () => {
    expect(await hand({ outputs: RIGHT })).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      passed: 3,
      mode: 'output_only',
      language: 'text',
      environment: { id: 'text' },
      compile: null,
      provenance: { runtime: null },
    });
    const part = await hand({ outputs: { a: '3', b: '41' }, scoring: { groups } });
    expect(part).toMatchObject({ verdict: 'wrong_answer', reward: 0.2, passed: 1 });
    expect(part.cases.map(({ message }) => message)).toEqual([
      '',
      'token 1: expected 42, got 41',
      'no output was handed in',
    ]);
  });

  it('a checker judges them', async () => {
    const checker = {
      language: 'python',
      convention: 'cms' as const,
      code: 'import sys\na, b = (int(open(path).read()) for path in sys.argv[2:])\nprint(max(0.0, 1 - abs(a - b) / 10))',
    };
    const given = { compare: { checker }, scoring: 'fraction' as const };
    expect(await hand({ outputs: RIGHT, ...given })).toMatchObject({ verdict: 'accepted' });
    const near = await hand({ outputs: { ...RIGHT, b: '40' }, ...given });
    expect(near, JSON.stringify(near.fault)).toMatchObject({ verdict: 'wrong_answer' });
    expect(near.reward).toBeCloseTo((1 + 0.8 + 1) / 3, 6);
    expect(await hand({ outputs: { a: 'x' }, ...given })).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
      fault: null,
    });
  });

  it('one case takes a text, also out of a completion', async () => {
    const alone: JudgeRequestBody['tests'] = { kind: 'output_only', cases: cases.slice(0, 1) };
    expect(await hand({ code: '3\n', tests: alone })).toMatchObject({ reward: 1 });
    const completion = 'I find:\n```text\n3\n```\n';
    expect(await hand({ completion, tests: alone })).toMatchObject({ reward: 1 });
    expect(await hand({ completion: 'no idea', tests: alone })).toMatchObject({
      verdict: 'no_code',
      reward: 0,
    });
  });

  it('what is too long is beyond the output limit', async () => {
    const limits = { output_kb: 1 };
    const report = await hand({ outputs: { ...RIGHT, a: '3'.padEnd(2000) }, limits });
    expect(report).toMatchObject({ verdict: 'output_limit', reward: 0 });
  });

  it.each<[string, Partial<JudgeRequestBody>]>([
    ['language', { outputs: RIGHT, language: 'python' }],
    ['outputs.d', { outputs: { ...RIGHT, d: '1' } }],
    ['outputs.a.base64', { outputs: { a: { base64: 'x' } } }],
    ['files', { outputs: RIGHT, files: { x: '' } }],
    ['', { code: '3' }],
    ['', { outputs: RIGHT, code: '3' }],
    ['outputs', { outputs: RIGHT, tests: { kind: 'stdio', cases } }],
  ])('a mistake is refused at %j', async (path, given) => {
    const body = { language: 'text', tests, ...given };
    const answer = await service.client.post('/v1/judge', body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify({ path }).slice(1, -1));
  });

  it('are tests that the server keeps', async () => {
    const problem = { id: 'p', language: 'text', tests, references: [{ outputs: RIGHT }] };
    const register = (more: object) =>
      service.client.post('/v1/testsets', { id: 'outputs', problems: [{ ...problem, ...more }] });
    expect(await register({})).toMatchObject({
      status: 200,
      body: { results: [{ accepted: true, calibration: { mode: 'stdio', controls: 2 } }] },
    });
    const body = { testset: 'outputs/p', outputs: RIGHT };
    expect(await service.client.post('/v1/judge', body)).toMatchObject({
      status: 200,
      body: { verdict: 'accepted', reward: 1 },
    });
    const echo = { kind: 'output_only', cases: [{ id: 'a', stdin: '3', expected_stdout: '3' }] };
    expect(await register({ tests: echo, references: [{ outputs: { a: '3' } }] })).toMatchObject({
      status: 422,
      body: { errors: [{ message: expect.stringContaining('echoes-its-input') }] },
    });
  });
});

describe('managers of several processes', () => {
  const interactor: z.input<typeof Interactor> = {
    language: 'cpp',
    code: readProjectFile('test', 'e2e', 'checkers', 'relay.manager.cpp'),
    convention: 'cms',
    processes: 3,
    limits: { cpu_ms: 1000, wall_ms: 5000 },
  };
  const talk = async (
    code: string,
    { n = 30, ...given }: Partial<JudgeRequestBody> & { readonly n?: number } = {},
  ): Promise<JudgeResponse> =>
    await judge({
      code,
      tests: { kind: 'interactive', interactor, cases: [{ stdin: `${n}\n` }] },
      limits: { cpu_ms: 500, wall_ms: 1000 },
      ...given,
    });
  const HONEST = `import sys
number = int(sys.argv[1])
for line in sys.stdin:
    low, high = map(int, line.split())
    if high == 0: break
    print(sum(range(low, high + 1)), flush=True)
`;

  it.each([3, 15, 16, 3000])('a right program is accepted: %i', async (n) => {
    const report = await talk(HONEST, { n });
    expect(report, JSON.stringify([report.fault, report.cases])).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      mode: 'interactive',
    });
  });

  it('also one in C++, on two slots at once', async () => {
    const code = `#include <iostream>
int main() { long long low, high; while (std::cin >> low >> high && high) std::cout << (low + high) * (high - low + 1) / 2 << std::endl; }`;
    const all = await Promise.all([1, 2, 3, 4].map(() => talk(code, { language: 'cpp' })));
    for (const report of all) expect(report).toMatchObject({ verdict: 'accepted', reward: 1 });
  });

  /** One process of the three does it. */
  const one = (number: number, what: string): string =>
    HONEST.replace('for line', `if number == ${number}:\n    ${what}\nfor line`);

  it.each<[string, string, string, number?]>([
    ['one that ends at once', one(1, 'sys.exit()'), 'wrong_answer'],
    ['one that ends badly', one(2, 'sys.exit(3)'), 'runtime_error'],
    ['one that is silent', one(0, 'import time; time.sleep(1000)'), 'time_limit'],
    ['one that computes without end', one(1, '\n    while True: pass'), 'time_limit'],
    ['one that floods', one(0, '\n    while True: print("5" * 9999)'), 'wrong_answer'],
    [
      'one that floods while another is listened to',
      one(0, '\n    while True: print(5)'),
      'wrong_answer',
      15,
    ],
    ['all of them wrong', 'print(1)', 'wrong_answer'],
    [
      'each within the limit, not all together',
      `import time\nwhile time.process_time() < 0.3: pass\n${HONEST}`,
      'time_limit',
    ],
    ['one that is told to end and does not', `${HONEST}while True: pass`, 'time_limit'],
  ])('%s earns nothing', async (_what, code, verdict, n = 30) => {
    const limits = { cpu_ms: 500, wall_ms: 1000, output_kb: 1024 };
    const report = await talk(code, { n, limits });
    expect(report, JSON.stringify([report.fault, report.message])).toMatchObject({
      verdict,
      reward: 0,
      fault: null,
    });
  });

  it('much that is said early waits until it is asked for, and holds nobody up', async () => {
    const code = one(0, 'print(" " * 600_000, flush=True)');
    const report = await talk(code, { n: 15 });
    expect(report, JSON.stringify([report.fault, report.cases])).toMatchObject({ reward: 1 });
  });

  it('processes share nothing but the manager', async () => {
    const code = HONEST.replace(
      'for line',
      `import os
found = [p for p in ("/tmp/x", "x", "/dev/shm/x") if os.path.exists(p)]
for p in ("/tmp/x", "x", "/dev/shm/x"): open(p, "w").write("1")
if found or len([p for p in os.listdir("/proc") if p.isdigit()]) > 2: sys.exit(9)
for line`,
    );
    expect(await talk(code)).toMatchObject({ verdict: 'accepted', reward: 1 });
  });

  it.each([13, 14])('a manager that fails is a fault of the problem: %i', async (n) => {
    expect(await talk(HONEST, { n })).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'interactor_failed', retryable: false },
    });
    expect(await talk(HONEST)).toMatchObject({ verdict: 'accepted', fault: null });
  });

  it('a caller who waits no longer ends all', async () => {
    const tests = { kind: 'interactive' as const, interactor, cases: [{ stdin: '5\n' }] };
    const body = aJudge({ code: 'input(); input()', tests, deadline_ms: 800 });
    expect(await service.client.post('/v1/judge', body)).toMatchObject({ status: 504 });
    expect(await talk(HONEST)).toMatchObject({ verdict: 'accepted', fault: null });
  });

  it('only managers of CMS talk with several', async () => {
    const other = { ...interactor, convention: 'testlib' as const };
    const tests = { kind: 'interactive' as const, interactor: other, cases: [{ stdin: '5\n' }] };
    expect(await service.client.post('/v1/judge', aJudge({ tests }))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'tests.interactor.processes' }] },
    });
  });
});
