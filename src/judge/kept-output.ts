/**
 * What a report keeps of its cases' outputs once they are compared: what the answer may show and no more, so that a
 * submission of many cases holds the outputs of those under way only. Sizes and truncation flags stay the program's.
 */
import { REPORT_BOUNDS } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Detail } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { cutBytes } from '../lib/cut-bytes.ts';

export interface OutputKeeper {
  /**
   * The report without the bytes that no answer shows. Where bytes were left out, `stdout` is shorter than
   * `stdoutBytes`; the flags say only what the program's limit cut.
   */
  keep(report: CaseReport): CaseReport;
}

const NOTHING = new Uint8Array(0);

/** One keeper for each report. `outputBytes` bounds what `full` keeps of all cases together. */
export function createOutputKeeper(
  detail: Detail,
  { excerptBytes, outputBytes }: { excerptBytes: number; outputBytes: number } = REPORT_BOUNDS,
): OutputKeeper {
  let leftBytes = outputBytes;
  const whole = (bytes: Uint8Array): Uint8Array => {
    const kept = copyOfPart(bytes, leftBytes);
    leftBytes -= kept.byteLength;
    return kept;
  };
  const bytesOf = (report: CaseReport): ((bytes: Uint8Array) => Uint8Array) => {
    if (detail === 'full') return whole;
    const isShown = detail === 'failures' && report.verdict !== 'accepted';
    return isShown ? (bytes) => copyOfPart(bytes, excerptBytes) : () => NOTHING;
  };
  return {
    keep(report) {
      if (report.outcome === null) return report;
      const kept = bytesOf(report);
      const { stdout, stderr } = report.outcome;
      const outcome: Outcome = { ...report.outcome, stdout: kept(stdout), stderr: kept(stderr) };
      return { ...report, outcome };
    },
  };
}

/** The bytes themselves if they are few enough; else a copy of the first, so that the whole can be freed. */
function copyOfPart(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return bytes.byteLength <= maxBytes ? bytes : new Uint8Array(cutBytes(bytes, maxBytes));
}
