/** Rewards: places, rows that are no problems, what is shared, pacing, and callers who leave. */
import { describe, expect, it } from 'vitest';

import { readRow, type ReadTask } from '../../../datasets/row-reading.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import { DEFAULT_HTTP_CONFIG } from '../../config.ts';
import {
  aCase,
  aFault,
  aJudgeReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';
import { EXAMPLES } from '../examples.ts';
import { RewardLine, RewardResponse, type RewardResult } from '../schema/reward.ts';

const stdinRow = {
  problem_id: 'p1',
  source: 'x',
  verification_info: {
    language: 'python',
    test_cases: [
      { fn_name: null, input: '1\n', output: '1\n', type: 'stdin_stdout' },
      { fn_name: null, input: '2\n', output: '2\n', type: 'stdin_stdout' },
    ],
  },
};
const humanEvalRow = {
  task_id: 'HumanEval/0',
  prompt: 'import math\n\n\ndef twice(x):\n    """Twice x."""\n',
  entry_point: 'twice',
  canonical_solution: '    return 2 * x\n',
  test: 'def check(candidate):\n    assert candidate(2) == 4\n',
};
const fenced = (code: string): string => `Here:\n\`\`\`python\n${code}\n\`\`\`\n`;

function streamed(body: object): RequestInit {
  const headers = { 'content-type': 'application/json', accept: 'application/x-ndjson' };
  return { ...post(body), headers };
}

type Options = Parameters<typeof createTestApp>[0];

async function reward(body: object, options: Options = {}): Promise<RewardResponse> {
  const response = await createTestApp(options).app.request('/v1/reward', post(body));
  expect(response.status).toBe(200);
  return RewardResponse.parse(await response.json());
}

/** What a scripted service was asked to judge. */
function recorder(reward = 1) {
  const seen: JudgeSubmission[] = [];
  const script: Script = {
    async judge(submission) {
      seen.push(submission);
      const { id, program } = submission;
      if (program.kind === 'completion')
        return aJudgeReport({
          id,
          verdict: 'no_code',
          reward: 0,
          cases: [],
          passed: 0,
          fraction: 0,
        });
      return aJudgeReport({ id, reward });
    },
  };
  return { seen, script };
}

function errorOf(result: RewardResult | RewardResult[] | undefined) {
  if (result === undefined || Array.isArray(result) || !('error' in result))
    throw new Error(`no error: ${JSON.stringify(result)}`);
  return result.error;
}

describe('POST /v1/reward', () => {
  it('answers in order, with a list where there are several completions', async () => {
    const { seen, script } = recorder();
    const items = [
      { id: 'a', row: stdinRow, completion: fenced('print(input())') },
      { row: humanEvalRow, completions: [fenced('def twice(x): return 2 * x'), 'no idea'] },
      { row: stdinRow, completions: [] },
    ];
    const answer = await reward({ items }, { script });
    expect(answer.rewards).toEqual([1, [1, 0], []]);
    expect(answer.results).toMatchObject([
      { id: 'a', dataset: 'verifiable', cases: [], cases_left_out: false },
      [
        { dataset: 'humaneval', verdict: 'accepted' },
        { verdict: 'no_code', reward: 0 },
      ],
      [],
    ]);
    expect(answer.summary).toEqual({ completions: 3, judged: 3, rejected: 0, faults: 0 });
    expect(seen.map(({ tests }) => tests.kind)).toEqual(['stdio', 'check', 'check']);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
  });

  it('gives null with the reason for rows that are no problem, and judges the others', async () => {
    const items = [
      { row: { verification_info: { language: 'python', test_cases: [] } }, completion: 'x' },
      { row: { something: 'else' }, completions: ['x', 'y'] },
      { row: { ...stdinRow, verification_info: '{"language": "python", "test' }, completion: 'x' },
      { row: stdinRow, completion: fenced('1') },
    ];
    const { rewards, results, summary } = await reward({ items }, recorder());
    expect(rewards).toEqual([null, [null, null], null, 1]);
    expect(errorOf(results[0])).toMatchObject({ code: 'no_tests', retryable: false });
    expect(errorOf(results[0]).path).toContain('verification_info');
    expect(results[1]).toMatchObject([{ error: { code: 'invalid' } }, { error: {} }]);
    expect(errorOf(results[2]).reason).toContain('verification_info');
    expect(summary).toEqual({ completions: 5, judged: 1, rejected: 4, faults: 0 });
  });

  it('gives null for faults and for what the service refuses, never 0', async () => {
    let calls = 0;
    const script: Script = {
      async judge({ id }) {
        calls += 1;
        if (calls === 1) return aJudgeReport({ id, verdict: 'fault', reward: null, fault: aFault });
        if (calls === 2) throw new Error('/secret/path');
        throw rejection('language_unavailable');
      },
    };
    const config = { batch: { ...DEFAULT_HTTP_CONFIG.batch, inFlightMax: 1 } };
    const completions = [fenced('1'), fenced('2'), fenced('3')];
    const answer = await reward({ items: [{ row: stdinRow, completions }] }, { script, config });
    expect(answer.rewards).toEqual([[null, null, null]]);
    expect(answer.results).toMatchObject([
      [
        { verdict: 'fault' },
        { error: { code: 'fault', retryable: true } },
        { error: { code: 'language_unavailable', retryable: false } },
      ],
    ]);
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(answer.summary).toEqual({ completions: 3, judged: 1, rejected: 2, faults: 1 });
  });

  it('puts a completion behind its prompt, also one that only goes on with it', async () => {
    const { seen, script } = recorder();
    const completions = [
      '    return 2 * x\n',
      fenced('    return 2 * x'),
      fenced('def twice(x):\n    return 2 * x'),
      'I would return 2 * x.',
    ];
    await reward({ items: [{ row: humanEvalRow, completions }] }, { script });
    const codes = seen.map(({ program }) => (program.kind === 'single' ? program.code : null));
    expect(codes[0]).toBe(`${humanEvalRow.prompt}    return 2 * x\n`);
    expect(codes[1]).toBe(`${humanEvalRow.prompt}    return 2 * x\n`);
    expect(codes[2]).toMatch(/^import math\n+def twice\(x\):\n {4}return 2 \* x/);
    expect(codes[3]).toBeNull();
  });

  it('asks for a function or a method by what the program has', async () => {
    const { seen, script } = recorder();
    const row = {
      problem_id: 1,
      question: 'q',
      solutions: '',
      input_output: '{"inputs": [[1.0]], "outputs": [[2]], "fn_name": "f"}',
      difficulty: 'x',
      starter_code: '',
      url: '',
    };
    const completions = [
      fenced('def f(x): return 2'),
      fenced('class Solution:\n    def f(self, x): return 2'),
    ];
    await reward({ items: [{ row, completions }] }, { script });
    const documents = seen.map(({ tests }) => ('document' in tests ? tests.document : ''));
    expect(documents[0]).not.toContain('Solution()');
    expect(documents[1]).toContain('Solution().f(1.0)');
  });

  it('reads a row once for all who share it', async () => {
    const { app, deps } = createTestApp(recorder());
    let reads = 0;
    Object.assign(deps.rows, {
      read: async (task: ReadTask) => {
        reads += 1;
        return readRow(task);
      },
    });
    const item = { row: stdinRow, completions: Array.from({ length: 9 }, () => fenced('1')) };
    await app.request('/v1/reward', post({ items: [item, item, { ...item, row: humanEvalRow }] }));
    expect(reads).toBe(2);
  });

  it('keeps the numbers of a row as they are written', async () => {
    const { seen, script } = recorder();
    const row = `{"entry_point": "f", "prompt": "p", "verification_info": {"language": "python", "test_cases": [{"type": "function_call", "fn_name": "f", "input": [1.0, 12345678901234567890], "output": 2.50}]}}`;
    const { app } = createTestApp({ script });
    const body = `{"items": [{"row": ${row}, "completion": "\`\`\`python\\ndef f(x, y): pass\\n\`\`\`"}]}`;
    await app.request('/v1/reward', post(body));
    const [first] = seen;
    const document = first !== undefined && 'document' in first.tests ? first.tests.document : '';
    expect(document).toContain('[1.0,12345678901234567890]');
    expect(document).toContain('2.50');
  });

  it('judges kinds of tests apart and reports them as one', async () => {
    const kinds: string[] = [];
    const script: Script = {
      async judge({ id, tests }) {
        kinds.push(tests.kind);
        const isStdio = tests.kind === 'stdio';
        const cases = isStdio
          ? [
              aCase({ id: '1' }),
              aCase({ id: '2', verdict: 'wrong_answer', score: 0, message: 'no' }),
            ]
          : [aCase({ id: '1' })];
        return isStdio
          ? aJudgeReport({ id, cases, verdict: 'wrong_answer', reward: 0, passed: 1, total: 2 })
          : aJudgeReport({ id, cases, mode: 'split' });
      },
    };
    const tests = [
      { type: 'stdin_stdout', fn_name: null, input: '1\n', output: '1\n' },
      { type: 'function_call', fn_name: 'f', input: [1], output: 2 },
      { type: 'stdin_stdout', fn_name: null, input: '2\n', output: '2\n' },
    ];
    const row = { verification_info: { language: 'python', test_cases: tests } };
    const items = [{ row, completion: fenced('def f(x): return 2') }];
    const all = await reward({ items, detail: 'failures' }, { script });
    expect(kinds.toSorted()).toEqual(['function', 'stdio']);
    expect(all.results).toMatchObject([
      {
        verdict: 'wrong_answer',
        reward: 0,
        passed: 2,
        total: 3,
        message: 'no',
        cases: [
          { id: '1', verdict: 'accepted' },
          { id: '2', verdict: 'accepted' },
          { id: '3', verdict: 'wrong_answer' },
        ],
      },
    ]);
    const share = await reward({ items, scoring: 'fraction' }, { script });
    expect(share.rewards[0]).toBeCloseTo(2 / 3);
  });

  it('lets the request choose language, limits, scoring and range', async () => {
    const { seen, script } = recorder();
    const row = {
      ...stdinRow,
      metadata: { time_limit: '2 seconds', memory_limit: '64 megabytes' },
    };
    await reward(
      {
        items: [{ row, completion: '```cpp\nint main() {}\n```' }],
        language: 'cpp',
        limits: { memory_mb: 128 },
        scoring: 'fraction',
        reward_range: [-1, 1],
      },
      { script },
    );
    expect(seen[0]).toMatchObject({
      language: 'cpp',
      scoring: 'fraction',
      rewardRange: [-1, 1],
      limits: { cpuMs: 2000, memoryBytes: 128 * 1024 * 1024 },
      program: { kind: 'single', code: 'int main() {}\n' },
    });
  });

  it('says that a language is wanted where neither row nor request names one', async () => {
    const row = {
      name: 'x',
      description: 'd',
      public_tests: { input: ['1'], output: ['1'] },
      private_tests: { input: [], output: [] },
      generated_tests: { input: [], output: [] },
    };
    const items = [{ row, completion: fenced('1') }];
    expect(errorOf((await reward({ items })).results[0])).toMatchObject({ path: 'language' });
    expect((await reward({ items, language: 'python' })).rewards).toEqual([1]);
  });

  it.each([
    [{ items: 1 }, 'items'],
    [{ items: [{ row: {}, completion: 'x', completions: [] }] }, 'items[0]'],
    [{ items: [{ row: 'x', completion: 'x' }] }, 'items[0].row'],
    [{ items: [{ row: {}, completion: 1 }] }, 'items[0].completion'],
    [{ items: [], dataset: 'human_eval' }, 'dataset'],
    [{ items: [], detial: 'full' }, 'detial'],
    [{ items: [{ id: 'x'.repeat(300), row: {}, completion: 'x' }] }, 'items[0].id'],
    [{ items: [], language: 'klingon' }, 'language'],
    [{ items: Array.from({ length: 10_001 }, () => ({ row: {}, completion: '' })) }, 'items'],
    [
      {
        items: Array.from({ length: 101 }, () => ({
          row: {},
          completions: Array.from({ length: 1000 }, () => ''),
        })),
      },
      'items',
    ],
  ])('refuses request %# with the place that is wrong', async (body, path) => {
    const response = await createTestApp().app.request('/v1/reward', post(body));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });

  it('waits for a place where the queue is full, and gives up at the deadline', async () => {
    const clock = createFakeClock();
    let isFull = true;
    const script: Script = {
      async judge({ id }) {
        if (isFull) throw rejection('queue_full', 1000);
        return aJudgeReport({ id });
      },
    };
    const items = [{ row: stdinRow, completion: fenced('1') }];
    const waiting = reward({ items }, { script, clock });
    await settle();
    isFull = false;
    clock.advance(1000);
    expect((await waiting).rewards).toEqual([1]);
    isFull = true;
    const late = reward({ items, deadline_ms: 500 }, { script, clock });
    await settle();
    expect(errorOf((await late).results[0])).toMatchObject({ code: 'queue_full', retryable: true });
  });

  it('streams a line for each completion as it ends, and the summary last', async () => {
    const { app } = createTestApp(recorder());
    const items = [
      { id: 'a', row: stdinRow, completions: [fenced('1'), fenced('2')] },
      { row: { nothing: 1 }, completion: 'x' },
    ];
    const response = await app.request('/v1/reward', streamed({ items }));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => RewardLine.parse(JSON.parse(line)));
    expect(lines).toHaveLength(4);
    expect(lines).toContainEqual(expect.objectContaining({ item: 0, completion: 1, reward: 1 }));
    expect(lines).toContainEqual(
      expect.objectContaining({ item: 1, completion: null, reward: null }),
    );
    expect(lines.at(-1)).toEqual({
      summary: { completions: 3, judged: 2, rejected: 1, faults: 0 },
    });
  });

  it('judges no more at once than a batch may, and stops when the caller leaves', async () => {
    const signals: AbortSignal[] = [];
    const script: Script = {
      judge: (_submission, { signal }) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(rejection('caller_gone')));
        }),
    };
    const config = {
      batch: { ...DEFAULT_HTTP_CONFIG.batch, inFlightMax: 3 },
      bodiesMaxBytes: 10_000,
    };
    const { app } = createTestApp({ script, config });
    const completions = Array.from({ length: 100 }, () => fenced('1'));
    const response = await app.request(
      '/v1/reward',
      streamed({ items: [{ row: stdinRow, completions }] }),
    );
    const reader = response.body?.getReader();
    const pending = reader?.read();
    await settle();
    expect(signals).toHaveLength(3);
    // What the rows hold of the budget is held while they are judged.
    const second = await app.request('/v1/reward', post({ items: [], pad: 'x'.repeat(9000) }));
    expect(second.status).toBe(503);
    await reader?.cancel();
    await pending;
    await settle();
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true]);
    const third = await app.request('/v1/reward', post({ items: [] }));
    expect(await third.json()).toMatchObject({ rewards: [] });
  });

  it('takes the example of the documents', async () => {
    expect((await reward(EXAMPLES.reward, recorder())).rewards).toEqual([[1, 0]]);
  });
});
