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
    outcome: OUTPUTS_HIDDEN[report.mode](each.outcome),
  }));
  const failing = cases.find(({ verdict }) => verdict !== 'accepted');
  const message = report.cases.length === 0 ? report.message : (failing?.message ?? '');
  const attempts = report.attempts.map((each) => ({ ...each, fault: withoutDetail(each.fault) }));
  const fault = withoutDetail(report.fault);
  return { ...report, cases, message, fault, attempts, compile: hideCompile(report) };
}

/** What a checker said when it failed may quote the answer; that it failed is told. */
function withoutDetail(fault: FaultInfo | null): FaultInfo | null {
  const known = FAULT_CODES.find((code) => code === fault?.code);
  if (fault === null || known === undefined) return fault;
  return { ...fault, message: FAULTS[known].message };
}

/** Where tests are built with the program, a compiler tells of them. */
function hideCompile({ compile, mode }: JudgeReport): JudgeReport['compile'] {
  if (compile === null || mode !== 'in_process') return compile;
  const nothing = {
    stdout: new Uint8Array(0),
    stdoutBytes: 0,
    stderr: new Uint8Array(0),
    stderrBytes: 0,
  };
  return { ...compile, outcome: { ...compile.outcome, ...nothing } };
}

const whole = (outcome: Outcome | null): Outcome | null => outcome;

const OUTPUTS_HIDDEN: Readonly<Record<JudgeReport['mode'], typeof withoutOutput>> = {
  stdio: whole,
  interactive: whole,
  two_step: whole,
  output_only: whole,
  split: withoutOutput,
  // A program beside its tests can print them to either stream.
  in_process: (outcome) => withoutErrors(withoutOutput(outcome)),
};

function withoutErrors(outcome: Outcome | null): Outcome | null {
  return outcome && { ...outcome, stderr: new Uint8Array(0), stderrBytes: 0 };
}

/** Test code prints, too. */
function withoutOutput(outcome: Outcome | null): Outcome | null {
  return outcome && { ...outcome, stdout: new Uint8Array(0), stdoutBytes: 0 };
}

/** Modes in which messages other than of a comparison are of how the program ended. */
const OF_THE_PROGRAM: ReadonlySet<JudgeReport['mode']> = new Set([
  ...(['stdio', 'two_step', 'output_only'] as const),
]);

function shown({ verdict, message }: CaseReport, { mode }: JudgeReport): string {
  if (verdict === 'wrong_answer') return 'not what was expected';
  // How a program that reads stdin ended is its own affair; what test code says of it is not.
  return OF_THE_PROGRAM.has(mode) ? message : '';
}
