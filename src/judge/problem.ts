/** The programs of a submission's problem, and which way its tests go. */
import type { Environment } from '../domain/language.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import { executeCalls } from './calls.ts';
import { prepareChecker, type CheckerParts, type PreparedChecker } from './checker.ts';
import { executeJudge, type JudgeResult } from './execute.ts';
import { executeInteractive, type PreparedInteractor } from './interactive.ts';
import { executeInProcess } from './inprocess/execute-inprocess.ts';
import type { Planner } from './inprocess/planner.ts';
import type { JudgePlace } from './place.ts';
import { behindHeader, prepareProgram } from './problem-program.ts';
import type { Program } from './program.ts';
import type { Bundles } from './split/bundle.ts';
import { executeSplit } from './split/execute-split.ts';

export interface Problem {
  /** Null where the service compares, or the interactor's word is the last. */
  readonly checker: PreparedChecker | null;
  /** Null where there is nobody to talk to. */
  readonly interactor: PreparedInteractor | null;
  /** Those of the programs. */
  readonly environments: readonly Environment[];
}

/** Resolves the problem's programs. Throws Rejection for a language that is not offered, with its path. */
export function prepareProblem(
  { compare, tests }: Pick<JudgeSubmission, 'compare' | 'tests'>,
  parts: CheckerParts,
): Problem {
  const checker = prepareChecker(compare, parts);
  const interactor = tests.kind === 'interactive' ? prepareInteractor(tests, parts) : null;
  const environments = [checker, interactor].flatMap((each) => each?.prepared.environment ?? []);
  return { checker, interactor, environments };
}

function prepareInteractor(
  { interactor }: Extract<JudgeSubmission['tests'], { kind: 'interactive' }>,
  { offer, files }: CheckerParts,
): PreparedInteractor {
  const how = { offer, at: 'tests.interactor', testlib: files.testlib };
  const found = prepareProgram(interactor, how);
  const isManager = interactor.convention === 'cms';
  const prepared = isManager ? behindHeader(found, { header: files.manager, at: how.at }) : found;
  return { interactor, prepared };
}

/** The candidate's program, and what of the service's takes part in judging it. */
interface Means {
  readonly program: Program;
  readonly bundles: Bundles;
  readonly planner: Planner;
}

/** Judges all cases of a submission. */
export async function executeProblem(
  place: JudgePlace,
  { program, bundles, planner, ...problem }: Problem & Means,
  submission: JudgeSubmission,
): Promise<JudgeResult> {
  const { tests } = submission;
  if ('document' in tests) {
    if (tests.mode === 'in_process')
      return await executeInProcess(place, program, { submission, tests, bundles, planner });
    return place.environment.language.verifier === null
      ? await executeCalls(place, program, { submission, tests })
      : await executeSplit(place, program, { submission, tests, bundles });
  }
  const { checker, interactor } = problem;
  const { cases } = tests;
  return interactor === null
    ? await executeJudge(place, { program, checker }, submission, cases)
    : await executeInteractive(place, { program, checker, interactor }, submission, cases);
}
