/** From a cell of a session to a run of all its cells, and from their report to the answer about the last. Pure. */
import { createHash } from 'node:crypto';

import { netWallFor, resolveLimits, type Limits } from '../../../domain/limits.ts';
import type { CellReport, CellsReport } from '../../../domain/report.ts';
import { PLAIN, type CellsSubmission } from '../../../domain/submission.ts';
import { toText } from '../../text.ts';
import type { ExecuteRequest, ExecuteResponse } from './schema.ts';
import type { KeptCell } from './sessions.ts';
import { cut, outcomeOf, timedOut } from './translate.ts';

interface Resolution {
  readonly id: string;
  readonly maxima: Limits;
  readonly environment: string | null;
}

/** The cells that are kept, and the new one. Each has the wall time that it was given; together the CPU time of all. */
export function toCellsSubmission(
  { generated_code: code, timeout }: ExecuteRequest,
  kept: readonly KeptCell[],
  { id, maxima, environment }: Resolution,
): CellsSubmission {
  const timeoutsMs = [...kept.map(({ timeoutMs }) => timeoutMs), timeout * 1000];
  const cpuMs = Math.ceil(timeoutsMs.reduce((sum, each) => sum + each, 0));
  const asked = { ...maxima, cpuMs: Math.min(cpuMs, maxima.cpuMs) };
  return {
    ...PLAIN,
    ...resolveLimits(asked, maxima),
    id,
    language: 'python',
    environment,
    cells: [...kept.map((cell) => cell.code), code],
    files: [],
    cellTimeoutMs: timeoutsMs.map((each) => netWallFor(each)),
    collect: [],
  };
}

interface Answered {
  readonly response: ExecuteResponse;
  /** The digest of what the new cell showed; null where it did not come to its end and is not kept. */
  readonly digest: string | null;
}

/**
 * A report about all cells as an answer about the last one. Throws Fault where there is none. `timeout` tells the number
 * as the client wrote it.
 */
export function toAnswer(
  { run, cells }: CellsReport,
  kept: readonly KeptCell[],
  { request, timeout }: { readonly request: ExecuteRequest; readonly timeout: () => string },
): Answered {
  const { kind } = outcomeOf(run);
  const earlier = cells.slice(0, kept.length);
  const last = cells[kept.length];
  if (last === undefined) return { response: lost(request), digest: null };
  const differs = earlier.some((cell, index) => digestOf(cell) !== kept[index]?.digest);
  const note = differs ? DIFFERS : '';
  const stdout = textOf(last);
  const stderr = `${toText(last.stderr).text}${note}`;
  if (isLate(last) || (!last.isComplete && kind === 'time_limit')) {
    const partial = last.isComplete ? cut(toText(last.stdout).text, request) : '';
    return { response: { ...timedOut(timeout(), request), stdout: partial }, digest: null };
  }
  if (!last.isComplete) {
    const reason = kind.endsWith('_limit')
      ? `the limit of ${kind.replace('_limit', '')} was reached`
      : 'the process ended in this cell';
    const response: ExecuteResponse = {
      process_status: 'error',
      stdout: cut(stdout, request),
      stderr: cut(`${stderr}${reason}\n`, request),
    };
    return { response, digest: null };
  }
  const response: ExecuteResponse = {
    process_status: last.error === null ? 'completed' : 'error',
    stdout: cut(stdout, request),
    stderr: cut(stderr, request),
  };
  return { response, digest: digestOf(last) };
}

const DIFFERS =
  'note: the earlier cells of this session were run again for this one, and gave another output than before\n';

function lost(request: ExecuteRequest): ExecuteResponse {
  const error =
    'the earlier cells of this session did not come to their end when they were run again';
  return {
    process_status: 'error',
    stdout: '',
    stderr: cut(`not run: ${error}\n`, request),
    error,
  };
}

/** Interrupted by its clock. */
function isLate({ error }: CellReport): boolean {
  return error?.name === 'CellTimeoutError';
}

/** What was printed, shown and raised, as an interactive Python shows it. */
function textOf({ stdout, displays, error }: CellReport): string {
  const printed = toText(stdout).text;
  const shown = displays.map(({ data }) => data['text/plain'] ?? '');
  const raised = error === null ? [] : error.traceback;
  const lines = [...shown, ...raised].map((line) => `${line}\n`).join('');
  const gap = printed === '' || printed.endsWith('\n') || lines === '' ? '' : '\n';
  const text = `${printed}${gap}${lines}`.replace(/^\s*\n/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}

/** Addresses of objects differ from process to process, and mean nothing. */
const ADDRESS = /0x[\da-f]{6,}/g;

function digestOf(cell: CellReport): string {
  const shown = `${textOf(cell)}\0${toText(cell.stderr).text}`.replaceAll(ADDRESS, '0x');
  return createHash('sha256').update(shown).digest('base64');
}
