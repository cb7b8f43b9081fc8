/** Checkers as the tests of this folder write them. */
import { DEFAULT_MAXIMA } from '../../domain/limits.ts';
import type { Checker } from '../../domain/submission.ts';

/** A testlib checker, but for what is given. */
export function aChecker(given: Partial<Checker> = {}): Checker {
  return {
    language: 'python',
    environment: null,
    program: { kind: 'single', code: '', files: [] },
    args: [],
    limits: DEFAULT_MAXIMA,
    convention: 'testlib',
    bridged: 'default',
    pointsMax: null,
    ...given,
  };
}
