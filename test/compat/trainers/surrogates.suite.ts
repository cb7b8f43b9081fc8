/**
 * Half a character (a lone surrogate) in one answer of many, as Python clients send it: `"\ud83d"`. It has its own
 * verdict or error, and costs no other answer anything.
 */
import { describe, expect, it } from 'vitest';

import { RewardResponse } from '../../../src/http/native/schema/reward.ts';
import type { RunningService } from '../../support/service.ts';
import { settle } from '../../support/wait.ts';

const HALF = '\ud83d';
const fenced = (code: string): string => `\`\`\`python\n${code}\n\`\`\`\n`;
const ADD = 'print(sum(map(int, input().split())))';
const RIGHT = fenced(ADD);
/** The program is not what is broken. */
const IN_PROSE = `Here ${HALF} it is:\n${RIGHT}`;
const IN_CODE = fenced(`# ${HALF}\n${ADD}`);
const TESTS = {
  kind: 'stdio',
  cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }],
};
const request = (completion: string): object => ({ language: 'python', completion, tests: TESTS });
const COMPLETIONS = [RIGHT, IN_PROSE, IN_CODE, RIGHT];

export function surrogatesSuite(service: () => RunningService): void {
  const post = async (path: string, body: unknown, init?: RequestInit) =>
    await service().client.post(path, body, init);
  const lines = (bodies: readonly object[]): string =>
    bodies.map((each) => JSON.stringify(each)).join('\n');
  const asLines = { headers: { 'content-type': 'application/x-ndjson' } };

  describe('costs only its own answer', () => {
    it('at /v1/reward, also where the row is what is broken', async () => {
      const row = { question_id: 1, ground_truth: [{ input: '1 2\n', output: '3\n' }] };
      const broken = { ...row, ground_truth: [{ input: HALF, output: '3\n' }] };
      const answer = await post('/v1/reward', {
        dataset: 'auto',
        language: 'python',
        items: [
          { row, completions: COMPLETIONS },
          { row: broken, completion: RIGHT },
          { row: { ...row, question: HALF }, completion: RIGHT },
        ],
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { rewards, results, summary } = RewardResponse.parse(answer.body);
      expect(rewards).toEqual([[1, 1, 0, 1], null, 1]);
      expect(results).toMatchObject([
        [
          {},
          {},
          { verdict: 'compile_error', message: expect.stringContaining('surrogate') as unknown },
          {},
        ],
        { error: { code: 'invalid', path: expect.stringContaining('ground_truth') as unknown } },
        {},
      ]);
      expect(summary).toMatchObject({ judged: 5, rejected: 1, faults: 0 });
    });

    it('at /v1/judge, its batches and its jobs', async () => {
      const single = await post('/v1/judge', {
        language: 'python',
        code: `#${HALF}`,
        tests: TESTS,
      });
      expect(single.body).toMatchObject({ verdict: 'compile_error', reward: 0, compile: null });
      // A stand-in is another program: nothing of the one may be told of the other.
      const other = { language: 'python', code: `#\ufffd\n${ADD}`, tests: TESTS, cache: true };
      expect((await post('/v1/judge', other)).body).toMatchObject({ verdict: 'accepted' });
      const half = { ...other, code: `#${HALF}\n${ADD}` };
      expect((await post('/v1/judge', half)).body).toMatchObject({ verdict: 'compile_error' });

      const response = await fetch(`${service().url}/v1/judge/batch`, {
        method: 'POST',
        ...asLines,
        body: lines(COMPLETIONS.map(request)),
      });
      const verdicts = (await response.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { line?: number; reward?: number })
        .flatMap(({ line, reward }) => (line === undefined ? [] : [`${line}: ${reward}`]));
      expect(verdicts.toSorted()).toEqual(['1: 1', '2: 1', '3: 0', '4: 1']);

      const made = await post('/v1/jobs', lines(COMPLETIONS.map(request)), asLines);
      const { id } = made.body as { id: string };
      const job = await settle(
        async () => (await service().client.get(`/v1/jobs/${id}`)).body as { state: string },
        ({ state }) => state === 'done',
        60_000,
      );
      expect(job).toMatchObject({ total: 4, done: 4, accepted: 3, faults: 0 });
    });

    it('at the wires of trainers', async () => {
      const label = { tests: [{ input: '1 2\n', output: '3\n' }] };
      const query = COMPLETIONS.map((each) => `Add.${HALF}${each}`);
      const prompts = query.map(() => `Add.${HALF}`);
      const labels = query.map(() => JSON.stringify(label));
      const rewards = await post('/get_reward', { query, prompts, labels });
      expect(rewards.body).toMatchObject({ rewards: [1, 1, 0, 1] });
      const one = await post('/remote_rm', { prompt: HALF, response: IN_CODE, label });
      expect(one.body).toBe(0);

      const program = `def f():\n    return "${HALF}"`;
      for (const [path, tests] of [
        ['/test_program', ['assert f() == 1', 'assert f()']],
        ['/test_program_stdio', [label.tests[0], label.tests[0]]],
      ] as const) {
        const answer = await post(path, { program, tests });
        expect(answer.body).toEqual({ results: [0, 0], runtimes: [-1, -1] });
      }

      const scripts = [`1.0`, `1.0 # ${HALF}`, '2.0'];
      const languages = scripts.map(() => 'python');
      const items = await post('/execute_batch', {
        scripts,
        languages,
        timeout: 20,
        request_timeout: 18,
      });
      expect(items.body).toMatchObject([
        { text: '1.0' },
        {
          execution: null,
          text: '',
          exception_str: expect.stringContaining('surrogate') as unknown,
        },
        { text: '2.0' },
      ]);

      const submissions = [ADD, `#${HALF}`].map((source_code) => ({
        source_code,
        language_id: 71,
      }));
      const batch = await post('/submissions/batch', { submissions });
      expect([batch.status, batch.body]).toEqual([
        201,
        [
          { token: expect.any(String) as unknown },
          { source_code: [expect.stringContaining('surrogate')] },
        ],
      ]);

      const files = [{ content: `print("a${HALF}b")` }];
      const run = await post('/api/v2/execute', { language: 'python', version: '*', files });
      expect(run.body).toMatchObject({ run: { code: 0, stdout: 'a\ufffdb\n' } });
    });
  });
}
