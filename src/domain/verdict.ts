/** Verdicts of a test case and of a submission: an outcome judged. */
import type { LimitName, Outcome } from './outcome.ts';

export const CASE_VERDICTS = [
  'accepted',
  'wrong_answer',
  'runtime_error',
  'time_limit',
  'memory_limit',
  'output_limit',
  'not_run',
] as const;
export type CaseVerdict = (typeof CASE_VERDICTS)[number];

export const VERDICTS = [
  'accepted',
  'wrong_answer',
  'runtime_error',
  'time_limit',
  'memory_limit',
  'output_limit',
  'compile_error',
  'no_code',
  'fault',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One test case, judged. `outcome` is null when the case was not run. */
export interface CaseReport {
  readonly id: string;
  readonly verdict: CaseVerdict;
  readonly weight: number;
  readonly group: string | null;
  /** What it is worth, 0 … 1: 1 exactly when accepted, between only where a checker says so. */
  readonly score: number;
  readonly limit: LimitName | null;
  readonly outcome: Outcome | null;
  /** Of a test that is code: how long it took, the program being loaded, ms; null or absent where nobody measured it. */
  readonly testMs?: number | null;
  /** Why it is not accepted; "" when accepted. May show expected values: the wire decides who reads it. */
  readonly message: string;
}
