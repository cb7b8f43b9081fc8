/**
 * A checker at work: started in a jail that never runs candidates, after the candidate's run is dead, one run a case.
 * Whatever it does but answer is a fault of the problem.
 */
import { Fault } from '../domain/errors.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Checker, Compare, StdioCase } from '../domain/submission.ts';
import { readAnswer, type CheckerAnswer } from '../verify/checker/answer.ts';
import { callChecker, type CheckedCase } from '../verify/checker/call.ts';
import { requireCertain, toOutcome, type JudgePlace, type Place } from './place.ts';
import type { Offer } from './offer.ts';
import type { PreparedProgram, ProblemFiles } from './problem-program.ts';
import { prepareProgram, problemSpec, stagePrepared, wrapped } from './problem-program.ts';
import type { Program } from './program.ts';

/** A checker with all that is needed to start it. */
export interface PreparedChecker {
  readonly checker: Checker;
  readonly prepared: PreparedProgram;
  /** Of the submission that is judged. */
  readonly source: Uint8Array;
  readonly language: string;
}

export interface CheckerParts {
  readonly offer: Offer;
  readonly files: ProblemFiles;
  /** The program that is judged, and its language. */
  readonly program: Program;
  readonly language: string;
}

/** The checker of a way of comparison, null where there is none. Throws Rejection for a language that is not offered. */
export function prepareChecker(
  compare: Compare,
  { offer, files, program, language }: CheckerParts,
): PreparedChecker | null {
  if (compare.kind !== 'checker') return null;
  const { checker } = compare;
  const { testlib, dmoj } = files;
  const found = prepareProgram(checker, { offer, at: 'compare.checker', testlib });
  const prepared = checker.convention === 'dmoj' ? wrapped(found, dmoj) : found;
  const main = program.files.find(({ path }) => path === program.entry);
  return { checker, prepared, source: main?.content ?? new Uint8Array(0), language };
}

type Judged = Extract<CheckerAnswer, { readonly kind: 'judged' }>;

export interface CheckerAtWork {
  /** Judges one output. Throws Fault `checker_failed`, faults of jails, and the signal's reason. */
  check(test: StdioCase, outcome: Outcome, position: number): Promise<Judged>;
  /** As `check`, but that the checker fails is an answer, too, and no run is needed. */
  ask(test: StdioCase, ran: Ran, position: number): Promise<CheckerAnswer>;
}

/** What a checker is told of a run. */
type Ran = Pick<Outcome, 'stdout' | 'cpuMs'>;

/** The checker of a submission; its jail is taken and it is compiled when the first output is to be judged. */
export function putCheckerToWork(
  place: JudgePlace,
  { checker, prepared, source, language }: PreparedChecker,
): CheckerAtWork {
  let opened: Place | null = null;
  const open = async (): Promise<Place> => {
    const companion = await place.companions.open(prepared.environment);
    await stagePrepared(companion, prepared, { limits: checker.limits, code: 'checker_failed' });
    return companion;
  };
  const ask: CheckerAtWork['ask'] = async (test, { stdout, cpuMs }, position) => {
    opened ??= await open();
    const checked: CheckedCase = {
      input: test.stdin,
      output: stdout,
      answer: test.expectedStdout,
      source,
      language,
      position,
      weight: test.weight,
      cpuMs,
    };
    const call = callChecker(checker, checked, prepared.entry);
    const spec = problemSpec(opened, prepared, { ...call, limits: checker.limits });
    const raw = await opened.session.run(spec, { signal: place.signal });
    requireCertain(opened, raw);
    const { memoryFailure } = prepared.environment.language.run;
    const ended = toOutcome(opened, raw, { ...spec.limits, memoryFailure });
    return readAnswer(checker, ended, { weight: test.weight });
  };
  return {
    ask,
    async check(test, outcome, position) {
      const answer = await ask(test, outcome, position);
      if (answer.kind === 'judged') return answer;
      throw new Fault('checker_failed', `case ${test.id}: ${answer.reason}`);
    },
  };
}
