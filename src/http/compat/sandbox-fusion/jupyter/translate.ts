/** From a request for cells to a submission, and from their report to the wire. Pure. */
import type { Limits } from '../../../../domain/limits.ts';
import type { CellReport, CellsReport } from '../../../../domain/report.ts';
import { PLAIN, type CellsSubmission } from '../../../../domain/submission.ts';
import { cutForAnswer, toText } from '../../../text.ts';
import { runResult, toSeconds } from '../command-result.ts';
import type { DetailEntry } from '../schema.ts';
import { checkedFiles, clampedNames, collectedFiles, toLimits } from '../translate.ts';
import type { CellRunResult, RunJupyterRequest, RunJupyterResponse } from './schema.ts';

interface Resolution {
  readonly id: string;
  readonly maxima: Limits;
  /** How long the client waits for its answer. */
  readonly deadlineMs: number;
}

type CellsSubmissionResult =
  | { readonly ok: true; readonly submission: CellsSubmission }
  | { readonly ok: false; readonly details: readonly DetailEntry[] };

/** A parsed request as a submission, or FastAPI's list of what is wrong with its files. */
export function toCellsSubmission(
  request: RunJupyterRequest,
  { id, maxima, deadlineMs }: Resolution,
): CellsSubmissionResult {
  const { cells, total_timeout: totalS, memory_limit_MB: memoryMb, cell_timeout: cellS } = request;
  const { files, details } = checkedFiles(request, { field: 'cells', texts: cells });
  if (details.length > 0) return { ok: false, details };
  const asked = { runS: totalS, compileS: totalS, memoryMb };
  const submission: CellsSubmission = {
    ...PLAIN,
    id,
    language: request.kernel,
    cells,
    files,
    cellTimeoutMs: cellS > 0 ? cellS * 1000 : null,
    collect: [...new Set(request.fetch_files)],
    ...toLimits(asked, { maxima, deadlineMs }),
  };
  return { ok: true, submission };
}

/** `count` is how many cells were asked for. */
export function toJupyterResponse(
  { run, cells }: CellsReport,
  { count, podName }: { readonly count: number; readonly podName: string | null },
): RunJupyterResponse {
  const { outcome, fault } = run;
  const driver = fault === null ? runResult(outcome) : null;
  if (driver === null) return jupyterError(fault?.message ?? 'the run was cancelled', podName);
  const isWhole = cells.length === count && cells.every(({ isComplete }) => isComplete);
  const isSuccess = isWhole && driver.status === 'Finished' && driver.return_code === 0;
  return {
    status: isSuccess ? 'Success' : 'Failed',
    message: '',
    driver,
    cells: cells.map((cell) => toCell(cell, driver.status === 'TimeLimitExceeded')),
    executor_pod_name: podName,
    files: collectedFiles(outcome),
    queue_time: toSeconds(run.phases.queueMs),
    clamped: clampedNames(run.clamped, { run: 'total_timeout', compile: null }),
  };
}

function toCell(cell: CellReport, isLate: boolean): CellRunResult {
  const text = (bytes: Uint8Array): string => toText(cutForAnswer(bytes)).text;
  const { stdout, stderr, displays, isComplete } = cell;
  return {
    stdout: text(stdout),
    stderr: text(stderr),
    display: displays.map(({ data }) => data),
    error: isComplete ? errorOf(cell) : [cut(isLate)],
  };
}

function errorOf({ error }: CellReport): CellRunResult['error'] {
  if (error === null) return [];
  return [{ ename: error.name, evalue: error.value, traceback: error.traceback }];
}

/** Of the cell that the end of the process cut. */
function cut(isLate: boolean): CellRunResult['error'][number] {
  return isLate
    ? { ename: 'TimeLimitExceeded', evalue: 'the time for all cells was up', traceback: [] }
    : { ename: 'DeadKernelError', evalue: 'the process ended in this cell', traceback: [] };
}

/** The answer where nothing was run: a fault of ours. */
export function jupyterError(message: string, podName: string | null): RunJupyterResponse {
  return {
    status: 'SandboxError',
    message,
    driver: null,
    cells: [],
    executor_pod_name: podName,
    files: {},
    queue_time: null,
    clamped: [],
  };
}
