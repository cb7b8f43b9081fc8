/** What a submission used of its tenant's CPU time, as far as its report tells: its program's runs and its compile step. Pure. */
import type { CellsReport, CompileReport, JudgeReport, RunReport } from '../../domain/report.ts';

/** ms. What was compiled or judged before costs nothing; neither does what ended in a fault of ours. */
export function cpuOf(report: RunReport | JudgeReport | CellsReport): number {
  if ('cells' in report) return cpuOf(report.run);
  if (report.fault !== null || report.provenance.reused !== null) return 0;
  return ranFor(report) + compileCpu(report.compile);
}

/** The outcome of a program that did not compile is the compile step's. */
function ranFor(report: RunReport | JudgeReport): number {
  if (report.kind === 'judge')
    return report.cases.reduce((sum, { outcome }) => sum + (outcome?.cpuMs ?? 0), 0);
  const { outcome } = report;
  return outcome === null || outcome.kind === 'compile_error' ? 0 : outcome.cpuMs;
}

function compileCpu(compile: CompileReport | null): number {
  return compile === null || compile.cached ? 0 : compile.outcome.cpuMs;
}

/** Whether it ended in a fault of ours. */
export function isFault(report: RunReport | JudgeReport | CellsReport): boolean {
  return ('cells' in report ? report.run : report).fault !== null;
}
