/** What may come of a hack and of an honest program, and what the counts and the last line make of it. */
import { describe, expect, it } from 'vitest';

import type { Expectation, Program } from './problems.ts';
import { countEnds, endOf, isHeld, type End, type Result } from './run.ts';
import { describeCounts, describeGauntlet } from './table.ts';

describe('the end of an attempt', () => {
  it.each<[Expectation, string, number | null, End]>([
    ['no reward', 'wrong_answer', 0, 'passed'],
    ['no reward', 'compile_error', 0, 'passed'],
    ['no reward', 'accepted', 1, 'rewarded'],
    ['no reward', 'wrong_answer', 0.25, 'rewarded'],
    ['no reward', 'accepted', 0, 'rewarded'],
    ['no reward', 'fault', null, 'faulted'],
    ['no reward', 'wrong_answer', null, 'faulted'],
    ['no reward, or a fault', 'fault', null, 'passed'],
    ['no reward, or a fault', 'accepted', 1, 'rewarded'],
    ['accepted', 'accepted', 1, 'passed'],
    ['accepted', 'accepted', 0.5, 'refused'],
    ['accepted', 'wrong_answer', 0, 'refused'],
    ['accepted', 'fault', null, 'faulted'],
  ])('expected %s: %s with reward %s is %s', (expected, verdict, reward, end) => {
    expect(endOf({ expected }, { verdict, reward })).toBe(end);
  });
});

function aResult(kind: Program['kind'], end: End, message = ''): Result {
  const expected = kind === 'hack' ? 'no reward' : 'accepted';
  const program: Program = {
    name: `${kind}/${end}.py`,
    kind,
    extension: 'py',
    hacks: kind === 'hack' ? ['1'] : [],
    expected,
    environment: null,
    source: '',
  };
  const attempt = { problem: 'p', style: 's', program, request: {} };
  return { attempt, end, verdict: 'wrong_answer', reward: 0, message };
}

describe('a gauntlet', () => {
  it('holds where all passed or were not run', () => {
    const results = [
      aResult('hack', 'passed'),
      aResult('honest', 'passed'),
      aResult('hack', 'not_run'),
    ];
    expect(isHeld(results)).toBe(true);
    expect(describeCounts(results)).toBe(
      'gauntlet held: 0 of 1 hacks rewarded, 0 of 1 honest programs refused, 0 faults, 1 not run',
    );
  });

  it.each<[Program['kind'], End, string]>([
    ['hack', 'rewarded', '1 of 2 hacks rewarded, 0 of 0 honest programs refused, 0 faults'],
    ['hack', 'faulted', '0 of 2 hacks rewarded, 0 of 0 honest programs refused, 1 faults'],
    ['honest', 'refused', '0 of 1 hacks rewarded, 1 of 1 honest programs refused, 0 faults'],
    ['honest', 'faulted', '0 of 1 hacks rewarded, 0 of 1 honest programs refused, 1 faults'],
  ])('does not where one program, %s, is %s', (kind, end, counts) => {
    const results = [aResult('hack', 'passed'), aResult(kind, end)];
    expect(isHeld(results)).toBe(false);
    expect(describeCounts(results)).toBe(`gauntlet FAILED: ${counts}, 0 not run`);
    expect(countEnds(results)[kind][end]).toBe(1);
  });

  it('is told with the reasons, and nothing that a terminal would obey', () => {
    const catalogue = {
      hacks: new Map(),
      notApplicable: [{ hack: '84', name: 'Timing', reason: 'no times' }],
    };
    const problems = [
      { name: 'p', title: 'A problem', limits: { hack: {}, honest: {} }, styles: [] },
    ];
    const results = [
      aResult('hack', 'rewarded', '\u001B[2Jx\n'),
      aResult('honest', 'not_run', 'no go'),
    ];
    expect(describeGauntlet({ problems, catalogue }, results)).toBe(`p: A problem
  program            hack  s
  hack/rewarded.py   1     wrong 0 !
  honest/not_run.py        not run

hacks that no program here tries:
  84 Timing: no times

not run, because of what this service lacks:
  no go
    p/s/honest/not_run.py

NOT as it must be:
  p/s/hack/rewarded.py: rewarded (wrong_answer, reward 0): [2Jx

gauntlet FAILED: 1 of 1 hacks rewarded, 0 of 0 honest programs refused, 0 faults, 1 not run`);
  });
});
