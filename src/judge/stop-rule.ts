/** Which cases are left out once others have failed: the stop policy of a submission at work. Pure but for its memory. */
import type { JudgeSubmission, StdioCase } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { isLost } from '../verify/groups.ts';

export interface StopRule {
  leavesOut(test: Pick<StdioCase, 'group'>): boolean;
  /** Takes note of a case that was judged. */
  note(report: CaseReport): void;
}

/**
 * The rule of a submission. `per_group`: a group's further cases are left out once they cannot change what it is worth;
 * they stay in its count.
 */
export function stopRule({ stop, scoring }: Pick<JudgeSubmission, 'stop' | 'scoring'>): StopRule {
  let isOver = false;
  const lost = new Set<string>();
  const rules = typeof scoring === 'object' ? scoring.groups : [];
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  return {
    leavesOut: ({ group }) => isOver || (group !== null && lost.has(group)),
    note(report) {
      if (stop === 'first_failure' && report.verdict !== 'accepted') isOver = true;
      if (stop !== 'per_group' || report.group === null) return;
      const rule = byName.get(report.group);
      if (rule !== undefined && isLost(rule, report)) lost.add(report.group);
    },
  };
}
