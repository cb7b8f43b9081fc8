/** What groups of test data are worth, as scoring of the wire. Pure. */
import type { GroupYaml } from './package-files.ts';

export interface GroupRule {
  readonly points: number;
  readonly rule: 'min' | 'sum';
}

/** Words of grader flags that say how scores are put together; the others are of verdicts. */
const MODES = ['min', 'max', 'sum', 'avg'] as const;

/** A group of so many cases, each 0 or its score. Returns the reason as a text where the wire has no such rule. */
export function groupRule(yaml: GroupYaml, cases: number): GroupRule | string {
  if (yaml.scoring !== undefined) return ofScoring(yaml.scoring);
  if (yaml.grading === 'custom') return 'a grader of its own is not supported';
  if ((yaml.reject_score ?? 0) !== 0) return 'a reject_score is not supported';
  const [mode = 'sum', other] = MODES.filter((each) => yaml.grader_flags?.includes(each) ?? false);
  if (other !== undefined || mode === 'max') return `grader flags ${mode} are not supported`;
  const each = yaml.accept_score ?? 1;
  if (!(each > 0)) return 'accept_score is not above 0';
  if (mode === 'min') return { points: each, rule: 'min' };
  return { points: mode === 'sum' ? each * cases : each, rule: 'sum' };
}

function ofScoring({ score, aggregation = 'pass-fail' }: NonNullable<GroupYaml['scoring']>) {
  if (typeof score !== 'number' || score === 0) return 'a group without a score is not supported';
  const rule = aggregation === 'sum' ? 'sum' : 'min';
  return { points: score, rule } as const;
}
