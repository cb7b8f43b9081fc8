/** The closing line of a run: what counts as passed, failed and skipped, and when a run must not pass. */
import { describe, expect, it } from 'vitest';

import { countTests, isSuccess, toClosingLine } from './closing-line-reporter.ts';

type State = 'passed' | 'failed' | 'skipped' | 'pending';
type Module = Parameters<typeof countTests>[0][number];

const ERROR = { message: 'an error', name: 'Error' };

function aModule(facts: { states: State[]; loadErrors?: number; suiteErrors?: number }): Module {
  const errors = (count: number | undefined) => () =>
    Array.from({ length: count ?? 0 }, () => ERROR);
  const children = {
    *allTests() {
      for (const state of facts.states) yield { result: () => ({ state }) };
    },
    *allSuites() {
      yield { errors: errors(facts.suiteErrors) };
    },
  };
  return { children, errors: errors(facts.loadErrors) } as unknown as Module;
}

describe('countTests', () => {
  it('counts tests of all files', () => {
    const modules = [
      aModule({ states: ['passed', 'passed', 'failed'] }),
      aModule({ states: ['passed', 'skipped'] }),
    ];
    expect(countTests(modules, [])).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it('counts a test that never ran as skipped', () => {
    expect(countTests([aModule({ states: ['pending'] })], [])).toEqual({
      passed: 0,
      failed: 0,
      skipped: 1,
    });
  });

  it.each([
    ['a file that cannot be loaded', [aModule({ states: [], loadErrors: 2 })], []],
    ['a suite whose hook failed', [aModule({ states: [], suiteErrors: 1 })], []],
    ['an error outside any test', [aModule({ states: [] })], [ERROR]],
  ])('counts %s as failed', (_, modules, unhandled) => {
    expect(countTests(modules, unhandled).failed).toBe(1);
  });
});

describe('toClosingLine', () => {
  it('is what log readers look for', () => {
    expect(toClosingLine({ passed: 123, failed: 0, skipped: 2 })).toBe(
      '123 passed, 0 failed, 2 skipped',
    );
  });
});

describe('isSuccess', () => {
  it.each([
    [{ passed: 1, failed: 0, skipped: 5 }, true],
    [{ passed: 9, failed: 1, skipped: 0 }, false],
    [{ passed: 0, failed: 0, skipped: 5 }, false],
    [{ passed: 0, failed: 0, skipped: 0 }, false],
  ])('of %o is %s', (counts, expected) => {
    expect(isSuccess(counts)).toBe(expected);
  });
});
