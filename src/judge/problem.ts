/** The programs of a submission's problem, and which way its tests go. */
import type { Environment } from '../domain/language.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import { executeCalls } from './calls.ts';
import {
  prepareChecker,
  prepareCheckerAt,
  type CheckerParts,
  type PreparedChecker,
} from './checker.ts';
import { executeJudge, type JudgeResult } from './execute.ts';
import { executeInteractive, type PreparedInteractor } from './interactive.ts';
import { executeInProcess } from './inprocess/execute-inprocess.ts';
import type { Planner } from './inprocess/planner.ts';
import type { JudgePlace } from './place.ts';
import { behindHeader, prepareProgram } from './problem-program.ts';
import type { Program } from './program.ts';
import type { Bundles } from './split/bundle.ts';
import { executeSplit } from './split/execute-split.ts';
import { runsTests } from './test-kinds.ts';
import { executeTwoStep } from './two-step.ts';

export interface Problem {
  /** Null where the service compares, or the interactor's word is the last. */
  readonly checker: PreparedChecker | null;
  /** Null where there is nobody to talk to. */
  readonly interactor: PreparedInteractor | null;
  /** What is called between two runs; null where nothing is. */
  readonly manager: PreparedChecker | null;
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
  const between = tests.kind === 'two_step' ? tests.manager : null;
  const manager = between && prepareCheckerAt('tests.manager', between, parts);
  const all = [checker, interactor, manager];
  const environments = all.flatMap((each) => each?.prepared.environment ?? []);
  return { checker, interactor, manager, environments };
}

function prepareInteractor(
  { interactor }: Extract<JudgeSubmission['tests'], { kind: 'interactive' }>,
  { offer, files }: CheckerParts,
): PreparedInteractor {
  const how = { offer, at: 'tests.interactor', testlib: files.testlib };
  const found = prepareProgram(interactor, how);
  const { convention, processes } = interactor;
  const defines = processes === 1 ? [] : [`ASSAY_PROCESSES ${processes}`];
  const behind = { header: files.manager, defines, at: how.at };
  const prepared = convention === 'cms' ? behindHeader(found, behind) : found;
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
    return runsTests(tests, place.environment.language)
      ? await executeSplit(place, program, { submission, tests, bundles })
      : await executeCalls(place, program, { submission, tests });
  }
  const { checker, interactor, manager } = problem;
  const { cases } = tests;
  if (tests.kind === 'two_step')
    return await executeTwoStep(place, { program, checker, manager }, submission, cases);
  return interactor === null
    ? await executeJudge(place, { program, checker }, submission, cases)
    : await executeInteractive(place, { program, checker, interactor }, submission, cases);
}
