/**
 * A checker at work: started in a jail that never runs candidates, after the candidate's run is dead, one run a case.
 * Whatever it does but answer is a fault of the problem, unless it comes of what the program printed.
 */
import { Fault, FAULTS } from '../domain/errors.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Checker, Compare, StdioCase } from '../domain/submission.ts';
import { readAnswer, type CheckerAnswer } from '../verify/checker/answer.ts';
import { callChecker, type CheckedCase } from '../verify/checker/call.ts';
import { isOtherEnd, otherOutputs } from '../verify/checker/failure.ts';
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
export function prepareChecker(compare: Compare, parts: CheckerParts): PreparedChecker | null {
  return compare.kind === 'checker'
    ? prepareCheckerAt('compare.checker', compare.checker, parts)
    : null;
}

/** A program that is called as a checker; `at` is its place in the request. */
export function prepareCheckerAt(
  at: string,
  checker: Checker,
  { offer, files, program, language }: CheckerParts,
): PreparedChecker {
  const { testlib, dmoj } = files;
  const found = prepareProgram(checker, { offer, at, testlib });
  const prepared = checker.convention === 'dmoj' ? wrapped(found, dmoj) : found;
  const main = program.files.find(({ path }) => path === program.entry);
  return { checker, prepared, source: main?.content ?? new Uint8Array(0), language };
}

type Judged = Extract<CheckerAnswer, { readonly kind: 'judged' }> & {
  /** Its standard output. */
  readonly printed: Uint8Array;
};

export interface CheckerAtWork {
  /**
   * Judges one output; one that the checker cannot bear, though it can others, is refused. Throws Fault `code`, faults of
   * jails, and the signal's reason.
   */
  check(test: StdioCase, ran: Ran, position: number): Promise<Judged>;
  /** As `check`, but that the checker fails is an answer, too, and no run is needed. */
  ask(test: StdioCase, ran: Ran, position: number): Promise<CheckerAnswer>;
}

/** What a checker is told of a run. */
type Ran = Pick<Outcome, 'stdout' | 'cpuMs'>;

interface CheckerRole {
  /** Of the faults that are its own doing. */
  readonly code?: 'checker_failed' | 'interactor_failed';
  /** Whether a case's expected output is one that it must be able to judge. */
  readonly judgesAnswers?: boolean;
}

/** The checker of a submission; its jail is taken and it is compiled when the first output is to be judged. */
export function putCheckerToWork(
  place: Pick<JudgePlace, 'companions' | 'signal'>,
  { checker, prepared, source, language }: PreparedChecker,
  { code = 'checker_failed', judgesAnswers = true }: CheckerRole = {},
): CheckerAtWork {
  let opened: Place | null = null;
  const open = async (): Promise<Place> => {
    const companion = await place.companions.open(prepared.environment);
    await stagePrepared(companion, prepared, { limits: checker.limits, code });
    return companion;
  };
  const call = async (test: StdioCase, { stdout, cpuMs }: Ran, position: number) => {
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
    const run = callChecker(checker, checked, prepared.entry);
    const spec = problemSpec(opened, prepared, { ...run, limits: checker.limits });
    const raw = await opened.session.run(spec, { signal: place.signal });
    requireCertain(opened, raw);
    const { memoryFailure } = prepared.environment.language.run;
    const ended = toOutcome(opened, raw, { ...spec.limits, memoryFailure });
    return { answer: readAnswer(checker, ended, { weight: test.weight }), ended };
  };
  /** Whether that it failed came of the output: it judges others, or fails on them otherwise if none is sure to be judged. */
  const isProgramsDoing = async (
    failed: Outcome,
    { test, ran, position }: { test: StdioCase; ran: Ran; position: number },
  ): Promise<boolean> => {
    const { outputs, isAnswerKnown } = otherOutputs(
      ran.stdout,
      judgesAnswers ? test.expectedStdout : null,
    );
    const ends: Outcome[] = [];
    for (const stdout of outputs) {
      const { answer, ended } = await call(test, { ...ran, stdout }, position);
      if (answer.kind === 'judged') return true;
      ends.push(ended);
    }
    if (isAnswerKnown || ends.every((ended) => !isOtherEnd(ended, [failed, failed]))) return false;
    // After the others: a clock among its words that stood still meanwhile did so for them, too.
    const { ended: again } = await call(test, ran, position);
    return ends.some((ended) => isOtherEnd(ended, [failed, again]));
  };
  return {
    ask: async (test, ran, position) => (await call(test, ran, position)).answer,
    async check(test, ran, position) {
      const { answer, ended } = await call(test, ran, position);
      if (answer.kind === 'judged') return { ...answer, printed: ended.stdout };
      if (!(await isProgramsDoing(ended, { test, ran, position })))
        throw new Fault(code, `case ${test.id}: ${answer.reason}`);
      const message = `${FAULTS[code].message} on this output, and not on others: ${answer.reason}`;
      return { kind: 'judged', accepted: false, score: 0, message, printed: NOTHING };
    },
  };
}

const NOTHING = new Uint8Array(0);
