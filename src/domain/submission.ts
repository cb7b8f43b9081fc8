/**
 * A submission as the judge takes it: already parsed, checked and resolved. Built by the adapters'
 * pure `toSubmission` functions.
 */
import type { Limits } from './limits.ts';

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
    };

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
  /** Whether runs may be forked from a warm runtime; false starts everything anew. */
  readonly warm: boolean;
  /** At least this wall; null for the service's default. */
  readonly wall: 'nsjail' | 'gvisor' | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RunSubmission extends Submission {
  readonly stdin: Uint8Array;
  /** Paths in the work folder whose content is wanted after the run. */
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
}

/** Programs that read stdin and print. */
interface StdioTests {
  readonly kind: 'stdio';
  readonly cases: readonly StdioCase[];
}

/** Tests that are code, or calls: a test runner in a jail of its own asks the program. */
export interface CodeTests {
  readonly kind: 'function' | 'asserts' | 'check' | 'unittest' | 'pytest';
  /** In request order; null where only the test runner can tell which tests there are. */
  readonly ids: readonly string[] | null;
  /** What the test runner gets, as JSON text (runners/python/split/runner.py). */
  readonly document: string;
}

export type Tests = StdioTests | CodeTests;

export type Compare =
  | { readonly kind: 'tokens' }
  | { readonly kind: 'exact' }
  | { readonly kind: 'lines' }
  | { readonly kind: 'float'; readonly abs: number; readonly rel: number }
  | { readonly kind: 'unordered'; readonly by: 'lines' | 'tokens' };

export type Scoring = 'all' | 'fraction' | 'weighted';
type StopPolicy = 'first_failure' | 'never';
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
  readonly compare: Compare;
  readonly scoring: Scoring;
  /** Where 0 … 1 is mapped to. */
  readonly rewardRange: readonly [number, number];
  readonly stop: StopPolicy;
  readonly detail: Detail;
}
