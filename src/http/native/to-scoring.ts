/** From the native wire to how cases are scored and when judging stops. Pure; collects errors with their paths. */
import { profileOf } from '../../domain/profile.ts';
import type { GroupRule, Scoring, StdioCase, StopPolicy } from '../../domain/submission.ts';
import type { Errors } from './checks.ts';
import type { GroupWire, JudgeRequest } from './schema/judge.ts';

/** The scoring; groups must hold every case, and none be empty. `cases` is null where tests have no groups at all. */
export function toScoring(
  { scoring: given, profile }: Pick<JudgeRequest, 'scoring' | 'profile'>,
  cases: readonly Pick<StdioCase, 'group'>[] | null,
  errors: Errors,
): Scoring {
  const scoring = given ?? profileOf(profile).scoring;
  if (typeof scoring === 'string') return scoring;
  const groups = Object.entries(scoring.groups).map(([name, wire]) => toRule(name, wire, errors));
  if (groups.length === 0) errors.add(['scoring', 'groups'], 'at least one group is required');
  if (cases === null) return { groups };
  const names = new Set(groups.map(({ name }) => name));
  for (const [i, { group }] of cases.entries()) {
    if (errors.isFull) break;
    if (group !== null && names.has(group)) continue;
    const message = group === null ? 'is required: scoring is by groups' : 'no such group';
    errors.add(['tests', 'cases', i, 'group'], message);
  }
  const used = new Set(cases.map(({ group }) => group));
  for (const { name } of groups) {
    if (!used.has(name)) errors.add(['scoring', 'groups', name], 'no case belongs to it');
  }
  return { groups };
}

function toRule(name: string, wire: GroupWire, errors: Errors): GroupRule {
  const { points, rule, threshold } = wire;
  if ((rule === 'threshold') !== (threshold !== undefined)) {
    const message =
      threshold === undefined ? 'is required for rule threshold' : 'only rule threshold has one';
    errors.add(['scoring', 'groups', name, 'threshold'], message);
  }
  return { name, points, rule, threshold: threshold ?? 1 };
}

/** When judging stops: as the profile has it, unless the request scores otherwise; `per_group` needs groups that are scored. */
export function toStop(
  { stop, scoring, profile }: Pick<JudgeRequest, 'stop' | 'scoring' | 'profile'>,
  errors: Errors,
): StopPolicy {
  if (stop === 'per_group' && typeof scoring !== 'object')
    errors.add(['stop'], 'per_group needs scoring by groups');
  if (stop !== undefined) return stop;
  if (scoring === undefined) return profileOf(profile).stop;
  return scoring === 'all' ? 'first_failure' : 'never';
}
