/**
 * What groups of cases are worth: the subtasks of IOI and CMS. Pure. Owns the rules of a group, and when no further case
 * can change what it is worth; knows nothing of verdicts.
 */
import type { GroupRule } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { almostOne } from './share.ts';

type Scored = Pick<CaseReport, 'score' | 'weight'>;

/**
 * The share of its points that a group wins, 0 … 1. Preconditions: at least one case, scores in 0 … 1.
 *
 * - `sum`: the mean of the scores, by weight.
 * - `min`: the least score.
 * - `product`: the scores multiplied.
 * - `threshold`: everything where each score is above 0 and at most the threshold, else nothing. A score of 0 marks what
 *   failed for another reason (CMS, GroupThreshold).
 *
 * Sums are of exact values; only what is shown is rounded. A share is 1 only where the rule says everything.
 */
export function groupShare({ rule, threshold }: GroupRule, cases: readonly Scored[]): number {
  switch (rule) {
    case 'sum':
      return sumShare(cases);
    case 'min':
      return cases.reduce((least, { score }) => Math.min(least, score), 1);
    case 'product': {
      const product = cases.reduce((value, { score }) => value * score, 1);
      return cases.every(({ score }) => score === 1) ? 1 : almostOne(product);
    }
    case 'threshold':
      return cases.every((each) => meets(each, threshold)) ? 1 : 0;
  }
}

/** Whether a group is worth nothing whatever its other cases are, given one of them. `sum` is never lost. */
export function isLost({ rule, threshold }: GroupRule, judged: Scored): boolean {
  if (rule === 'sum') return false;
  return rule === 'threshold' ? !meets(judged, threshold) : judged.score === 0;
}

function meets({ score }: Scored, threshold: number): boolean {
  return score > 0 && score <= threshold;
}

function sumShare(cases: readonly Scored[]): number {
  if (cases.every(({ score }) => score === 1)) return 1;
  // Divided by the largest first, so that neither sum can overflow.
  const largest = cases.reduce((most, { weight }) => Math.max(most, weight), 0);
  if (!(largest > 0)) return 0;
  let won = 0;
  let all = 0;
  for (const { score, weight } of cases) {
    all += weight / largest;
    won += score * (weight / largest);
  }
  return almostOne(won / all);
}
