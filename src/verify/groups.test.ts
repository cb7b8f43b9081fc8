/** Groups of cases: a table of the rules, and what holds of all of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { GroupRule } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { groupShare, isLost } from './groups.ts';
import { score } from './score.ts';

type Rule = GroupRule['rule'];
const RULES: readonly Rule[] = ['sum', 'min', 'product', 'threshold'];

const aRule = (rule: Rule, given: Partial<GroupRule> = {}): GroupRule => ({
  name: 'a',
  points: 10,
  rule,
  threshold: 1,
  ...given,
});
const weighted = (...scores: number[]) => scores.map((each) => ({ score: each, weight: 1 }));

function report(name: string, value: number, given: Partial<CaseReport> = {}): CaseReport {
  return {
    id: name,
    verdict: value === 1 ? 'accepted' : 'wrong_answer',
    weight: 1,
    group: name,
    score: value,
    limit: null,
    outcome: null,
    message: '',
    ...given,
  };
}

describe('groupShare', () => {
  it.each<[Rule, number, number[], number]>([
    ['sum', 1, [1, 0.5, 0], 0.5],
    ['sum', 1, [1, 1], 1],
    ['min', 1, [1, 0.25, 0.5], 0.25],
    ['product', 1, [0.5, 0.5, 1], 0.25],
    ['product', 1, [1, 0], 0],
    ['threshold', 0.5, [0.5, 0.1], 1],
    ['threshold', 0.5, [0.5, 0.6], 0],
    // 0 marks what failed, so it is under no threshold.
    ['threshold', 0.5, [0.5, 0], 0],
    ['threshold', 1, [1, 1], 1],
  ])('%s (%d) of %j is %d', (rule, threshold, scores, share) => {
    expect(groupShare(aRule(rule, { threshold }), weighted(...scores))).toBe(share);
  });

  it('sums by weight, without overflow', () => {
    const cases = [
      { score: 1, weight: Number.MAX_VALUE },
      { score: 0, weight: Number.MAX_VALUE / 3 },
    ];
    expect(groupShare(aRule('sum'), cases)).toBe(0.75);
  });

  const aScore = fc.oneof(
    fc.constant(0),
    fc.constant(1),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const someCases = fc.array(
    fc.record({ score: aScore, weight: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) }),
    { minLength: 1, maxLength: 20 },
  );

  it('is within 0 … 1, and 1 for sum, min and product only where every score is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES), someCases, (rule, cases) => {
        const share = groupShare(aRule(rule), cases);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        if (rule === 'threshold') return;
        expect(share === 1).toBe(cases.every((each) => each.score === 1));
      }),
    );
  });

  it('does not fall when one score rises, but for a threshold', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Rule>('sum', 'min', 'product'),
        someCases,
        fc.nat(),
        aScore,
        (rule, cases, at, raised) => {
          const index = at % cases.length;
          const better = cases.map((each, i) =>
            i === index ? { ...each, score: Math.max(each.score, raised) } : each,
          );
          // Shares are to twelve digits.
          expect(groupShare(aRule(rule), better)).toBeGreaterThanOrEqual(
            groupShare(aRule(rule), cases) - 1e-11,
          );
        },
      ),
    );
  });

  it('does not depend on the order of the cases, to twelve digits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES), someCases, (rule, cases) => {
        const backwards = groupShare(aRule(rule), cases.toReversed());
        expect(backwards).toBeCloseTo(groupShare(aRule(rule), cases), 11);
      }),
    );
  });

  it('is 0 whatever comes once a case has lost it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RULES),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        someCases,
        (rule, threshold, cases) => {
          const given = aRule(rule, { threshold });
          if (cases.some((each) => isLost(given, each))) expect(groupShare(given, cases)).toBe(0);
        },
      ),
    );
  });
});

describe('score by groups', () => {
  const scoring = {
    groups: [aRule('min', { name: 'a', points: 30 }), aRule('sum', { name: 'b', points: 70 })],
  };
  const ask = (cases: readonly CaseReport[], declared = cases.length) =>
    score({ cases, declared, scoring, rewardRange: [0, 1] });

  it('adds what groups win, and tells each', () => {
    const cases = [report('a', 1), report('a', 0.5), report('b', 1), report('b', 0)];
    expect(ask(cases)).toEqual({
      verdict: 'wrong_answer',
      reward: 0.5,
      fraction: 0.5,
      passed: 2,
      total: 4,
      groups: [
        { name: 'a', points: 15, pointsMax: 30, passed: 1, total: 2 },
        { name: 'b', points: 35, pointsMax: 70, passed: 1, total: 2 },
      ],
    });
  });

  it('is everything exactly where every group is, in any range', () => {
    const cases = [report('a', 1), report('b', 1)];
    const range: [number, number] = [-0.3, 2.7];
    expect(score({ cases, declared: 2, scoring, rewardRange: range })).toMatchObject({
      verdict: 'accepted',
      reward: 2.7,
      fraction: 1,
    });
  });

  it('counts cases left out in their group', () => {
    const cases = [
      report('a', 0),
      report('a', 0, { verdict: 'not_run' }),
      report('b', 1),
      report('b', 1),
    ];
    expect(ask(cases)).toMatchObject({
      reward: 0.7,
      groups: [{ passed: 0, total: 2 }, { passed: 2 }],
    });
  });

  it('is a fault where a result is missing without a failure', () => {
    const cases = [report('a', 1), report('b', 1)];
    expect(ask(cases, 3)).toMatchObject({ verdict: 'fault', reward: null });
    const unrun = [report('a', 1), report('b', 0, { verdict: 'not_run' })];
    expect(ask(unrun)).toMatchObject({ verdict: 'fault', reward: null });
  });

  it('is no pass where an accepted case is beyond a threshold', () => {
    const groups = [aRule('threshold', { threshold: 0.5 })];
    const cases = [report('a', 1)];
    const request = { cases, declared: 1, scoring: { groups }, rewardRange: [0, 1] as const };
    expect(score(request)).toMatchObject({ verdict: 'wrong_answer', reward: 0 });
  });

  it('refuses cases of no group, groups of no case, and scores that are none', () => {
    expect(() => ask([report('a', 1), report('b', 1), report('c', 1)])).toThrow('no group');
    expect(() => ask([report('a', 1)])).toThrow('no case');
    for (const value of [Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])
      expect(() => ask([report('a', 1), report('b', value)])).toThrow('with a score of');
    expect(() => ask([report('a', 1), report('b', 1, { score: 0.5 })])).toThrow('accepted with');
  });
});
