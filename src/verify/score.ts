/**
 * From judged cases to one verdict and one reward. Pure. Owns that nothing but a full set of accepted cases earns the
 * full reward, and that a result of ours that is missing is never scored as the model's.
 */
import { Fault } from '../domain/errors.ts';
import type { Scoring } from '../domain/submission.ts';
import type { CaseReport, Verdict } from '../domain/verdict.ts';
import { twelveDigits } from '../lib/round.ts';

export interface ScoreRequest {
  /** Judged cases in test order; cases that were stopped before may be missing or `not_run`. */
  readonly cases: readonly CaseReport[];
  /** How many cases the submission has, ≥ the number of `cases`. */
  readonly declared: number;
  readonly scoring: Scoring;
  /** Rewards of nothing and of everything; the first may be the larger one. */
  readonly rewardRange: readonly [number, number];
}

export interface Score {
  readonly verdict: Verdict;
  /** Null exactly when `verdict` is `fault`. */
  readonly reward: number | null;
  readonly passed: number;
  /** The number of declared cases. */
  readonly total: number;
  /** Share of passed cases (by weight when weighted), 0 … 1; exactly 1 only when all are accepted. */
  readonly fraction: number;
}

/** Cap of a share that is not everything: far enough from 1 to survive the mapping to any range. */
const ALMOST_ONE = 1 - 1e-9;

/**
 * Scores a submission. The verdict is that of the first case that is neither accepted nor `not_run`; accepted only when
 * every declared case has an accepted result. Results that are missing, or not run, without a failure before them are a
 * fault: reward null. Throws `Fault('internal')` when there are more results than declared cases.
 */
export function score(request: ScoreRequest): Score {
  const { cases, declared, scoring, rewardRange } = request;
  if (cases.length > declared) {
    throw new Fault('internal', `${cases.length} results for ${declared} declared cases`);
  }
  const passed = cases.filter((report) => report.verdict === 'accepted').length;
  const isPass = declared > 0 && passed === declared;
  const failing = firstFailure(cases);
  const verdict: Verdict = isPass ? 'accepted' : (failing ?? 'fault');
  const fraction = isPass ? 1 : shareOf(request, passed);
  const value = scoring === 'all' ? Number(isPass) : fraction;
  const reward = verdict === 'fault' ? null : toRange(value, rewardRange);
  return { verdict, reward, passed, total: declared, fraction };
}

function firstFailure(cases: readonly CaseReport[]): Verdict | null {
  for (const { verdict } of cases) {
    if (verdict !== 'accepted' && verdict !== 'not_run') return verdict;
  }
  return null;
}

/** Share of what passed, below 1. A missing case weighs as much as the mean of those that are there. */
function shareOf({ cases, declared, scoring }: ScoreRequest, passed: number): number {
  if (passed === 0 || declared === 0) return 0;
  if (scoring !== 'weighted') return passed / declared;
  // Divided by the largest first, so that neither sum can overflow.
  const largest = cases.reduce((most, report) => Math.max(most, report.weight), 0);
  if (!(largest > 0)) return 0;
  let won = 0;
  let all = 0;
  for (const { verdict, weight } of cases) {
    all += weight / largest;
    if (verdict === 'accepted') won += weight / largest;
  }
  return Math.min(twelveDigits(won / (all * (declared / cases.length))), ALMOST_ONE);
}

/**
 * Maps 0 … 1 to a range, to twelve digits where that changes no order; both ends are met exactly and only values below 1
 * stay off the upper end.
 */
function toRange(value: number, [none, everything]: readonly [number, number]): number {
  if (value === 1) return everything;
  if (value === 0) return none;
  const exact = none * (1 - value) + everything * value;
  const rounded = twelveDigits(exact);
  const [low, high] = none < everything ? [none, everything] : [everything, none];
  if (low < rounded && rounded < high) return rounded;
  // A range so narrow that there is no number where this one belongs.
  return exact === everything ? none : exact;
}
