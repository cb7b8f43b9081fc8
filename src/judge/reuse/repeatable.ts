/**
 * Whether a program would get the same report each time, as far as a report can tell: only then may it stand for another
 * submission's. Whatever the host, its load or a limit had a hand in is its own submission's alone. Pure.
 */
import type { Limits } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { CompileReport, JudgeReport, RunReport } from '../../domain/report.ts';
import type { JudgeSubmission, RunSubmission } from '../../domain/submission.ts';
import type { CaseVerdict } from '../../domain/verdict.ts';

/** A run that came so near to a limit might pass it another time. */
const NEAR_SHARE = 0.8;

/** Modes without chance of their own: canaries are drawn anew, and interactors may play anew. */
const MODES: readonly JudgeReport['mode'][] = ['stdio', 'split', 'output_only'];

const VERDICTS: readonly CaseVerdict[] = ['accepted', 'wrong_answer', 'runtime_error', 'not_run'];

/** A program that asks for chance or time itself is not found out. */
export function isRepeatable(
  report: RunReport | JudgeReport,
  submission: RunSubmission | JudgeSubmission,
): boolean {
  if (report.fault !== null || report.attempts.some(({ fault }) => fault !== null)) return false;
  if (report.compile !== null && !isOwnWord(report.compile, submission.limits)) return false;
  if (report.kind === 'run')
    return (
      report.outcome !== null &&
      (report.compile?.ok === false || isClear(report.outcome, submission.limits))
    );
  if (!MODES.includes(report.mode) || report.verdict === 'fault') return false;
  if (report.verdict === 'no_code') return false;
  const limits = limitsOf(submission);
  return report.cases.every(
    ({ verdict, outcome }, index) =>
      VERDICTS.includes(verdict) &&
      (outcome === null
        ? verdict === 'not_run' || report.mode === 'output_only'
        : isClear(outcome, limits[index] ?? submission.limits)),
  );
}

function limitsOf(submission: RunSubmission | JudgeSubmission): readonly Limits[] {
  if (!('tests' in submission) || !('cases' in submission.tests)) return [];
  return submission.tests.cases.map(({ limits }) => limits);
}

/** The program ended by itself, far from every limit. */
function isClear(outcome: Outcome, limits: Limits): boolean {
  const { kind, limit, cpuMs, wallMs, memoryBytes, stdoutTruncated, stderrTruncated } = outcome;
  if (kind !== 'exited' || limit !== null || stdoutTruncated || stderrTruncated) return false;
  return (
    memoryBytes !== null &&
    memoryBytes <= NEAR_SHARE * limits.memoryBytes &&
    cpuMs <= NEAR_SHARE * limits.cpuMs &&
    wallMs <= NEAR_SHARE * limits.wallMs
  );
}

/** The compiler's, not a limit's. */
function isOwnWord({ outcome }: CompileReport, limits: Limits): boolean {
  const { kind, limit, cpuMs, wallMs } = outcome;
  return (
    (kind === 'exited' || kind === 'compile_error') &&
    limit === null &&
    cpuMs <= NEAR_SHARE * limits.compileCpuMs &&
    wallMs <= NEAR_SHARE * limits.compileWallMs
  );
}
