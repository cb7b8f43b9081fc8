/**
 * From judged cases to one verdict and one reward. Pure. Owns that nothing but a full set of accepted cases earns the
 * full reward, and that a result of ours that is missing is never scored as the model's.
 */
import { Fault } from '../domain/errors.ts';
import type { GroupReport } from '../domain/report.ts';
import type { GroupRule, Scoring } from '../domain/submission.ts';
import type { CaseReport, Verdict } from '../domain/verdict.ts';
import { twelveDigits } from '../lib/round.ts';
import { groupShare } from './groups.ts';
import { almostOne, toRange } from './share.ts';

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
  /** Share of what was won (by weight when weighted, by points when in groups), 0 … 1; 1 only when it is everything. */
  readonly fraction: number;
  /** Null where scoring is not by groups. */
  readonly groups: readonly GroupReport[] | null;
}

/**
 * Scores a submission. The verdict is that of the first case that is neither accepted nor `not_run`; accepted only when
 * every declared case has an accepted result, or every group all its points. Results that are missing, or not run,
 * without a failure before them are a fault: reward null. Throws `Fault('internal')` when there are more results than
 * declared cases, and when a score is none.
 */
export function score(request: ScoreRequest): Score {
  const { cases, declared, scoring, rewardRange } = request;
  if (cases.length > declared) {
    throw new Fault('internal', `${cases.length} results for ${declared} declared cases`);
  }
  cases.forEach(checkScore);
  const passed = cases.filter((report) => report.verdict === 'accepted').length;
  const isAllAccepted = declared > 0 && passed === declared;
  if (typeof scoring === 'object') {
    return scoreGroups(request, { rules: scoring.groups, passed, isAllAccepted });
  }
  const verdict: Verdict = isAllAccepted ? 'accepted' : (firstFailure(cases) ?? 'fault');
  const fraction = isAllAccepted ? 1 : shareOf(request);
  const value = scoring === 'all' ? Number(isAllAccepted) : fraction;
  const reward = verdict === 'fault' ? null : toRange(value, rewardRange);
  return { verdict, reward, passed, total: declared, fraction, groups: null };
}

/** 1 exactly for what is accepted: a score that says otherwise is a mistake of ours. */
function checkScore({ id, verdict, score: value }: CaseReport): void {
  const isInRange = value >= 0 && value <= 1;
  if (isInRange && (value === 1) === (verdict === 'accepted')) return;
  throw new Fault('internal', `case ${id} is ${verdict} with a score of ${value}`);
}

function firstFailure(cases: readonly CaseReport[]): Verdict | null {
  for (const { verdict } of cases) {
    if (verdict !== 'accepted' && verdict !== 'not_run') return verdict;
  }
  return null;
}

/** Share of what was won, below 1. A missing case weighs as much as the mean of those that are there. */
function shareOf({ cases, declared, scoring }: ScoreRequest): number {
  if (cases.length === 0 || declared === 0) return 0;
  if (scoring !== 'weighted') {
    const won = cases.reduce((sum, report) => sum + report.score, 0);
    return Math.min(won / declared, almostOne(1));
  }
  // Divided by the largest first, so that neither sum can overflow.
  const largest = cases.reduce((most, report) => Math.max(most, report.weight), 0);
  if (!(largest > 0)) return 0;
  let won = 0;
  let all = 0;
  for (const { score: value, weight } of cases) {
    all += weight / largest;
    won += value * (weight / largest);
  }
  return almostOne(won / (all * (declared / cases.length)));
}

interface Counted {
  readonly rules: readonly GroupRule[];
  readonly passed: number;
  readonly isAllAccepted: boolean;
}

function scoreGroups(
  { cases, declared, rewardRange }: ScoreRequest,
  { rules, passed, isAllAccepted }: Counted,
): Score {
  const won = rules.map((rule) => {
    const members = cases.filter(({ group }) => group === rule.name);
    if (members.length === 0) throw new Fault('internal', `group ${rule.name} has no case`);
    return { rule, members, share: groupShare(rule, members) };
  });
  if (won.reduce((count, { members }) => count + members.length, 0) !== cases.length) {
    throw new Fault('internal', 'a case belongs to no group');
  }
  const groups = won.map(({ rule: { name, points: pointsMax }, members, share }) => {
    const accepted = members.filter(({ verdict }) => verdict === 'accepted').length;
    const points = share === 1 ? pointsMax : twelveDigits(pointsMax * share);
    return { name, points, pointsMax, passed: accepted, total: members.length };
  });
  const common = { passed, total: declared, groups };
  if (cases.length === declared && won.every(({ share }) => share === 1)) {
    return { ...common, verdict: 'accepted', reward: rewardRange[1], fraction: 1 };
  }
  const failing = firstFailure(cases);
  // Only a threshold below 1 takes points for an accepted case.
  const verdict: Verdict = failing ?? (isAllAccepted ? 'wrong_answer' : 'fault');
  const all = rules.reduce((sum, { points }) => sum + points, 0);
  const sum = won.reduce((value, { rule, share }) => value + share * (rule.points / all), 0);
  const fraction = almostOne(sum);
  const reward = verdict === 'fault' ? null : toRange(fraction, rewardRange);
  return { ...common, verdict, reward, fraction };
}
