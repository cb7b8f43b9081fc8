/** From judged cases, or from why there are none, to the report of a submission. Pure. */
import type { JudgeReport, RunReport } from '../domain/report.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import { score } from '../verify/score.ts';
import type { JudgeResult } from './execute.ts';
import { declaredTests, modeOf } from './test-kinds.ts';

/** What all reports have. */
export type ReportBase = Omit<RunReport, 'kind' | 'outcome' | 'compile'>;

/** What a report tells of cases where none was judged. */
const NOTHING_RUN = {
  passed: 0,
  fraction: 0,
  compile: null,
  cases: [],
  groups: null,
  canaries: null,
} as const;

/** `result` is null on a fault, which the base then names. */
export function toJudgeReport(
  submission: JudgeSubmission,
  base: ReportBase,
  result: JudgeResult | null,
): JudgeReport {
  const cases = result?.cases ?? [];
  const declared = declaredTests(submission) ?? cases.length;
  const common = {
    kind: 'judge',
    ...base,
    mode: modeOf(submission),
    profile: submission.profile,
    total: declared,
  } as const;
  if (result === null)
    return { ...common, verdict: 'fault', reward: null, ...NOTHING_RUN, message: '' };
  const { compile } = result;
  const { scoring, rewardRange } = submission;
  if (compile !== null && !compile.ok) {
    return {
      ...common,
      verdict: 'compile_error',
      reward: rewardRange[0],
      ...NOTHING_RUN,
      compile,
      message: 'the program does not compile',
    };
  }
  const scored = score({ cases, declared, scoring, rewardRange });
  const failing = cases.find(({ verdict }) => verdict !== 'accepted');
  const message = failing?.message ?? '';
  return { ...common, ...scored, compile, cases, canaries: result.canaries ?? null, message };
}

/** Why there is nothing to run, which is the candidate's own doing. */
export interface NoProgram {
  readonly kind: 'no_code' | 'compile_error';
  readonly reason: string;
}

/** The report of a text in which there was nothing to judge, or nothing that can be a program. */
export function toNoProgramReport(
  submission: JudgeSubmission,
  base: ReportBase,
  { kind: verdict, reason: message }: NoProgram,
): JudgeReport {
  return {
    kind: 'judge',
    ...base,
    mode: modeOf(submission),
    profile: submission.profile,
    verdict,
    reward: submission.rewardRange[0],
    ...NOTHING_RUN,
    total: declaredTests(submission) ?? 0,
    message,
  };
}
