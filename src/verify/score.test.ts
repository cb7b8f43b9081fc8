/** Scoring: a table of the rules and properties of the reward. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { CaseReport, CaseVerdict } from '../domain/verdict.ts';
import { score, type ScoreRequest } from './score.ts';

function cases(...verdicts: (CaseVerdict | [CaseVerdict, number])[]): CaseReport[] {
  return verdicts.map((entry, index) => {
    const [verdict, weight] = typeof entry === 'string' ? ([entry, 1] as const) : entry;
    const score = verdict === 'accepted' ? 1 : 0;
    const rest = { group: null, limit: null, outcome: null, message: '' };
    return { id: String(index + 1), verdict, weight, score, ...rest };
  });
}

function aRequest(request: Partial<ScoreRequest>): ScoreRequest {
  const list = request.cases ?? [];
  return { cases: list, declared: list.length, scoring: 'all', rewardRange: [0, 1], ...request };
}

const MIXED = cases('accepted', 'time_limit', 'wrong_answer', 'accepted');

describe('score', () => {
  it.each([
    ['all accepted', aRequest({ cases: cases('accepted', 'accepted') }), 'accepted', 1, 1],
    ['the first failing case names the verdict', aRequest({ cases: MIXED }), 'time_limit', 0, 0.5],
    ['fraction', aRequest({ cases: MIXED, scoring: 'fraction' }), 'time_limit', 0.5, 0.5],
    [
      'weighted',
      aRequest({ cases: cases(['accepted', 3], ['wrong_answer', 1]), scoring: 'weighted' }),
      'wrong_answer',
      0.75,
      0.75,
    ],
    [
      'not_run counts as not passed',
      aRequest({
        cases: cases('accepted', 'runtime_error', 'not_run', 'not_run'),
        scoring: 'fraction',
      }),
      'runtime_error',
      0.25,
      0.25,
    ],
    [
      'fewer results than declared with a failure',
      aRequest({ cases: cases('accepted', 'wrong_answer'), declared: 4, scoring: 'fraction' }),
      'wrong_answer',
      0.25,
      0.25,
    ],
    [
      'fewer results, weighted',
      aRequest({
        cases: cases(['accepted', 3], ['wrong_answer', 1]),
        declared: 4,
        scoring: 'weighted',
      }),
      'wrong_answer',
      0.375,
      0.375,
    ],
    [
      'a range',
      aRequest({ cases: MIXED, scoring: 'fraction', rewardRange: [-1, 1] }),
      'time_limit',
      0,
      0.5,
    ],
    [
      'sums without the noise of binary fractions',
      aRequest({
        cases: cases('accepted', 'accepted', 'accepted', 'wrong_answer', 'wrong_answer'),
        scoring: 'fraction',
        rewardRange: [-1, 1],
      }),
      'wrong_answer',
      0.2,
      0.6,
    ],
    [
      'weights without it',
      aRequest({
        cases: cases(['accepted', 0.1], ['accepted', 0.2], ['wrong_answer', 0.7]),
        scoring: 'weighted',
      }),
      'wrong_answer',
      0.3,
      0.3,
    ],
    [
      'a range so narrow that rounding would reach its end',
      aRequest({ cases: MIXED, scoring: 'fraction', rewardRange: [1 - 2 ** -52, 1 + 2 ** -52] }),
      'time_limit',
      1,
      0.5,
    ],
    [
      'the lower end',
      aRequest({ cases: MIXED, rewardRange: [-0.3, 2.7] }),
      'time_limit',
      -0.3,
      0.5,
    ],
  ])('%s', (_name, request, verdict, reward, fraction) => {
    expect(score(request)).toMatchObject({ verdict, reward, fraction, total: request.declared });
  });

  it.each([
    ['no case declared', aRequest({})],
    ['no result at all', aRequest({ declared: 3 })],
    ['a result missing without a failure', aRequest({ cases: cases('accepted'), declared: 2 })],
    ['a case not run without a failure', aRequest({ cases: cases('accepted', 'not_run') })],
  ])('is a fault, never scored: %s', (_name, request) => {
    for (const scoring of ['all', 'fraction', 'weighted'] as const) {
      const result = score({ ...request, scoring });
      expect(result).toMatchObject({ verdict: 'fault', reward: null });
      expect(result.fraction).toBeLessThan(1);
    }
  });

  it.each<[number, number]>([
    [0, Number.MIN_VALUE],
    [1, 1 + Number.EPSILON],
    [-Number.MIN_VALUE, 0],
  ])('gives no full reward to a part where nothing lies between %d and %d', (none, everything) => {
    const partly = cases(...Array.from({ length: 9 }, () => 'accepted' as const), 'wrong_answer');
    const request = {
      cases: partly,
      scoring: 'fraction',
      rewardRange: [none, everything],
    } as const;
    expect(score(aRequest(request)).reward).toBe(none);
  });

  it('refuses more results than declared cases', () => {
    expect(() => score(aRequest({ cases: cases('accepted', 'accepted'), declared: 1 }))).toThrow(
      '2 results for 1',
    );
  });

  it('gives the upper end exactly when everything passed, whatever the weights and range', () => {
    const weight = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
    const end = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1 }), end, end, (weights, none, everything) => {
        const all = cases(...weights.map((each): [CaseVerdict, number] => ['accepted', each]));
        for (const scoring of ['all', 'fraction', 'weighted'] as const) {
          const result = score(aRequest({ cases: all, scoring, rewardRange: [none, everything] }));
          expect(result).toMatchObject({ verdict: 'accepted', reward: everything, fraction: 1 });
        }
      }),
    );
  });

  it('never gives the upper end when one case failed, however light it is', () => {
    const weight = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
    const upper = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(weight, { maxLength: 20 }),
        weight,
        upper,
        (weights, light, everything) => {
          const list = cases(...weights.map((each): [CaseVerdict, number] => ['accepted', each]), [
            'wrong_answer',
            light,
          ]);
          for (const scoring of ['all', 'fraction', 'weighted'] as const) {
            const { reward } = score(
              aRequest({ cases: list, scoring, rewardRange: [0, everything] }),
            );
            expect(reward).toBeGreaterThanOrEqual(0);
            expect(reward).toBeLessThan(everything);
          }
        },
      ),
    );
  });
});
