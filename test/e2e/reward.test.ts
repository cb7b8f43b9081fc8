/** `POST /v1/reward` on real jails: rows of real data sets with right, wrong and no programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { RewardLine, RewardResponse } from '../../src/http/native/schema/reward.ts';
import { readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

const Row = z.record(z.string(), z.unknown());
type Row = z.infer<typeof Row>;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ languages: ['python', 'cpp'] });
});
afterAll(async () => await service.stop());

function rowsOf(name: string): Row[] {
  const text = readProjectFile('test', 'data', name);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)));
}

function textIn(row: Row, name: string): string {
  return z.string().parse(row[name]);
}

const fenced = (code: string): string =>
  `<think>\nLet me see.\n</think>\nThis does it:\n\n\`\`\`python\n${code}\n\`\`\`\n`;

async function reward(body: object): Promise<RewardResponse> {
  const answer = await service.client.post('/v1/reward', body);
  expect(answer.status).toBe(200);
  return RewardResponse.parse(answer.body);
}

describe('rewards', () => {
  it('of HumanEval: whole functions, bodies, continuations, wrong ones and prose', async () => {
    const rows = rowsOf('humaneval.jsonl').slice(0, 12);
    const items = rows.map((row) => {
      const solution = textIn(row, 'canonical_solution');
      const whole = textIn(row, 'prompt') + solution;
      const completions = [
        fenced(whole),
        fenced(solution),
        solution,
        fenced(`${textIn(row, 'prompt')}    return "no such thing"\n`),
        'I cannot do this.',
      ];
      return { row, completions };
    });
    const { rewards } = await reward({ dataset: 'humaneval', items });
    expect(rewards).toEqual(rows.map(() => [1, 1, 1, 0, 0]));
  });

  it('of MBPP, LeetCode and stdin problems in one request', async () => {
    const mbpp = rowsOf('mbpp.jsonl').slice(0, 8);
    const leetcode = rowsOf('leetcode-functions.jsonl').slice(0, 8);
    const [, diagonal] = rowsOf('stdin-problems.jsonl');
    if (diagonal === undefined) throw new Error('five problems expected');
    const program = readProjectFile('test', 'e2e', 'programs', 'diagonal', 'right.py');
    const items = [
      ...mbpp.map((row) => ({
        row,
        completions: [fenced(textIn(row, 'code')), fenced('def f(): pass'), 'no'],
      })),
      ...leetcode.map((row) => ({
        row,
        completions: [fenced(textIn(row, 'completion')), fenced('class Solution: pass'), 'no'],
      })),
      { row: diagonal, completions: [fenced(program), fenced('print(1)'), 'no'] },
    ];
    const { rewards, results } = await reward({ items, limits: { cpu_ms: 20_000 } });
    expect(rewards).toEqual(items.map(() => [1, 0, 0]));
    const datasets = results.flat().flatMap((each) => ('dataset' in each ? [each.dataset] : []));
    expect(new Set(datasets)).toEqual(new Set(['mbpp', 'leetcode', 'stdin']));
  });

  it('are null with the reason for rows that are no problem, beside those that are', async () => {
    const [row] = rowsOf('mbpp.jsonl');
    if (row === undefined) throw new Error('a row expected');
    const items = [
      {
        row: { ground_truth: 'eJxLTEoGAAJNASc=', dataset: 'code', messages: [] },
        completion: fenced('x = 1'),
      },
      { row: { ...row, test_list: ['assert ('] }, completion: fenced('x = 1') },
      { row, completion: fenced(textIn(row, 'code')) },
    ];
    const { rewards, results } = await reward({ items });
    expect(rewards).toEqual([null, null, 1]);
    expect(results[0]).toMatchObject({ error: { path: 'ground_truth' } });
    // Tests that do not compile are the row's fault as well, found in the jail.
    expect(results[1]).toMatchObject({ verdict: 'fault', fault: { code: 'tests_broken' } });
  });

  it('of a row with calls and inputs together are those of all its tests', async () => {
    const tests = [
      { type: 'stdin_stdout', fn_name: null, input: '3\n', output: '6\n' },
      { type: 'function_call', fn_name: 'twice', input: [4], output: 8 },
      { type: 'stdin_stdout', fn_name: null, input: '5\n', output: '10\n' },
    ];
    const row = { verification_info: { language: 'python', test_cases: tests } };
    const whole = 'def twice(x):\n    return 2 * x\n';
    const main = 'if __name__ == "__main__":\n    print(twice(int(input())))\n';
    const completions = [fenced(whole + main), fenced(whole)];
    const { rewards, results } = await reward({
      items: [{ row, completions }],
      scoring: 'fraction',
      detail: 'failures',
    });
    expect(rewards).toEqual([[1, expect.closeTo(1 / 3)]]);
    expect(results).toMatchObject([
      [
        { total: 3 },
        { passed: 1, cases: [{ verdict: 'wrong_answer' }, { verdict: 'accepted' }, {}] },
      ],
    ]);
  });

  it('stream as they come, a thousand in one call, though few may wait', async () => {
    const rows = rowsOf('mbpp.jsonl').slice(0, 25);
    const items = rows.map((row) => ({
      row,
      completions: Array.from({ length: 40 }, (_none, index) =>
        index % 2 === 0 ? 'no code' : fenced(textIn(row, 'code')),
      ),
    }));
    const response = await fetch(`${service.url}/v1/reward`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ items }),
    });
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => RewardLine.parse(JSON.parse(line)));
    const summary = lines.pop();
    expect(summary).toEqual({
      summary: { completions: 1000, judged: 1000, rejected: 0, faults: 0 },
    });
    for (const line of lines) {
      if (!('item' in line)) throw new Error('a second summary');
      expect(line.reward).toBe((line.completion ?? 0) % 2);
    }
  });
});
