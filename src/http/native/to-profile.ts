/** What a request's profile makes of the rest of it: comparison, limits, which tests count. Pure; adds errors with their paths. */
import type { LimitsRequest } from '../../domain/limits.ts';
import { inForce, profileOf, type Profile, type ProfileInForce } from '../../domain/profile.ts';
import type { Compare, StdioCase } from '../../domain/submission.ts';
import type { Errors } from './checks.ts';
import type { Compare as CompareWire, JudgeRequest } from './schema/judge.ts';

/** Where a request's limits start from. */
export function profileLimits({ profile }: Pick<JudgeRequest, 'profile'>): LimitsRequest {
  return profileOf(profile).limits;
}

/** Adds an error where the profile does not judge such tests, or fixes what the request gives. */
export function checkProfile(
  { profile: name, tests, compare }: JudgeRequest,
  errors: Errors,
): void {
  const profile = profileOf(name);
  if (!profile.kinds.includes(tests.kind)) {
    const kinds = profile.kinds.join(', ');
    errors.add(['profile'], `${name} judges tests of the kinds ${kinds}, not ${tests.kind}`);
  }
  if (compare !== undefined && isFixed(profile, compare))
    errors.add(['compare'], `is given by the profile ${name}`);
}

function isFixed({ grader, mayCheck }: Profile, compare: CompareWire): boolean {
  if (grader === null) return false;
  return typeof compare === 'string' || compare.checker === undefined || !mayCheck;
}

/** The comparison where the request gives none. An interactor judges by itself. */
export function profileCompare({ profile, tests }: JudgeRequest): Compare {
  const { grader } = profileOf(profile);
  return grader === null || tests.kind !== 'stdio'
    ? { kind: 'tokens' }
    : { kind: 'grader', grader };
}

/** Of tests that are code, what stands for the request's `compare`; graders of text say nothing of values. */
export function codeCompare({ compare, profile, tests }: JudgeRequest): CompareWire {
  const { float } = profileOf(profile);
  if (compare !== undefined) return compare;
  return float === null || tests.kind !== 'function'
    ? 'tokens'
    : { float: { ...float, ignore_case: false } };
}

/** The rules that will be in the report. `leftOut`: cases that do not count. */
export function profileInForce(
  { profile }: Pick<JudgeRequest, 'profile'>,
  leftOut: number,
): ProfileInForce {
  return { ...inForce(profile), leftOut };
}

/** The cases that count, in the order in which they are judged. */
export function selectCases(
  { profile }: Pick<JudgeRequest, 'profile'>,
  cases: readonly StdioCase[],
): readonly StdioCase[] {
  const { selects } = profileOf(profile);
  if (selects === null || cases.length <= selects.most) return cases;
  if (selects.which === 'first') return cases.slice(0, selects.most);
  return cases
    .toSorted((one, other) => other.stdin.byteLength - one.stdin.byteLength)
    .slice(0, selects.most);
}

/** The same of tests that are code, where they are a list; they have no inputs to go by. */
export function selectCode(wire: JudgeRequest): JudgeRequest['tests'] {
  const { tests } = wire;
  const { selects } = profileOf(wire.profile);
  if (selects === null || tests.kind !== 'function' || tests.cases.length <= selects.most)
    return tests;
  const named = tests.cases.map((each, index) => ({ ...each, id: each.id ?? String(index + 1) }));
  if (selects.which === 'first') return { ...tests, cases: named.slice(0, selects.most) };
  const sized = named.map((each) => ({ each, size: JSON.stringify(each.args).length }));
  const longest = sized.toSorted((one, other) => other.size - one.size).slice(0, selects.most);
  return { ...tests, cases: longest.map(({ each }) => each) };
}

/** What a row of a data set gives of a judge request. */
export interface RowBody {
  readonly compare?: { readonly checker?: unknown };
  readonly limits: Readonly<Record<string, unknown>>;
}

/** A row without what the original of the profile does not look at: it has its own comparison and its own time. */
export function withoutFixed(row: RowBody, name: JudgeRequest['profile']): RowBody {
  const { grader, mayCheck, limits: own } = profileOf(name);
  const { compare, limits, ...rest } = row;
  const isKept = grader === null || (mayCheck && compare?.checker !== undefined);
  const fixed = [
    ...(own.cpuMs === undefined ? [] : ['cpu_ms', 'wall_ms']),
    ...(own.memoryBytes === undefined ? [] : ['memory_mb']),
  ];
  const kept = Object.entries(limits).filter(([field]) => !fixed.includes(field));
  return {
    ...rest,
    ...(compare === undefined || !isKept ? {} : { compare }),
    limits: Object.fromEntries(kept),
  };
}
