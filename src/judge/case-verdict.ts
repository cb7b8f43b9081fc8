/** One outcome judged against one test case. Never from an exit code alone: an exit code can only fail a case. */
import type { Outcome } from '../domain/outcome.ts';
import type { Compare, StdioCase } from '../domain/submission.ts';
import type { CaseReport, CaseVerdict } from '../domain/verdict.ts';

/** Compares expected with actual bytes; may leave the thread for long ones. */
export type Comparator = (
  expected: Uint8Array,
  actual: Uint8Array,
  compare: Compare,
) => Promise<{ equal: boolean; message: string }>;

export async function judgeCase(
  test: StdioCase,
  outcome: Outcome,
  judging: { compare: Compare; comparator: Comparator },
): Promise<CaseReport> {
  const failed = failureOf(outcome);
  if (failed !== null) return caseReport(test, outcome, failed);
  const { equal, message } = await judging.comparator(
    test.expectedStdout,
    outcome.stdout,
    judging.compare,
  );
  return caseReport(test, outcome, {
    verdict: equal ? 'accepted' : 'wrong_answer',
    message: equal ? '' : message,
  });
}

/** A case that the stop policy left out. */
export function caseNotRun(test: StdioCase): CaseReport {
  return caseReport(test, null, { verdict: 'not_run', message: 'not run: an earlier case failed' });
}

function caseReport(
  test: StdioCase,
  outcome: Outcome | null,
  judged: { verdict: CaseVerdict; message: string },
): CaseReport {
  return { id: test.id, weight: test.weight, limit: outcome?.limit ?? null, outcome, ...judged };
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
