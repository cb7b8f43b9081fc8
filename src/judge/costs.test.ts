/** Estimates follow what was seen, by environment and by the number of runs. */
import { expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../domain/limits.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../http/native/to-judge-submission.ts';
import { aJudgeBody } from '../http/test-support/scripted-service.ts';
import { Costs } from './costs.ts';

function aSubmission(cases: number) {
  const tests = {
    kind: 'stdio',
    cases: Array.from({ length: cases }, () => ({ expected_stdout: '' })),
  };
  const body = parseJudgeRequest(aJudgeBody({ tests }));
  return toJudgeSubmission(body, { maxima: DEFAULT_MAXIMA, id: 'x' });
}

it('grows with the runs and is never nothing', () => {
  const costs = new Costs();
  const one = costs.estimate('python', aSubmission(1));
  expect(one).toBeGreaterThan(0);
  expect(costs.estimate('python', aSubmission(40))).toBe(40 * one);
  costs.learn('python', aSubmission(1), 0);
  expect(costs.estimate('python', aSubmission(1))).toBeGreaterThan(0);
});

it('comes to what an environment really takes, whatever others do', () => {
  const costs = new Costs();
  for (let i = 0; i < 100; i += 1) {
    costs.learn('python', aSubmission(10), 200);
    costs.learn('cpp', aSubmission(2), 2000);
  }
  expect(costs.estimate('python', aSubmission(5))).toBeCloseTo(100);
  expect(costs.estimate('cpp', aSubmission(1))).toBeCloseTo(1000);
  costs.learn('python', aSubmission(1), 10_000);
  expect(costs.estimate('python', aSubmission(1))).toBeLessThan(1100);
});
