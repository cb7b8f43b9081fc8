/** One outcome judged against one test case. Never from an exit code alone: an exit code can only fail a case. */
import type { Outcome } from '../domain/outcome.ts';
import type { PlainCompare, StdioCase } from '../domain/submission.ts';
import type { CaseReport, CaseVerdict } from '../domain/verdict.ts';

/** Compares expected with actual bytes; may leave the thread for long ones. */
export type Comparator = (
  expected: Uint8Array,
  actual: Uint8Array,
  compare: PlainCompare,
) => Promise<{ equal: boolean; message: string }>;

/** Judges the output of a run that ended well; `score` is 0 … 1. `position` counts the cases from 1. */
export type OutputJudge = (
  test: StdioCase,
  ran: Pick<Outcome, 'stdout' | 'cpuMs'>,
  position: number,
) => Promise<{ readonly score: number; readonly message: string }>;

/** By comparison with the expected output. */
export function comparing(comparator: Comparator, compare: PlainCompare): OutputJudge {
  return async (test, { stdout }) => {
    const { equal, message } = await comparator(test.expectedStdout, stdout, compare);
    return equal ? { score: 1, message: '' } : { score: 0, message };
  };
}

/** A case of a run that has ended, whether well or not. */
export async function judgeCase(
  test: StdioCase,
  outcome: Outcome,
  { judge, position }: { readonly judge: OutputJudge; readonly position: number },
): Promise<CaseReport> {
  const failed = failureOf(outcome);
  if (failed !== null) return caseReport(test, outcome, { ...failed, score: 0 });
  const { score, message } = await judge(test, outcome, position);
  const isAccepted = score === 1;
  return caseReport(test, outcome, {
    verdict: isAccepted ? 'accepted' : 'wrong_answer',
    score,
    message: isAccepted ? '' : message,
  });
}

/** A case that the stop policy left out. */
export function caseNotRun(test: StdioCase): CaseReport {
  const message = 'not run: an earlier case failed';
  return caseReport(test, null, { verdict: 'not_run', score: 0, message });
}

/** The report of a case. */
export function caseReport(
  { id, weight, group }: StdioCase,
  outcome: Outcome | null,
  judged: { verdict: CaseVerdict; score: number; message: string },
): CaseReport {
  return { id, weight, group, limit: outcome?.limit ?? null, outcome, ...judged };
}

/** The verdict that needs no comparison, or null for a clean exit. */
export function failureOf(outcome: Outcome): { verdict: CaseVerdict; message: string } | null {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.exitCode === 0) return null;
      return { verdict: 'runtime_error', message: `exit code ${outcome.exitCode}` };
    case 'signalled':
      return { verdict: 'runtime_error', message: `ended by signal ${outcome.signal}` };
    case 'time_limit':
      return { verdict: 'time_limit', message: `the ${outcome.limit} time limit was reached` };
    case 'memory_limit':
      return { verdict: 'memory_limit', message: 'the memory limit was reached' };
    case 'output_limit':
      return { verdict: 'output_limit', message: 'the output limit was reached' };
    case 'process_limit':
      return { verdict: 'runtime_error', message: 'the limit of processes was reached' };
    case 'disk_limit':
      return { verdict: 'runtime_error', message: 'the disk limit was reached' };
    case 'compile_error':
    case 'cancelled':
      throw new Error(`a case cannot end as ${outcome.kind}`);
  }
}
