/** The trial of a checker on the cases of its problem, in jails, before any program is judged by it. */
import { Fault } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import { trialFinding, trialQuestions } from '../verify/checker/trial.ts';
import { prepareChecker, putCheckerToWork } from './checker.ts';
import type { Timings } from './execute.ts';
import type { Offer } from './offer.ts';
import type { Performed } from './perform.ts';
import type { Bench } from './place.ts';
import type { ProblemFiles } from './problem-program.ts';

/** Cases that are tried: what is wrong with a checker's order of files shows in the first. */
const CASES_MAX = 20;

interface Tried {
  readonly findings: readonly string[];
  readonly timings: Timings;
}

/** What a trial needs of the service. */
export interface TrialParts {
  readonly offer: Offer;
  readonly files: ProblemFiles;
  readonly perform: (
    checkers: readonly Environment[],
    work: (place: Bench) => Promise<Tried>,
  ) => Promise<Performed<Tried>>;
}

/** See `AssayService.tryChecker`. */
export async function tryChecker(
  { compare, tests, language }: JudgeSubmission,
  { offer, files, perform }: TrialParts,
): Promise<readonly string[]> {
  const program = { entry: '', files: [], mayBeForked: false };
  const checker = prepareChecker(compare, { offer, files, program, language });
  if (checker === null || !('cases' in tests)) return [];
  const cases = tests.cases.slice(0, CASES_MAX);
  const byId = new Map(cases.map((test, index) => [test.id, { test, position: index + 1 }]));
  const questions = trialQuestions(
    cases.map(({ id, expectedStdout }) => ({ id, answer: expectedStdout })),
  );
  const { result, fault } = await perform([checker.prepared.environment], async (place) => {
    const since = place.clock.now();
    const atWork = putCheckerToWork(place, checker);
    const findings: string[] = [];
    for (const question of questions) {
      const found = byId.get(question.id);
      if (found === undefined) throw new Fault('internal', 'a question without a case');
      const ran = { stdout: question.output, cpuMs: 0 };
      const answer = await atWork.ask(found.test, ran, found.position);
      const finding = trialFinding(question, answer);
      if (finding !== null) findings.push(finding);
    }
    const verifyMs = place.clock.now() - since;
    return { findings, timings: { compileMs: 0, runMs: 0, verifyMs } };
  });
  if (result !== null) return result.findings;
  // That it does not compile, for one; of ours, too, whoever registers a problem reads.
  return [fault?.message ?? 'it could not be tried'];
}
