/**
 * How checkers are called: which file is which argument, convention by convention. Pure. The order is what keeps a
 * candidate's output from being taken for the answer, so it is said here once, in a table.
 */
import {
  CASE_FOLDER,
  type Bridged,
  type Checker,
  type Convention,
  type SourceFile,
} from '../../domain/submission.ts';

/** What a checker judges: an output, with the input and the answer of its case. All of it is data. */
export interface CheckedCase {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly answer: Uint8Array;
  /** Of the submission, for conventions that show it to checkers. */
  readonly source: Uint8Array;
  readonly language: string;
  /** From 1. */
  readonly position: number;
  readonly weight: number;
  /** CPU time of the candidate's run, ms. */
  readonly cpuMs: number;
}

/** One run of a checker. */
export interface CheckerCall {
  /** Behind the checker's command; the author's own come last. */
  readonly args: readonly string[];
  readonly stdin: Uint8Array;
  /** Beside the checker's own files. */
  readonly files: readonly SourceFile[];
  /** Paths whose content is the checker's answer, or a part of it. */
  readonly collect: readonly string[];
}

const INPUT = `${CASE_FOLDER}/input.txt`;
const OUTPUT = `${CASE_FOLDER}/output.txt`;
const ANSWER = `${CASE_FOLDER}/answer.txt`;
const SOURCE = `${CASE_FOLDER}/source.txt`;
const FACTS = `${CASE_FOLDER}/facts.json`;
/** With the slash at its end: validators append names to it. */
export const FEEDBACK = `${CASE_FOLDER}/feedback/`;
export const RESULT = `${CASE_FOLDER}/result.json`;
export const SCORE = `${FEEDBACK}score.txt`;
export const JUDGE_MESSAGE = `${FEEDBACK}judgemessage.txt`;

type Argument = 'input' | 'output' | 'answer' | 'feedback';

/**
 * testlib.h (registerTestlibCmd); CMS, cms/grading/steps/trusted.py; ICPC's output validators, "Problem package format";
 * DMOJ, dmoj/contrib; Open R1's Codeforces checkers.
 */
const ORDER: Readonly<Record<Exclude<Convention, 'dmoj_bridged'>, readonly Argument[]>> = {
  testlib: ['input', 'output', 'answer'],
  cms: ['input', 'answer', 'output'],
  kattis: ['input', 'answer', 'feedback'],
  // The wrapper's own; `check(process_output, judge_output, **kwargs)` is what the author sees.
  dmoj: [],
  python_file: ['input', 'answer', 'output'],
};

const BRIDGED_ORDER: Readonly<Record<Bridged, readonly Argument[]>> = {
  default: ['input', 'output', 'answer'],
  testlib: ['input', 'output', 'answer'],
  coci: ['input', 'output', 'answer'],
  peg: ['answer', 'output', 'input'],
};

const PATHS: Readonly<Record<Argument, string>> = {
  input: INPUT,
  output: OUTPUT,
  answer: ANSWER,
  feedback: FEEDBACK,
};

const EMPTY = new Uint8Array(0);

/** The run that judges a case. */
export function callChecker(
  { convention, bridged, args, pointsMax }: Checker,
  checked: CheckedCase,
  /** Path of the checker's main file, for a wrapper that calls it. */
  entry: string,
): CheckerCall {
  const { input, output, answer } = checked;
  const order = convention === 'dmoj_bridged' ? BRIDGED_ORDER[bridged] : ORDER[convention];
  const files = [
    { path: INPUT, content: input },
    { path: ANSWER, content: answer },
  ];
  const call = { args: [...order.map((name) => PATHS[name]), ...args], stdin: EMPTY, collect: [] };
  if (convention === 'kattis') {
    // A file makes its folder.
    const feedback = { path: `${FEEDBACK}.here`, content: EMPTY };
    const collect = [SCORE, JUDGE_MESSAGE];
    return { ...call, files: [...files, feedback], stdin: output, collect };
  }
  const withOutput = [...files, { path: OUTPUT, content: output }];
  if (convention !== 'dmoj') return { ...call, files: withOutput };
  const facts = {
    checker: entry,
    point_value: pointsMax ?? checked.weight,
    case_position: checked.position,
    submission_language: checked.language,
    execution_time: checked.cpuMs / 1000,
  };
  const more = [
    { path: SOURCE, content: checked.source },
    { path: FACTS, content: Buffer.from(JSON.stringify(facts)) },
  ];
  return { ...call, files: [...withOutput, ...more], collect: [RESULT] };
}
