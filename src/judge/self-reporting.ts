/**
 * Programs with their tests in them, which say by their exit code whether these hold: for languages whose tests cannot be
 * run apart. Such a word is a claim. It counts only where the same program with one expected value altered, which no right
 * program can pass, fails; the value is drawn for each submission, so that a program cannot know which it is. Both are run
 * several times in a random order, or whoever passes and fails by the toss of a coin would be right every fourth time.
 */
import { randomInt } from 'node:crypto';

import type { RunReport } from '../domain/report.ts';
import type { RunSubmission } from '../domain/submission.ts';
import { alterations } from '../verify/altered-tests.ts';
import type { CallContext, Service } from './door.ts';

export interface SelfReporting {
  readonly report: RunReport;
  /** Of the altered tests; null where the first run did not pass. */
  readonly altered: RunReport | null;
  readonly isAccepted: boolean;
  /** It passes what no right program passes. */
  readonly isForged: boolean;
}

/** Whether tests state an expected value that can be altered. */
export function canBeAltered(tests: string): boolean {
  return alterations(tests, draw).length > 0;
}

/** Runs of the tests as they are, and as many of altered ones: a coin agrees with all of them once in 256 times. */
const RUNS = 4;
/** Some altered values do not compile, as -228 does not where -128 is the least. */
const ALTERATIONS_MAX = 4;

/**
 * Null where the program passes and no altered value compiles, so that nothing tells whether it is to be believed.
 * Precondition: `canBeAltered(tests)`. A fault of ours is in one of the reports. Throws like `Service.run`.
 */
export async function judgeSelfReporting(
  service: Pick<Service, 'run'>,
  {
    tests,
    submissionOf,
  }: {
    readonly tests: string;
    /** The program with these tests in it. */
    readonly submissionOf: (tests: string) => RunSubmission;
  },
  context: CallContext,
): Promise<SelfReporting | null> {
  // The report of an equal submission would say nothing of this run.
  const run = async (given: string): Promise<RunReport> =>
    await service.run(submissionOf(given), { ...context, reuse: false });
  let report = await run(tests);
  let altered: RunReport | null = null;
  const end = (isAccepted: boolean, isForged = false): SelfReporting => ({
    ...{ report, altered, isAccepted, isForged },
  });
  if (!isPassed(report)) return end(false);
  let other = tests;
  for (const make of shuffled(alterations(tests, draw)).slice(0, ALTERATIONS_MAX)) {
    other = make();
    altered = await run(other);
    if (altered.compile?.ok !== false) break;
  }
  if (altered === null) return null;
  const left = shuffled([true, false].flatMap((isReal) => Array<boolean>(RUNS - 1).fill(isReal)));
  for (;;) {
    if (report.fault !== null || altered.fault !== null) return end(false);
    // That it was not compiled is no word of the program's on its answers.
    if (altered.compile?.ok === false) return null;
    if (isPassed(altered)) return end(false, true);
    if (!isPassed(report)) return end(false);
    const isReal = left.pop();
    if (isReal === undefined) return end(true);
    if (isReal) report = await run(tests);
    else altered = await run(other);
  }
}

const draw = (bound: number): number => randomInt(bound);

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function isPassed({ fault, compile, outcome }: RunReport): boolean {
  const isRun = fault === null && compile?.ok !== false;
  return isRun && outcome?.kind === 'exited' && outcome.exitCode === 0;
}
