/**
 * Programs with their tests in them, which say by their exit code whether these hold: for languages whose tests cannot be
 * run apart. Such a word is a claim. It counts only where the same program with one expected value altered, which no right
 * program can pass, fails; each time another value, so that a program cannot know which.
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
  return alterations(tests).length > 0;
}

/** Preconditions: `canBeAltered(tests)`. A fault of ours is in one of the reports. Throws like `Service.run`. */
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
): Promise<SelfReporting> {
  const report = await service.run(submissionOf(tests), context);
  if (!isPassed(report)) return { report, altered: null, isAccepted: false, isForged: false };
  const ways = alterations(tests);
  const make = ways[randomInt(ways.length)];
  if (make === undefined) throw new Error('no expected value can be altered');
  const altered = await service.run(submissionOf(make()), context);
  const isForged = isPassed(altered);
  return { report, altered, isForged, isAccepted: altered.fault === null && !isForged };
}

function isPassed({ fault, compile, outcome }: RunReport): boolean {
  const isRun = fault === null && compile?.ok !== false;
  return isRun && outcome?.kind === 'exited' && outcome.exitCode === 0;
}
