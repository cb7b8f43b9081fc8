/** A row of a data set as a problem to judge: neutral, plain data. Knows no wire and no schema. */
import type { Value, ValueObject } from './decode/value.ts';

export interface StdioCase {
  /** The row's name for it, else its number in the row, from 1. */
  readonly id: string;
  readonly stdin: string;
  readonly expectedStdout: string;
  readonly group: string | null;
}

export interface FunctionCase {
  readonly id: string;
  readonly args: readonly Value[];
  readonly kwargs: ValueObject;
  readonly expected: Value;
  /** What is right as well, where the data set wraps results or its JSON lost the kind of a key. */
  readonly alternatives: readonly Value[];
}

interface StdioTests {
  readonly kind: 'stdio';
  readonly cases: readonly StdioCase[];
}

export interface FunctionTests {
  readonly kind: 'function';
  /** `f`, `Solution().f` … as the row says it. */
  readonly entry: string;
  /** The bare name where a program may define a function or a class `Solution`; null where the row leaves no choice. */
  readonly name: string | null;
  readonly cases: readonly FunctionCase[];
}

interface AssertTests {
  readonly kind: 'asserts';
  readonly setup: string;
  readonly cases: readonly string[];
  /** Names of the program that the cases call. */
  readonly entry: readonly string[];
  /** Whether tests handle objects of the program's own classes. */
  readonly usesObjects: boolean;
}

interface CheckTests {
  readonly kind: 'check';
  /** Defines `check(candidate)`. */
  readonly code: string;
  readonly entry: string;
  /** Definitions that program and tests share. */
  readonly prompt: string;
}

interface PytestTests {
  readonly kind: 'pytest';
  /** By path. */
  readonly files: Readonly<Record<string, string>>;
  /** Names by which they import the program. */
  readonly modules: readonly string[];
}

export type SingleTests = StdioTests | FunctionTests | AssertTests | CheckTests | PytestTests;

/** Tests of several kinds in one row. */
interface MixedTests {
  readonly kind: 'mixed';
  readonly parts: readonly {
    /** For each case of `tests`, its place in the row, from 0. */
    readonly positions: readonly number[];
    readonly tests: SingleTests;
  }[];
}

export type ProblemTests = SingleTests | MixedTests;

/** A checker of the row: a program that judges outputs. */
export interface CheckerCompare {
  readonly kind: 'checker';
  readonly language: string;
  readonly convention: 'python_file' | 'cms';
  /** The main file's text, where it is all. */
  readonly code: string | null;
  /** By path; with `entry`. Empty beside `code`. */
  readonly files: Readonly<Record<string, string>>;
  readonly entry: string | null;
}

/** Groups of cases and what they are worth; a group's score is its least case. */
export interface GroupScoring {
  readonly kind: 'groups';
  readonly groups: Readonly<Record<string, { readonly points: number }>>;
}

export interface ProblemLimits {
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
}

/** A whole program. */
interface WholeProgram {
  readonly language: string;
  readonly code: string;
}

/** How the code of a completion becomes a program. */
export type Build =
  | { readonly kind: 'as_is' }
  /** The prompt is the beginning of the program, which a completion may repeat. */
  | { readonly kind: 'prompt'; readonly prompt: string; readonly entry: string };

/** What programs of a language are built with, in the words of a judge request. */
export interface TaskGrader {
  readonly language: string;
  readonly entry: string;
  readonly program: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface Problem {
  /** Name of the schema that was read. */
  readonly schema: string;
  /** As the row has it; null if it has none. */
  readonly id: string | null;
  /** Null where any language will do: the caller says which. */
  readonly language: string | null;
  readonly tests: ProblemTests;
  /** Null for the default. */
  readonly compare: CheckerCompare | null;
  /** Null for what the caller asks. */
  readonly scoring: GroupScoring | null;
  readonly limits: ProblemLimits;
  /** The text that a model is given; null if the row has none. */
  readonly prompt: string | null;
  /** What tests call; null for programs that read stdin. */
  readonly entry: string | null;
  /** A reference solution as a whole program; null if the row has none. */
  readonly reference: WholeProgram | null;
  readonly build: Build;
  /** Null where programs are whole. */
  readonly grader: TaskGrader | null;
  /** What a reader of the rewards should know: tests that are known to be incomplete, a limit that was not understood. */
  readonly notes: readonly string[];
}
