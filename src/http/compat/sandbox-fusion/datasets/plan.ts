/** What a kind of data set makes of a row and a completion: which program, judged how. Plain data. */
import type { SourceFile } from '../../../../domain/submission.ts';
import type { Extracted } from './extract.ts';
import type { FileTests } from './kinds/test-files.ts';
import type { Prompt, Row, SubmitRequest, TestConfig } from './schema.ts';

interface Times {
  /** Seconds. */
  readonly runS: number;
  readonly compileS: number;
}

export type Work = Times &
  (
    | {
        /** Python's tests that are code, or calls: a row of `src/datasets`. */
        readonly kind: 'row';
        readonly row: Row;
        readonly schema: string;
        /** Whether `runS` is each test's, also where all share a process. */
        readonly isPerTest: boolean;
        readonly code: string;
        readonly files: readonly SourceFile[];
      }
    | {
        /** Files of tests of a library of the language's own. */
        readonly kind: 'tests';
        readonly language: string;
        readonly code: string;
        readonly tests: FileTests;
        readonly files: readonly SourceFile[];
      }
    | {
        /** A program that reads stdin, a run for each case. */
        readonly kind: 'stdio';
        readonly language: string;
        readonly code: string;
        readonly cases: readonly { readonly stdin: string; readonly stdout: string }[];
        /** Whether to go on after a failed case. */
        readonly runsAll: boolean;
        /** Whether cases that passed are told whole. */
        readonly tellsAll: boolean;
      }
    | {
        /** A program with its tests in it, which says by its exit code whether they hold. */
        readonly kind: 'program';
        readonly language: string;
        /** Before and behind the tests. */
        readonly before: string;
        readonly tests: string;
        readonly files: readonly SourceFile[];
      }
  );

export interface Plan {
  readonly extracted: Extracted;
  readonly fullCode: string | null;
  readonly testCode: string | null;
  readonly work: Work;
}

/** A kind of data set. Both throw BadRequest for a row that is none of the kind. */
export interface DatasetKind {
  readonly prompt: (row: Row, config: TestConfig) => Prompt;
  readonly plan: (row: Row, request: SubmitRequest) => Plan;
}
