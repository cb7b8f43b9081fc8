/** What the kind of a submission's tests means for its judging. Pure. */
import { Rejection } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import type { JudgeReport } from '../domain/report.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import { memoryNeeds } from './run-spec.ts';

export function modeOf({ tests }: JudgeSubmission): JudgeReport['mode'] {
  return 'document' in tests ? 'split' : tests.kind;
}

/** The test runner has a candidate's memory and this, for it holds the same values and the tests. */
const RUNNER_EXTRA_BYTES = 256 * 1024 * 1024;

export function runnerMemory({ memoryBytes }: Pick<Limits, 'memoryBytes'>): number {
  return memoryBytes + RUNNER_EXTRA_BYTES;
}

/** What judging may take at once, of all its jails. */
export function memoryOf(submission: JudgeSubmission, { language }: Environment): number {
  const { tests, limits } = submission;
  const cases = 'document' in tests ? [] : tests.cases.map((each) => each.limits);
  return memoryNeeds([limits, ...cases], language) + companionMemory(submission);
}

/** Of the program that is the problem's: a test runner, a checker, an interactor. */
function companionMemory({ tests, compare, limits }: JudgeSubmission): number {
  if ('document' in tests) return runnerMemory(limits);
  const checker = compare.kind === 'checker' ? compare.checker.limits.memoryBytes : 0;
  const interactor = tests.kind === 'interactive' ? tests.interactor.limits.memoryBytes : 0;
  return Math.max(checker, interactor);
}

/** Null where only running the tests tells how many there are. */
export function declaredTests({ tests }: JudgeSubmission): number | null {
  return 'document' in tests ? (tests.ids?.length ?? null) : tests.cases.length;
}

/** Throws Rejection `invalid` for tests that are code in a language that has no runner for them. */
export function checkTests({ tests }: JudgeSubmission, { language, toolchain }: Environment): void {
  if (!('document' in tests)) return;
  const isThere = tests.kind !== 'pytest' || toolchain.verifier !== undefined;
  if (language.verifier !== null && isThere) return;
  const message =
    language.verifier === null
      ? `tests of the kind ${tests.kind} are not available for ${language.id} yet`
      : 'pytest is not installed for test runners: npm run packages';
  throw new Rejection('invalid', {
    detail: `tests.kind: ${message}`,
    errors: [{ path: 'tests.kind', message }],
  });
}
