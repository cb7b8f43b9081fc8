/** verl's client, unchanged and in its default arrangement, against the whole service: real programs in real jails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type RunningService } from '../../support/service.ts';
import { getVerlClient, type Job, type JobResult } from './client.ts';

const found = await getVerlClient();
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

const TIMEOUT_MS = 180_000;
const SUM = 'a, b = map(int, input().split())\nprint(a + b)';
const fenced = (code: string): string => `Here it is.\n\`\`\`python\n${code}\n\`\`\`\nDone.`;
const cases = (count: number) => ({
  inputs: Array.from({ length: count }, (_, i) => `${i} ${i}`),
  outputs: Array.from({ length: count }, (_, i) => `${2 * i}\n`),
});
const once = { inputs: ['1 2'], outputs: ['3'] };

describe.skipIf(found.kind === 'unreachable')(`verl’s client and the service${note}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python', 'cpp', 'javascript', 'bash'] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  async function run(...jobs: readonly Job[]): Promise<readonly JobResult[]> {
    if (found.kind === 'unreachable') throw new Error(found.reason);
    return await found.client.run(service.url, jobs);
  }

  async function runOne(job: Job): Promise<JobResult> {
    const [result] = await run(job);
    if (result === undefined) throw new Error('no result');
    return result;
  }

  it(
    'rewards right programs and no wrong ones, 64 calls at once',
    { timeout: TIMEOUT_MS },
    async () => {
      const right = { completion: fenced(SUM), test_cases: cases(50) };
      const wrong = { completion: fenced(SUM.replace('+', '-')), test_cases: cases(50) };
      const half = { completion: fenced(`${SUM} if a % 2 == 0 else None`), test_cases: cases(50) };
      const answers = await run(right, wrong, half, {
        completion: 'no code at all',
        test_cases: cases(1),
      });
      expect(answers.map((answer) => answer.score)).toEqual([1, 0.1, 0.5, 0]);
      expect(answers[0]?.metadata).toHaveLength(50);
      expect(
        answers[0]?.metadata.every((each) => each.status === 'success' && each.exit_code === 0),
      ).toBe(true);
    },
  );

  it.each<[string, Partial<Job>, boolean | number, string]>([
    ['a right answer', {}, true, 'success'],
    ['a wrong answer', { code: 'print(4)' }, false, 'wrong_answer'],
    ['an exception', { code: 'raise ValueError("x")' }, -2, 'runtime_error'],
    ['an exit code', { code: 'import sys\nsys.exit(3)' }, -2, 'runtime_error'],
    ['a syntax error', { code: 'def' }, -2, 'runtime_error'],
    [
      'a signal',
      { code: 'import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)' },
      -2,
      'runtime_error',
    ],
    [
      'too much memory',
      { code: 'x = bytearray(2**30)\nprint(3)', memory_limit_mb: 128 },
      -2,
      'runtime_error',
    ],
    [
      'sleeping too long',
      { code: 'import time\ntime.sleep(20)\nprint(3)', timeout: 2 },
      -3,
      'timeout',
    ],
    ['computing too long', { code: 'while True: pass', timeout: 2 }, -3, 'timeout'],
    ['a compile error', { language: 'cpp', code: 'int main() { return x; }' }, -4, 'compile_error'],
    [
      'C++',
      {
        language: 'cpp',
        code: '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }',
      },
      true,
      'success',
    ],
    ['JavaScript', { language: 'nodejs', code: 'console.log(3)' }, true, 'success'],
    ['Bash', { language: 'bash', code: 'read a b; echo $((a + b))' }, true, 'success'],
    [
      'a function',
      {
        code: 'def add(a, b):\n    return a + b',
        test_cases: { inputs: ['1\n2'], outputs: ['3'], fn_name: 'add' },
      },
      true,
      'success',
    ],
    [
      'a method',
      {
        code: 'class Solution:\n    def pair(self, a, b):\n        return [a, b]',
        test_cases: { inputs: ['1\n2'], outputs: ['[1, 2]'], fn_name: 'pair' },
      },
      true,
      'success',
    ],
    [
      'no stdin',
      {
        code: 'import sys\nprint(len(sys.stdin.read()))',
        test_cases: { inputs: [null], outputs: ['0'] },
      },
      true,
      'success',
    ],
    [
      'a failing assertion',
      {
        code: 'x = 1',
        test_cases: { inputs: [''], outputs: [null], assert_case: ['assert x == 2'] },
      },
      -2,
      'runtime_error',
    ],
    [
      'a holding assertion',
      {
        code: 'x = 1',
        test_cases: { inputs: [''], outputs: [null], assert_case: ['assert x == 1'] },
      },
      true,
      'success',
    ],
  ])('reads %s', { timeout: TIMEOUT_MS }, async (_, parts, result, status) => {
    const answer = await runOne({ code: SUM, language: 'python', test_cases: once, ...parts });
    expect(answer.metadata[0]).toMatchObject({ status });
    expect(answer.results).toEqual([result]);
  });

  it('gets a megabyte of output whole', { timeout: TIMEOUT_MS }, async () => {
    const text = 'é'.repeat(500_000);
    const code = "print('é' * 500_000, end='')";
    const answer = await runOne({
      code,
      language: 'python',
      test_cases: { inputs: [''], outputs: [text] },
    });
    expect(answer.results).toEqual([true]);
  });

  it(
    'keeps programs that are too slow from hurting the others',
    { timeout: TIMEOUT_MS },
    async () => {
      const code = 'import time\nif input() == "slow":\n    time.sleep(20)\nprint("done")';
      const inputs = Array.from({ length: 100 }, (_, i) => (i % 25 === 0 ? 'slow' : 'fast'));
      const answer = await runOne({
        code,
        language: 'python',
        timeout: 3,
        test_cases: { inputs, outputs: inputs.map(() => 'done') },
      });
      expect(answer.results).toEqual(inputs.map((input) => (input === 'slow' ? -3 : true)));
    },
  );
});
