/** Who is measured side by side, and what each must be able to do. Types only. */

export type ContenderId =
  /** Assay through HTTP as a trainer meets it: every submission is a source that it has not seen. */
  | 'assay'
  /** The same with `warm: false`. */
  | 'assay-cold'
  /** The same with a program that isolates leave to Node itself. */
  | 'assay-full'
  /** The same source again. */
  | 'assay-seen'
  /** Plain subprocesses without any isolation. */
  | 'plain'
  /** The least that a judge could pay at all. */
  | 'limit'
  | 'go-judge';

/** What one submission cost inside, where the contender can tell. */
export interface Judged {
  readonly compileMs: number | null;
  readonly runMs: number | null;
  /** Words on how it was served (`acquire warm`, `forked`), counted over all submissions. */
  readonly served: readonly string[];
}

export interface Contender extends AsyncDisposable {
  readonly id: ContenderId;
  readonly label: string;
  /** Submissions in flight. */
  readonly callers: number;
  readonly testsPerSubmission: number;
  /** What a reader of its figures must know. */
  readonly about?: string;
  /**
   * Judges one submission. Precondition: `0 ≤ caller < callers`, one submission a caller at a time. Throws when the
   * verdict is not the right one.
   */
  submit(caller: number): Promise<Judged>;
}

/** One stdin test. */
export interface StdinTest {
  readonly stdin: string;
  readonly expected: string;
}
