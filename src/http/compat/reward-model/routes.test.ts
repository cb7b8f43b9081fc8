/** The paths of remote reward models over a scripted service: shapes, labels, settings, bad input, faults. */
import { describe, expect, it } from 'vitest';

import { Fault, type RejectionCode } from '../../../domain/errors.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aFault,
  aJudgeReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const ANSWER = 'Here.\n```python\nprint(3)\n```\n';
const PAIRS = [{ input: '1 2\n', output: '3\n' }];
const ROW = { problem: 'Add.', tests: PAIRS };
const PROBLEM = {
  language: 'python',
  tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] },
};

async function ask(path: string, body: unknown, script: Script = {}) {
  const response = await createTestApp({ script }).app.request(path, post(body));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as unknown, text };
}

function noting(parts: Parameters<typeof aJudgeReport>[0] = {}) {
  const seen: JudgeSubmission[] = [];
  const script: Script = {
    async judge(submission) {
      seen.push(submission);
      return aJudgeReport(parts);
    },
  };
  return { seen, script };
}

const openRLHF = (label: unknown, parts: object = {}) => ({
  query: [`<s>Add.\n${ANSWER}<|im_end|>`],
  prompts: ['Add.\n'],
  labels: [label],
  ...parts,
});
const slime = (label: unknown, parts: object = {}) => ({
  prompt: 'Add.',
  response: ANSWER,
  label,
  ...parts,
});

const codeOf = ({ program }: JudgeSubmission): string =>
  program.kind === 'single' ? program.code : program.kind === 'completion' ? program.text : '';

describe('/get_reward', () => {
  it('answers lists of one, of numbers alone', async () => {
    const { seen, script } = noting({
      verdict: 'wrong_answer',
      reward: 0,
      passed: 1,
      total: 2,
      fraction: 0.5,
    });
    const answer = await ask('/get_reward', openRLHF(JSON.stringify(ROW)), script);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      rewards: [0],
      scores: [0],
      extra_logs: { passed: [1], total: [2], fraction: [0.5] },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0] && codeOf(seen[0])).toBe('print(3)\n');
  });

  it('judges what comes behind the prompt, whatever code the prompt shows', async () => {
    const { seen, script } = noting();
    const prompt = 'Mend this:\n```python\nprint(4)\n```\n';
    const body = {
      query: [`${prompt}I will not.`, `${prompt}${ANSWER}`],
      prompts: [prompt, prompt],
      labels: [JSON.stringify(ROW), JSON.stringify(ROW)],
    };
    await ask('/get_reward', body, script);
    expect(seen.map((each) => codeOf(each))).toEqual(['I will not.', 'print(3)\n']);
  });

  it('keeps the order of several samples', async () => {
    const script: Script = {
      async judge(submission) {
        const isSlow = codeOf(submission).includes('slow');
        if (isSlow) await settle();
        return aJudgeReport({ reward: isSlow ? 0 : 1 });
      },
    };
    const names = ['slow', 'quick', 'slow', 'quick'];
    const body = {
      query: names.map((name) => `p\`\`\`python\n${name}\n\`\`\``),
      prompts: names.map(() => 'p'),
      labels: names.map(() => JSON.stringify(ROW)),
    };
    expect((await ask('/get_reward', body, script)).body).toMatchObject({ rewards: [0, 1, 0, 1] });
  });
});

describe('/remote_rm', () => {
  it('answers a bare number, or an object for a reward key', async () => {
    const { script } = noting({ reward: -1, fraction: 0, passed: 0, verdict: 'wrong_answer' });
    const bare = await ask('/remote_rm?reward_range=-1,1', slime(ROW), script);
    expect(bare).toMatchObject({ status: 200, text: '-1' });
    const object = await ask('/remote_rm?reward_range=-1,1&answer=object', slime(ROW), script);
    expect(object.body).toEqual({
      reward: -1,
      score: 0,
      passed: 0,
      total: 1,
      fraction: 0,
      verdict: 'wrong_answer',
    });
  });

  it('takes a prompt of messages', async () => {
    const prompt = [{ role: 'user', content: 'Add.' }];
    expect(await ask('/remote_rm', slime(ROW, { prompt }))).toMatchObject({ text: '1' });
  });
});

describe('labels', () => {
  it.each<[string, unknown]>([
    ['a row', ROW],
    ['a row as text', JSON.stringify(ROW)],
    [
      'a row as a Python literal',
      "{'problem': 'Add.', 'tests': [{'input': '1 2', 'output': '3'}]}",
    ],
    ['a list of tests', PAIRS],
    ['a list of tests as text', JSON.stringify(PAIRS)],
    ['statements', ['assert add(1, 2) == 3']],
    ['a problem', PROBLEM],
    ['a problem as text', JSON.stringify(PROBLEM)],
  ])('may be %s', async (_, label) => {
    const { seen, script } = noting();
    const answer = await ask('/remote_rm', slime(label), script);
    expect(answer).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(1);
  });

  it('keep their numbers as they are written', async () => {
    const { seen, script } = noting();
    const tests =
      '{"kind": "function", "entry": "f", "cases": [{"args": [1.0], "expected": 12345678901234567890}]}';
    for (const label of [`{"language": "python", "tests": ${tests}}`]) {
      await ask('/remote_rm', slime(label), script);
      await ask('/remote_rm', `{"response": ${JSON.stringify(ANSWER)}, "label": ${label}}`, script);
    }
    for (const { tests: made } of seen) {
      const document = 'document' in made ? made.document : '';
      expect(document).toContain('[1.0]');
      expect(document).toContain('12345678901234567890');
    }
    expect(seen).toHaveLength(2);
  });

  it.each<[string, string, unknown, string]>([
    ['nothing', '/remote_rm', slime(null), 'label'],
    ['empty text', '/remote_rm', slime(' '), 'label'],
    ['a number', '/remote_rm', slime(4), 'label'],
    ['text that is no tests', '/remote_rm', slime('SECRET'), 'label'],
    ['a row without tests', '/remote_rm', slime({ problem: 'x', tests: [] }), 'label'],
    ['an unknown row', '/remote_rm', slime({ SECRET: 1 }), 'label'],
    ['an unknown field of a problem', '/remote_rm', slime({ ...PROBLEM, SECRET: 1 }), 'SECRET'],
    ['half a character', '/remote_rm', slime('{"tests": {"kind": "\\ud800"}}'), 'label.tests'],
    [
      'a case of a problem',
      '/remote_rm',
      slime({ ...PROBLEM, tests: { kind: 'stdio', cases: [{}] } }),
      'label.tests.cases[0].expected_stdout',
    ],
    ['an unknown test set', '/remote_rm', slime({ testset: 'a b' }), 'testset'],
    ['nothing, in a list', '/get_reward', openRLHF(''), 'labels[0]'],
    ['no answer', '/remote_rm', { label: ROW }, 'response'],
    ['no list', '/get_reward', openRLHF(ROW, { query: 'SECRET' }), 'query'],
    ['lists of other lengths', '/get_reward', openRLHF(ROW, { labels: [] }), 'labels'],
    ['fewer prompts', '/get_reward', openRLHF(ROW, { prompts: ['a', 'b'] }), 'prompts'],
    ['another prompt', '/get_reward', openRLHF(ROW, { prompts: ['Subtract'] }), 'query[0]'],
    ['an unknown setting', '/get_reward?colour=red', openRLHF(ROW), 'colour'],
    ['a bad range', '/get_reward?reward_range=SECRET,1', openRLHF(ROW), 'reward_range[0]'],
    ['an unknown data set', '/get_reward?dataset=SECRET', openRLHF(ROW), 'dataset'],
    ['an unknown profile', '/remote_rm?profile=SECRET', slime(ROW), 'profile'],
    ['an unknown answer', '/remote_rm?answer=SECRET', slime(ROW), 'answer'],
  ])('that are wrong are named: %s', async (_, path, body, field) => {
    const answer = await ask(path, body);
    expect(answer.status).toBe(422);
    const { errors } = answer.body as { errors: { path: string; message: string }[] };
    expect(errors.map((error) => error.path).join(' ')).toContain(field);
    expect(errors.map((error) => error.message).join(' ')).not.toContain('SECRET');
  });
});

describe('settings in the URL', () => {
  it('are those of /v1/reward', async () => {
    const { seen, script } = noting();
    const query =
      'dataset=columns&language=python&scoring=fraction&reward_range=-1,1&profile=lcb&stop=never';
    await ask(`/remote_rm?${query}`, slime({ tests: PAIRS }), script);
    expect(seen[0]).toMatchObject({
      scoring: 'fraction',
      rewardRange: [-1, 1],
      stop: 'never',
      profile: { name: 'lcb' },
    });
  });

  it('give way to what a problem says itself', async () => {
    const { seen, script } = noting({ reward: 5 });
    const label = { ...PROBLEM, reward_range: [0, 10], scoring: 'fraction' };
    const answer = await ask('/remote_rm?reward_range=-1,1&answer=object', slime(label), script);
    expect(seen[0]).toMatchObject({ rewardRange: [0, 10], scoring: 'fraction' });
    expect(answer.body).toMatchObject({ reward: 5, score: 0.5 });
  });
});

describe('what is not the model’s failure', () => {
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
  ] as const)('%s is a 500, never null and never 0', async (_, judge) => {
    for (const [path, body] of [
      ['/get_reward', openRLHF(ROW)],
      ['/remote_rm', slime(ROW)],
    ] as const) {
      const answer = await ask(path, body, { judge });
      expect(answer).toMatchObject({ status: 500, body: { code: 'fault' } });
      expect(answer.text).not.toContain('/secret');
    }
  });

  it.each<[RejectionCode, number]>([
    ['draining', 503],
    ['language_unavailable', 503],
  ])('%s is %i, which both clients try again', async (code, status) => {
    const script: Script = {
      async judge() {
        throw rejection(code);
      },
    };
    expect(await ask('/remote_rm', slime(ROW), script)).toMatchObject({ status });
  });

  it.each([
    ['/get_reward', openRLHF(ROW), 180_000],
    ['/remote_rm', slime(ROW), 120_000],
  ])('%s answers within the time that its client waits', async (path, body, mostMs) => {
    const clock = createFakeClock();
    const script: Script = {
      async judge(_, { deadlineMs }) {
        expect(deadlineMs).toBeGreaterThan(0);
        throw rejection('queue_full', 5000);
      },
    };
    const answer = createTestApp({ script, clock }).app.request(path, post(body));
    let passed = 0;
    let status = 0;
    void Promise.resolve(answer).then((response) => {
      ({ status } = response);
    });
    while (status === 0 && passed < mostMs) {
      await settle();
      clock.advance(1000);
      passed += 1000;
    }
    expect([503, 504]).toContain(status);
    expect(passed).toBeGreaterThan(mostMs - 30_000);
  });
});
