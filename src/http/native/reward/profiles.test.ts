/** Profiles over rows of data sets: which of a row's fields they leave, and cases that they leave out. */
import { describe, expect, it } from 'vitest';

import type { JudgeSubmission } from '../../../domain/submission.ts';
import { inForce } from '../../../domain/profile.ts';
import {
  aCase,
  aJudgeReport,
  createTestApp,
  post,
  type Script,
} from '../../test-support/scripted-service.ts';
import type { RewardResponse } from '../schema/reward.ts';

async function reward(body: object, script: Script): Promise<RewardResponse> {
  const response = await createTestApp({ script }).app.request('/v1/reward', post(body));
  return (await response.json()) as RewardResponse;
}

/** Accepts all cases that it is given. */
function accepting() {
  const seen: JudgeSubmission[] = [];
  const script: Script = {
    async judge(submission) {
      seen.push(submission);
      const { tests, profile, id } = submission;
      const ids = 'cases' in tests ? tests.cases.map((each) => each.id) : (tests.ids ?? []);
      const cases = ids.map((each) => aCase({ id: each }));
      const total = cases.length;
      return aJudgeReport({ id, cases, total, passed: total, profile });
    },
  };
  return { seen, script };
}

const fenced = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
const mixed = (count: number) => ({
  verification_info: {
    language: 'python',
    test_cases: Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? { type: 'stdin_stdout', fn_name: null, input: `${index}\n`, output: '1\n' }
        : { type: 'function_call', fn_name: 'f', input: [index], output: 2 },
    ),
  },
});

describe('a row under a profile', () => {
  it('of mixed tests, of which cases are left out, is still one report and no fault', async () => {
    const { seen, script } = accepting();
    const items = [{ row: mixed(60), completion: fenced('def f(x): return 2') }];
    const { results, rewards } = await reward({ items, profile: 'rllm' }, script);
    // Thirty of each kind, of which the original's fifteen count.
    expect(seen.map(({ profile }) => profile.leftOut)).toEqual([15, 15]);
    expect(rewards).toEqual([1]);
    expect(results).toMatchObject([{ verdict: 'accepted', passed: 30, total: 30 }]);
  });

  it('keeps the row’s limits where the original has none of its own', async () => {
    const { seen, script } = accepting();
    const row = {
      name: 'a',
      description: 'Add.',
      public_tests: { input: ['1 2\n'], output: ['3\n'] },
      private_tests: { input: [], output: [] },
      generated_tests: { input: [], output: [] },
      solutions: { language: [], solution: [] },
      time_limit: { seconds: 2, nanos: 0 },
      memory_limit_bytes: 268_435_456,
    };
    const items = [{ row, completion: fenced('x') }];
    for (const profile of ['strict', 'cf-package', 'lcb', 'codecontests', 'nemo-gym'])
      await reward({ items, profile, language: 'python' }, script);
    await reward({ items, profile: 'lcb', language: 'python', limits: { cpu_ms: 700 } }, script);
    const MIB = 1024 * 1024;
    expect(seen.map(({ limits }) => [limits.cpuMs, limits.memoryBytes / MIB])).toEqual([
      [2000, 256],
      [2000, 256],
      [6000, 256],
      [10_000, 256],
      [10_000, 4096],
      [700, 256],
    ]);
  });

  it('that the profile does not judge is refused, with null', async () => {
    const { script } = accepting();
    const row = { task_id: 1, text: 'Add.', code: '', test_list: ['assert add(1, 2) == 3'] };
    const items = [{ row, completion: fenced('x') }];
    const { rewards, results } = await reward({ items, profile: 'open-r1' }, script);
    expect(rewards).toEqual([null]);
    expect(results).toMatchObject([{ error: { code: 'invalid', path: 'profile' } }]);
  });

  it('is named in every report', async () => {
    const items = [{ row: mixed(2), completion: fenced('def f(x): return 2') }];
    const { results } = await reward({ items, profile: 'apps' }, accepting().script);
    expect(results).toMatchObject([
      { profile: 'apps', can_be_gamed: inForce('apps').canBeGamed, cases_not_counted: 0 },
    ]);
  });
});
