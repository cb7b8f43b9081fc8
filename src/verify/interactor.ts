/**
 * Interactive problems: how interactors are called, and who is to blame for how a conversation ended. Pure. An interactor
 * is called and answers like a checker of its convention, but that it talks on its standard streams.
 */
import { CASE_FOLDER, type Interactor, type SourceFile } from '../domain/submission.ts';
import type { CheckerAnswer } from './checker/answer.ts';
import { FEEDBACK, JUDGE_MESSAGE, SCORE } from './checker/call.ts';

/** What an interactor knows of a case. */
export interface InteractiveCase {
  readonly input: Uint8Array;
  readonly answer: Uint8Array;
}

export interface InteractorCall {
  readonly args: readonly string[];
  readonly files: readonly SourceFile[];
  readonly collect: readonly string[];
}

const INPUT = `${CASE_FOLDER}/input.txt`;
const ANSWER = `${CASE_FOLDER}/answer.txt`;
/** What the interactor leaves for the checker (testlib's `tout`). */
export const TRANSCRIPT = `${CASE_FOLDER}/tout.txt`;

/** What a CMS manager prints: its standard output is the channel in other conventions. */
export const OUTCOME = `${CASE_FOLDER}/outcome.txt`;

type Argument = 'input' | 'transcript' | 'answer' | 'feedback' | 'fromProgram' | 'toProgram';
type Call = Interactor['convention'] | 'dmoj_testlib';

/** testlib.h (registerInteraction); DMOJ, dmoj/contrib; ICPC's interactive validators; our wrapper around CMS managers. */
const ORDER: Readonly<Record<Call, readonly Argument[]>> = {
  testlib: ['input', 'transcript', 'answer'],
  dmoj_bridged: ['input', 'answer'],
  dmoj_testlib: ['input', 'transcript', 'answer'],
  kattis: ['input', 'answer', 'feedback'],
  cms: ['fromProgram', 'toProgram'],
};

const PATHS: Readonly<Record<Argument, string>> = {
  input: INPUT,
  transcript: TRANSCRIPT,
  answer: ANSWER,
  feedback: FEEDBACK,
  fromProgram: `${CASE_FOLDER}/from_program`,
  toProgram: `${CASE_FOLDER}/to_program`,
};

const COLLECT: Readonly<Record<Interactor['convention'], readonly string[]>> = {
  testlib: [TRANSCRIPT],
  dmoj_bridged: [TRANSCRIPT],
  kattis: [SCORE, JUDGE_MESSAGE],
  cms: [OUTCOME],
};

/** The run that talks with the program on one case. */
export function callInteractor(
  { convention, bridged, args, processes }: Interactor,
  { input, answer }: InteractiveCase,
): InteractorCall {
  const isDmojTestlib = convention === 'dmoj_bridged' && bridged !== 'default';
  const order = ORDER[isDmojTestlib ? 'dmoj_testlib' : convention];
  const paths = order.map((name) => PATHS[name]);
  const isKattis = convention === 'kattis';
  const folder = { path: `${FEEDBACK}.here`, content: new Uint8Array(0) };
  return {
    args: [...(processes === 1 ? paths : numbered(paths, processes)), ...args],
    files: [
      { path: INPUT, content: input },
      { path: ANSWER, content: answer },
      // A file makes its folder.
      ...(isKattis ? [folder] : []),
    ],
    collect: COLLECT[convention],
  };
}

/** The FIFOs of each process in turn (CMS, cms/grading/tasktypes/Communication.py). */
function numbered(paths: readonly string[], processes: number): string[] {
  return Array.from({ length: processes }, (_, index) => index).flatMap((index) =>
    paths.map((path) => `${path}${index}`),
  );
}

/** Who was the first of the two to end. The other one read end of file only after that. */
export type First = 'program' | 'interactor';

/**
 * What the case hangs on. `program`: how that ended; `answer`: what the interactor said; `interactor`: that this failed, which
 * is a fault only where the program had no hand in it.
 */
export type Blame = 'program' | 'answer' | 'interactor';

/**
 * Who decides a case (ICPC, "Interactive problems"): an interactor that refused before the program ended; else a program
 * that failed; else the interactor. One that fails after the program had failed does not count: what it does with the end of
 * its input then says nothing.
 */
export function blameOf(ended: {
  readonly first: First;
  readonly isProgramFailed: boolean;
  readonly answer: CheckerAnswer;
}): Blame {
  const { first, isProgramFailed, answer } = ended;
  if (first === 'program' && isProgramFailed) return 'program';
  if (answer.kind === 'failed') return 'interactor';
  if (first === 'interactor' && answer.score === 0) return 'answer';
  return isProgramFailed ? 'program' : 'answer';
}
