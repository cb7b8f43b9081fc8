/**
 * Remote reward models over real jails. The clients are parts of whole trainers: what they send, and what they make of
 * an answer, is written anew here from their contracts.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { RunningService } from '../../support/service.ts';

export function rewardModelSuite(service: () => RunningService): void {
  const GetReward = z.looseObject({
    rewards: z.array(z.number()).length(1),
    scores: z.array(z.number()).length(1).optional(),
    extra_logs: z.record(z.string(), z.array(z.number()).length(1)).optional(),
  });

  /** OpenRLHF: one sample a call, any answer but a 2xx tried again, then no reward. */
  async function getReward(prompt: string, response: string, label: string, query = '') {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const body = {
        query: [`${prompt}${response}<|im_end|>`],
        prompts: [prompt],
        labels: [label],
      };
      const answer = await service().client.post(`/get_reward${query}`, body);
      if (answer.status !== 200) continue;
      const { rewards, scores } = GetReward.parse(answer.body);
      return { reward: rewards[0], score: (scores ?? rewards)[0] };
    }
    return null;
  }

  /** slime: the JSON value is the reward; null is an error. */
  async function remoteRM(response: string, label: unknown, query = '') {
    const body = { prompt: [{ role: 'user', content: 'Add.' }], response, label };
    const answer = await service().client.post(`/remote_rm${query}`, body);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    expect(answer.headers.get('content-type')).toContain('json');
    return z.number().parse(answer.body);
  }

  const fenced = (code: string) => `So:\n\`\`\`python\n${code}\n\`\`\`\n`;
  const RIGHT = fenced('print(sum(map(int, input().split())))');
  const WRONG = fenced('print(3)');
  const TESTS = [
    { input: '1 2\n', output: '3\n' },
    { input: '2 2\n', output: '4\n' },
  ];
  const PROMPT = 'Add two numbers. Like:\n```python\nprint(4)\n```\n';

  describe('OpenRLHF', () => {
    it('gets numbers for right, half right and no code', async () => {
      const label = JSON.stringify({ tests: TESTS });
      expect(await getReward(PROMPT, RIGHT, label)).toEqual({ reward: 1, score: 1 });
      expect(await getReward(PROMPT, WRONG, label)).toEqual({ reward: 0, score: 0 });
      const query = '?scoring=fraction&reward_range=-1,1';
      expect(await getReward(PROMPT, WRONG, label, query)).toEqual({ reward: 0, score: 0.5 });
      // The prompt's own code would be half right.
      expect(await getReward(PROMPT, 'I do not know.', label)).toEqual({ reward: 0, score: 0 });
    });

    it('gets no reward for a label without tests', async () => {
      expect(await getReward(PROMPT, RIGHT, '{"tests": []}')).toBeNull();
    });
  });

  describe('slime', () => {
    it('gets a number for statements, calls and a kept test set', async () => {
      const add = fenced('def add(a, b):\n    return a + b');
      expect(await remoteRM(add, ['assert add(1, 2) == 3'])).toBe(1);
      expect(await remoteRM(add, ['assert add(1, 2) == 4'])).toBe(0);
      const calls = {
        language: 'python',
        tests: { kind: 'function', entry: 'add', cases: [{ args: [1, 2], expected: 3 }] },
      };
      expect(await remoteRM(add, calls)).toBe(1);
      const problem = {
        id: 'two',
        language: 'python',
        tests: {
          kind: 'stdio',
          cases: TESTS.map(({ input, output }) => ({ stdin: input, expected_stdout: output })),
        },
        references: [{ code: 'print(sum(map(int, input().split())))' }],
        reward_range: [-1, 2],
      };
      const calibrate = { runs: 2 };
      const kept = { id: 'sums', problems: [problem], calibrate };
      expect((await service().client.post('/v1/testsets', kept)).status).toBe(200);
      // What was registered says what a reward is worth, unless the URL does.
      expect(await remoteRM(RIGHT, { testset: 'sums/two' })).toBe(2);
      expect(await remoteRM(WRONG, JSON.stringify({ testset: 'sums/two' }))).toBe(-1);
      const query = '?reward_range=0,5&language=python';
      expect(await remoteRM(RIGHT, { testset: 'sums/two' }, query)).toBe(5);
      const gamed = { response: RIGHT, label: { testset: 'sums/two' } };
      const refused = await service().client.post('/remote_rm?profile=rllm', gamed);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain('is given by the test set');
    });

    it('gets sixty rewards at once, in their places', async () => {
      const rewards = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          remoteRM(index % 3 === 0 ? RIGHT : WRONG, { tests: TESTS }),
        ),
      );
      expect(rewards).toEqual(rewards.map((_, index) => (index % 3 === 0 ? 1 : 0)));
    });
  });
}
