/** Reports on hidden tests: what would tell the tests is taken out; what the program did stays. Pure. */
import { FAULT_CODES, FAULTS } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { FaultInfo, JudgeReport } from '../../domain/report.ts';
import type { CaseReport } from '../../domain/verdict.ts';

/** Messages of comparisons, checkers and test code may hold expected values or the tests themselves. */
export function hideTests(report: JudgeReport): JudgeReport {
  const cases = report.cases.map((each) => ({
    ...each,
    message: shown(each, report),
    outcome: report.mode === 'split' ? withoutOutput(each.outcome) : each.outcome,
  }));
  const failing = cases.find(({ verdict }) => verdict !== 'accepted');
  const message = report.cases.length === 0 ? report.message : (failing?.message ?? '');
  const attempts = report.attempts.map((each) => ({ ...each, fault: withoutDetail(each.fault) }));
  return { ...report, cases, message, fault: withoutDetail(report.fault), attempts };
}

/** What a checker said when it failed may quote the answer; that it failed is told. */
function withoutDetail(fault: FaultInfo | null): FaultInfo | null {
  const known = FAULT_CODES.find((code) => code === fault?.code);
  if (fault === null || known === undefined) return fault;
  return { ...fault, message: FAULTS[known].message };
}

/** Test code prints, too. */
function withoutOutput(outcome: Outcome | null): Outcome | null {
  return outcome && { ...outcome, stdout: new Uint8Array(0), stdoutBytes: 0 };
}

function shown({ verdict, message }: CaseReport, { mode }: JudgeReport): string {
  if (verdict === 'wrong_answer') return 'not what was expected';
  // How a program that reads stdin ended is its own affair; what test code says of it is not.
  return mode === 'stdio' || mode === 'two_step' ? message : '';
}
