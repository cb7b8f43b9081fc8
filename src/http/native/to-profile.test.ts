/** What each profile makes of a request: its comparison, exit code, limits, scoring, stop and choice of tests. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../../domain/limits.ts';
import { PROFILE_NAMES } from '../../domain/profiles.ts';
import type { JudgeSubmission } from '../../domain/submission.ts';
import { aJudgeBody } from '../test-support/scripted-service.ts';
import { parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';

function submissionOf(body: object): JudgeSubmission {
  return toJudgeSubmission(parseJudgeRequest(body), { maxima: DEFAULT_MAXIMA, id: 'x' });
}

const errorsOf = (body: object): unknown => {
  try {
    submissionOf(body);
  } catch (error) {
    return (error as { context: { errors: unknown } }).context.errors;
  }
  throw new Error('it was taken');
};

const MIB = 1024 * 1024;
const pytest = { kind: 'pytest', files: { 'test_f.py': 'def test(): pass\n' } };
const asserts = { kind: 'asserts', cases: ['assert f() == 1'] };
const calls = { kind: 'function', entry: 'f', cases: [{ args: [], expected: 1.5 }] };

/** Per original: comparison, exit code, CPU and wall limit in ms, memory in MiB, scoring, stop. */
const RULES: readonly (readonly [
  string,
  object,
  string,
  string,
  number,
  number,
  number,
  string,
  string,
])[] = [
  ['strict', {}, 'tokens', 'zero', 10_000, 21_000, 512, 'all', 'first_failure'],
  ['lcb', {}, 'decimal_lines', 'no_exception', 6000, 8000, 512, 'all', 'first_failure'],
  ['nemo-gym', {}, 'decimal_lines', 'no_exception', 10_000, 12_500, 4096, 'all', 'first_failure'],
  ['oi-stdio', {}, 'decimal_lines', 'no_exception', 1000, 3000, 512, 'fraction', 'never'],
  ['oi-asserts', { tests: asserts }, 'tokens', 'zero', 1000, 3000, 512, 'fraction', 'never'],
  ['apps', {}, 'apps_cascade', 'no_exception', 4000, 6000, 512, 'all', 'never'],
  ['prime-code', {}, 'prime_cascade', 'no_exception', 10_000, 12_500, 512, 'fraction', 'never'],
  ['taco', {}, 'taco_cascade', 'zero', 4000, 6000, 512, 'all', 'never'],
  ['rllm', {}, 'rllm_cascade', 'any', 12_000, 15_000, 512, 'all', 'first_failure'],
  ['codecontests', {}, 'code_contests', 'any', 10_000, 300_000, 256, 'all', 'never'],
  ['common-oj', {}, 'common_oj', 'zero', 20_000, 25_000, 512, 'all', 'first_failure'],
  ['cf-package', {}, 'yes_no_words', 'zero', 10_000, 21_000, 512, 'all', 'first_failure'],
  ['ioi-package', {}, 'diff_b', 'zero', 10_000, 21_000, 512, 'all', 'first_failure'],
  ['cms', {}, 'white_diff', 'zero', 10_000, 21_000, 512, 'all', 'never'],
  ['open-r1', {}, 'zipped_lines', 'zero', 5000, 7000, 512, 'fraction', 'never'],
  ['judge0', {}, 'trailing_stripped', 'zero', 5000, 10_000, 125, 'all', 'never'],
  ['nemo-skills', {}, 'stripped_1000', 'any', 10_000, 12_500, 512, 'fraction', 'never'],
  ['trl', {}, 'token_list', 'any', 6000, 8000, 1953.125, 'fraction', 'never'],
  ['genesys', {}, 'stripped_lines', 'any', 120_000, 300_000, 512, 'fraction', 'never'],
  ['evalplus', { tests: calls }, 'tokens', 'zero', 4000, 6000, 4096, 'all', 'never'],
  ['code_eval', { tests: asserts }, 'tokens', 'zero', 3000, 5000, 512, 'all', 'never'],
  ['kodcode', { tests: pytest }, 'tokens', 'zero', 10_000, 21_000, 512, 'all', 'never'],
  ['lc-functional', { tests: asserts }, 'tokens', 'zero', 30_000, 37_500, 4096, 'all', 'never'],
];

describe('a profile', () => {
  it.each(RULES)('%s decides as its original', (profile, parts, compare, exit, ...rest) => {
    const [cpuMs, wallMs, memoryMb, scoring, stop] = rest;
    const made = submissionOf(aJudgeBody({ profile, ...parts }));
    expect(made.compare.kind === 'grader' ? made.compare.grader : made.compare.kind).toBe(compare);
    expect(made.profile).toMatchObject({ name: profile, exit, leftOut: 0 });
    expect([made.limits.cpuMs, made.limits.wallMs, made.limits.memoryBytes / MIB]).toEqual([
      cpuMs,
      wallMs,
      memoryMb,
    ]);
    expect([made.scoring, made.stop]).toEqual([scoring, stop]);
    expect(made.clamped).toEqual([]);
  });

  it('is tested above, every one', () => {
    expect(RULES.map(([name]) => name).toSorted()).toEqual(PROFILE_NAMES.toSorted());
  });

  it('gives way to what the request asks for', () => {
    const limits = { cpu_ms: 2000, memory_mb: 64 };
    const body = { profile: 'nemo-gym', limits, scoring: 'fraction', reward_range: [-1, 1] };
    const made = submissionOf(aJudgeBody(body));
    expect(made.limits).toMatchObject({ cpuMs: 2000, wallMs: 5000, memoryBytes: 64 * MIB });
    // What is scored by shares is not stopped, as without a profile.
    expect([made.scoring, made.stop, made.rewardRange]).toEqual(['fraction', 'never', [-1, 1]]);
    expect(submissionOf(aJudgeBody({ profile: 'trl', stop: 'first_failure' })).stop).toBe(
      'first_failure',
    );
  });

  it('lets a problem bring its checker where the original does, and no other comparison', () => {
    const checker = {
      checker: { language: 'python', code: 'print(1)', convention: 'python_file' },
    };
    for (const profile of ['cf-package', 'ioi-package', 'cms'])
      expect(submissionOf(aJudgeBody({ profile, compare: checker })).compare.kind).toBe('checker');
    const fixed = [{ path: 'compare', message: 'is given by the profile lcb' }];
    expect(errorsOf(aJudgeBody({ profile: 'lcb', compare: checker }))).toEqual(fixed);
    expect(errorsOf(aJudgeBody({ profile: 'lcb', compare: 'tokens' }))).toEqual(fixed);
    expect(errorsOf(aJudgeBody({ profile: 'cms', compare: 'exact' }))).toMatchObject([
      { path: 'compare' },
    ]);
  });

  it('refuses tests that its original does not know', () => {
    expect(errorsOf(aJudgeBody({ profile: 'open-r1', tests: asserts }))).toEqual([
      { path: 'profile', message: 'open-r1 judges tests of the kinds stdio, not asserts' },
    ]);
  });

  it('counts the first tests, or those of the longest inputs, and says how many it leaves out', () => {
    const cases = Array.from({ length: 20 }, (_, index) => ({
      stdin: 'x'.repeat((index * 7) % 20),
      expected_stdout: '',
    }));
    const idsOf = (profile: string) => {
      const { tests, profile: rules } = submissionOf(
        aJudgeBody({ profile, tests: { kind: 'stdio', cases } }),
      );
      if (tests.kind !== 'stdio') throw new Error('a kind of its own');
      return { ids: tests.cases.map(({ id }) => Number(id)), leftOut: rules.leftOut };
    };
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(idsOf('trl')).toEqual({ ids: upTo(12), leftOut: 8 });
    expect(idsOf('prime-code')).toEqual({ ids: upTo(10), leftOut: 10 });
    expect(idsOf('lcb')).toEqual({ ids: upTo(20), leftOut: 0 });
    const { ids, leftOut } = idsOf('rllm');
    expect(leftOut).toBe(5);
    expect(ids.map((id) => ((id - 1) * 7) % 20)).toEqual(upTo(19).toReversed().slice(0, 15));
  });

  it('counts calls the same way, by their arguments', () => {
    const cases = Array.from({ length: 17 }, (_, index) => ({
      args: ['x'.repeat(index)],
      expected: 1,
    }));
    const made = submissionOf(aJudgeBody({ profile: 'rllm', tests: { ...calls, cases } }));
    const kept = Array.from({ length: 15 }, (_, index) => String(17 - index));
    expect('document' in made.tests ? made.tests.ids : null).toEqual(kept);
    expect(made.profile.leftOut).toBe(2);
  });

  it.each([
    ['evalplus', { abs: 1e-6, rel: 1e-7 }],
    ['nemo-gym', { abs: 1e-8, rel: 1e-5 }],
  ])('gives calls the tolerance of %s', (profile, float) => {
    const made = submissionOf(aJudgeBody({ profile, tests: calls }));
    const document = 'document' in made.tests ? made.tests.document : '';
    expect(JSON.parse(document)).toMatchObject({ float });
  });
});
