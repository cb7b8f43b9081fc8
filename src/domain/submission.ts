/**
 * A submission as the judge takes it: already parsed, checked and resolved. Built by the adapters'
 * pure `toSubmission` functions.
 */
import type { CODE_KINDS } from './language.ts';
import type { Limits } from './limits.ts';
import type { Grader as GraderRules, ProfileInForce } from './profile.ts';
import type { RealWall } from './wall.ts';
import type { Workspace } from './workspace.ts';

/** A file of a program or of a test: a checked relative path and its bytes. */
export interface SourceFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** How a program is given. `single` is written to the language's own file name. */
export type ProgramSource =
  | { readonly kind: 'single'; readonly code: string; readonly files: readonly SourceFile[] }
  | { readonly kind: 'files'; readonly entry: string; readonly files: readonly SourceFile[] }
  | {
      readonly kind: 'completion';
      readonly text: string;
      readonly extract: ExtractOptions;
      readonly files: readonly SourceFile[];
    }
  /** No program: what it would print, by the id of the case in the place of a path. For tests of outputs only. */
  | { readonly kind: 'outputs'; readonly files: readonly SourceFile[] };

export interface ExtractOptions {
  readonly pick: 'last' | 'first' | 'longest';
  /** Prefer blocks whose language tag fits the submission's language. */
  readonly languageMatch: boolean;
  /** Leave out thinking sections before looking for code. */
  readonly stripThinking: boolean;
}

export const DEFAULT_EXTRACT: ExtractOptions = {
  pick: 'last',
  languageMatch: true,
  stripThinking: true,
};

/** What all submissions have, judged or only run. */
export interface Submission {
  readonly id: string;
  /** A language id or alias; the service resolves it. */
  readonly language: string;
  /** An environment id, null for the language's default. */
  readonly environment: string | null;
  readonly program: ProgramSource;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Fields of `limits` that were changed to fit the operator's range. */
  readonly clamped: readonly (keyof Limits)[];
  /** Deterministic hash seed, null for the default. */
  readonly seed: number | null;
  /** At which the wall clock of the program's runs stands, ms since 1970; null for one that goes. */
  readonly clock: number | null;
  /** Whether runs may be forked from a warm runtime; false starts everything anew. */
  readonly warm: boolean;
  /** At least this wall; null for the service's default. */
  readonly wall: RealWall | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** What a submission has that asks for nothing special. */
export const PLAIN = {
  environment: null,
  args: [],
  env: {},
  seed: null,
  clock: null,
  warm: true,
  wall: null,
  labels: {},
} as const satisfies Partial<Submission>;

export interface RunSubmission extends Submission {
  readonly stdin: Uint8Array;
  /** Paths in the work folder whose content is wanted after the run. */
  readonly collect: readonly string[];
  /** A work folder that others have left, in the place of the program; the report has it as this run leaves it. */
  readonly workspace?: Workspace;
}

/** Cells of a notebook, run in order by one fresh process with one namespace. */
export interface CellsSubmission extends Omit<Submission, 'program'> {
  /** At most `SUBMISSION_BOUNDS.cells`; with the files at most `programBytes`. */
  readonly cells: readonly string[];
  readonly files: readonly SourceFile[];
  /** Wall time of each cell, or of each its own; null for the limits of the whole alone. */
  readonly cellTimeoutMs: number | readonly number[] | null;
  /** Paths in the work folder whose content is wanted after the last cell. */
  readonly collect: readonly string[];
}

export interface StdioCase {
  readonly id: string;
  readonly stdin: Uint8Array;
  readonly expectedStdout: Uint8Array;
  /** Positive weight in `weighted` scoring. */
  readonly weight: number;
  readonly group: string | null;
  readonly args: readonly string[];
  readonly files: readonly SourceFile[];
  /** Limits of this case, already resolved from the submission's. */
  readonly limits: Limits;
  /** The file of the work folder that is judged; left out: standard output. */
  readonly outputFile?: string;
}

/** Programs that read stdin and print. */
interface StdioTests {
  readonly kind: 'stdio';
  readonly cases: readonly StdioCase[];
}

/** Test files of a compiled language's own kind, by the language that they are for. */
export const HARNESS_KINDS = { go_test: 'Go', junit: 'Java' } as const;
type HarnessKind = keyof typeof HARNESS_KINDS;

/** Tests that are code, or calls: a test runner in a jail of its own asks the program. */
export interface CodeTests {
  readonly kind: (typeof CODE_KINDS)[number] | HarnessKind;
  /**
   * Where they run: in a jail of their own, or, not of `function` and `jest`, in the program's process with canaries;
   * those of `HARNESS_KINDS` always in its process.
   */
  readonly mode: 'split' | 'in_process';
  /** In request order; null where only the test runner can tell which tests there are. */
  readonly ids: readonly string[] | null;
  /** What the test runner gets, as JSON text (runners/python/split/runner.py, runners/node/split/runner.js). */
  readonly document: string;
}

/** Programs that talk with an interactor. */
interface InteractiveTests {
  readonly kind: 'interactive';
  readonly interactor: Interactor;
  /** `stdin` and `expectedStdout` are the interactor's input and answer; the program sees neither. */
  readonly cases: readonly StdioCase[];
}

/** Programs that run twice on a case, each time anew: what comes of the first run is the second one's input. */
interface TwoStepTests {
  readonly kind: 'two_step';
  /**
   * Called between the runs as a checker of the first one's output; what it prints is the second one's input. Null where
   * that is the output itself.
   */
  readonly manager: Checker | null;
  readonly cases: readonly StdioCase[];
}

/** Outputs that are handed in; nothing is executed. */
interface OutputTests {
  readonly kind: 'output_only';
  /** Of the limits only that of output counts. */
  readonly cases: readonly StdioCase[];
}

/** What stands in the place of a language for them. */
export const OUTPUT_LANGUAGE = 'text';

export type Tests = OutputTests | StdioTests | InteractiveTests | TwoStepTests | CodeTests;

export type Compare =
  | { readonly kind: 'tokens'; readonly ignoreCase?: boolean }
  /** Tokens, but "yes" and "no" in any case, as contests that ask for one of them take it. */
  | { readonly kind: 'answers' }
  | { readonly kind: 'exact' }
  /** Sandbox Fusion's own, for its `/submit` alone. */
  | { readonly kind: 'lines' }
  | {
      readonly kind: 'float';
      readonly abs: number;
      readonly rel: number;
      readonly ignoreCase?: boolean;
    }
  | { readonly kind: 'unordered'; readonly by: 'lines' | 'tokens' }
  /** As a named grader does; only profiles have it. */
  | { readonly kind: 'grader'; readonly grader: GraderRules }
  | { readonly kind: 'checker'; readonly checker: Checker };

/**
 * How two outputs are compared in the service itself; `result` is the last line as JSON, of a program that was called.
 */
export type PlainCompare =
  | Exclude<Compare, { readonly kind: 'checker' }>
  | {
      readonly kind: 'result';
      readonly tolerance: { readonly abs: number; readonly rel: number } | null;
    };

/**
 * Files of the problem that are built with the candidate's program and run in its process, in its jail: a main that calls
 * it, headers, libraries. They know no answers, and nothing that they say is believed.
 */
export interface Grader {
  /** A name of the language that it is for. */
  readonly language: string;
  /** Path of the main file, among `files`. */
  readonly entry: string;
  /** Where the candidate's main file is put; no path of `files`. */
  readonly program: string;
  readonly files: readonly SourceFile[];
}

/** A program of the problem's author, run in jails that never run candidates. */
export interface ProblemProgram {
  readonly language: string;
  /** Null for the language's default. */
  readonly environment: string | null;
  readonly program: Extract<ProgramSource, { readonly kind: 'single' | 'files' }>;
  /** Added behind what the convention says. */
  readonly args: readonly string[];
  /** Its own, whatever the candidate's are. */
  readonly limits: Limits;
}

/** How a checker is called and answers (`verify/checker.ts`). */
export const CONVENTIONS = [
  'testlib',
  'cms',
  'kattis',
  'dmoj',
  'dmoj_bridged',
  'python_file',
] as const;
export type Convention = (typeof CONVENTIONS)[number];

/** The kinds of DMOJ's bridged checkers. */
export const BRIDGED = ['default', 'testlib', 'coci', 'peg'] as const;
export type Bridged = (typeof BRIDGED)[number];

/** The folder of a case's files beside a checker; none of its own lies there. */
export const CASE_FOLDER = 'case';

/** A program that judges an output, given input and answer. */
export interface Checker extends ProblemProgram {
  readonly convention: Convention;
  /** Of `dmoj_bridged` only. */
  readonly bridged: Bridged;
  /** Points that mean everything where the convention counts in points; null for the convention's own. */
  readonly pointsMax: number | null;
}

/** Runs of a program at once that an interactor may talk with. */
export const PROCESSES_MAX = 8;

/** How what is called between two runs is called and answers: as a checker of these. */
export const MANAGER_CONVENTIONS = ['testlib', 'kattis'] as const;

/** How an interactor is called and answers (`verify/interactor.ts`). */
export const INTERACTOR_CONVENTIONS = ['testlib', 'dmoj_bridged', 'kattis', 'cms'] as const;

/** A program that talks with the candidate's on their standard streams, and judges it. */
export interface Interactor extends ProblemProgram {
  readonly convention: (typeof INTERACTOR_CONVENTIONS)[number];
  /** Runs of the candidate's program that it talks with at once; more than one with `cms` only. */
  readonly processes: number;
  /** Of `dmoj_bridged` only. */
  readonly bridged: Bridged;
  readonly pointsMax: number | null;
}

/** A group of cases and what it is worth. */
export interface GroupRule {
  readonly name: string;
  /** Above 0. */
  readonly points: number;
  readonly rule: 'sum' | 'min' | 'product' | 'threshold';
  /** Of `threshold` only: a case counts where 0 < score ≤ threshold. */
  readonly threshold: number;
}

export type Scoring =
  | 'all'
  | 'fraction'
  | 'weighted'
  | {
      /** Every case belongs to one of them, and each has a case. */
      readonly groups: readonly GroupRule[];
    };
export type StopPolicy = 'first_failure' | 'per_group' | 'never';
export type Detail = 'summary' | 'failures' | 'full';

/** Where the tests of a submission come from, if not from its caller. */
export interface TestsetRef {
  readonly id: string;
  readonly problem: string;
  /** `sha256:…` of the version. */
  readonly digest: string;
  /** Whether reports keep the tests to themselves. */
  readonly hidden: boolean;
}

export interface JudgeSubmission extends Submission {
  /** Null where the caller gave the tests. */
  readonly testset: TestsetRef | null;
  readonly tests: Tests;
  /** One for each language in which the problem is to be solved; empty where programs have a main of their own. */
  readonly graders: readonly Grader[];
  readonly compare: Compare;
  readonly scoring: Scoring;
  /** Where 0 … 1 is mapped to. */
  readonly rewardRange: readonly [number, number];
  readonly stop: StopPolicy;
  readonly detail: Detail;
  readonly profile: ProfileInForce;
}
