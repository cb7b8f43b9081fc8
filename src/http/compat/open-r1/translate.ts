/** From a script to a submission, and from what came of it to an item of a batch. Pure. */
import type { Limits } from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import type { CellReport, CellsReport, RunReport } from '../../../domain/report.ts';
import {
  PLAIN,
  type CellsSubmission,
  type RunSubmission,
  type Submission,
} from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';
import { toText } from '../../text.ts';
import { failedItem, type BatchItem, type Result } from './schema.ts';

export interface Script {
  readonly id: string;
  readonly text: string;
  readonly language: LanguageInfo;
  readonly limits: Limits;
}

function common({
  id,
  language,
  limits,
}: Script): Omit<Submission, 'program'> & Pick<RunSubmission, 'collect'> {
  return {
    ...PLAIN,
    id,
    language: language.id,
    limits,
    clamped: [],
    collect: [],
  };
}

/** As one cell of a notebook. */
export function toCell(script: Script): CellsSubmission {
  return {
    ...common(script),
    cells: [withWholePairs(script.text)],
    files: [],
    cellTimeoutMs: null,
  };
}

/** As a program, in languages that have no cells. */
export function toProgram(script: Script): RunSubmission {
  const program = { kind: 'single', code: script.text, files: [] } as const;
  return { ...common(script), program, stdin: new Uint8Array(0) };
}

/** Two escapes of UTF-16 that are one character; an even number of backslashes before them is text. */
const ESCAPED_PAIR =
  /(?<!\\)((?:\\\\)*)\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/g;

/**
 * Open R1 writes programs into its script as JSON strings, which Python reads as its own: a character beyond U+FFFF
 * becomes two halves there, which no program can be started with. Such a pair becomes the character's one escape.
 */
export function withWholePairs(text: string): string {
  return text.replace(ESCAPED_PAIR, (_, before: string, high: string, low: string) => {
    const pair = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    const point = pair.codePointAt(0) ?? 0;
    return `${before}\\U${point.toString(16).padStart(8, '0')}`;
  });
}

/** What became of a script that was run as a cell. */
export function ofCells({ run, cells: [cell] }: CellsReport): BatchItem {
  const failed = failureOf(run);
  if (failed !== null) return failed;
  if (cell === undefined || !cell.isComplete) return failedItem('the script ended its process');
  return ofCell(cell);
}

function ofCell({ stdout, stderr, displays, error }: CellReport): BatchItem {
  const results = displays.map(({ isResult, data }) => toResult(isResult, data));
  const printed = toText(stdout).text;
  const said = printed + results.map(({ text }) => text ?? '').join('');
  return item(said, {
    results,
    logs: logsOf(printed, toText(stderr).text),
    error:
      error === null
        ? null
        : { name: error.name, value: error.value, traceback: error.traceback.join('\n') },
    execution_count: 1,
  });
}

/** What became of a script that was run as a program. */
export function ofRun(run: RunReport): BatchItem {
  const failed = failureOf(run, { mayFail: true });
  if (failed !== null) return failed;
  const { outcome } = run;
  if (outcome === null) return failedItem('nothing was run');
  const [printed, complaint] = [toText(outcome.stdout).text, toText(outcome.stderr).text];
  const error = { name: 'Error', value: howItEnded(outcome), traceback: complaint };
  return item(printed, {
    results: [],
    logs: logsOf(printed, complaint),
    error: outcome.kind === 'exited' && outcome.exitCode === 0 ? null : error,
    execution_count: 1,
  });
}

function item(said: string, execution: NonNullable<BatchItem['execution']>): BatchItem {
  const { error } = execution;
  if (error === null) {
    return {
      execution,
      text: said,
      exception_str: said === '' ? 'No output from execution' : null,
    };
  }
  const gap = said === '' ? '' : '\n\n';
  const text = `${said}${gap}Error: ${error.name}: ${error.value}`;
  return { execution, text, exception_str: null };
}

/** Null for a process that came to its own end. */
function failureOf(
  { fault, outcome }: RunReport,
  { mayFail = false }: { readonly mayFail?: boolean } = {},
): BatchItem | null {
  if (fault !== null) return failedItem(fault.message);
  if (outcome === null) return failedItem('the script was not run');
  // As the routers tell of a time-out.
  if (outcome.kind === 'time_limit') return failedItem('');
  if (outcome.kind === 'exited' && (mayFail || outcome.exitCode === 0)) return null;
  if (outcome.kind === 'compile_error' && mayFail) return null;
  return failedItem(howItEnded(outcome));
}

function howItEnded({ kind, exitCode, signal }: Outcome): string {
  if (kind === 'compile_error') return 'it does not compile';
  if (kind === 'exited') return `exit code ${exitCode}`;
  if (kind === 'signalled') return `ended by signal ${signal}`;
  return `it reached its ${kind.replace('_', ' ')}`;
}

function logsOf(stdout: string, stderr: string) {
  return { stdout: stdout === '' ? [] : [stdout], stderr: stderr === '' ? [] : [stderr] };
}

/** Names of the wire for what notebooks show. */
const FORMATS: Readonly<Record<string, Exclude<keyof Result, 'is_main_result'>>> = {
  'text/plain': 'text',
  'text/html': 'html',
  'text/markdown': 'markdown',
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'application/pdf': 'pdf',
  'text/latex': 'latex',
  'application/javascript': 'javascript',
};

function toResult(isResult: boolean, data: Readonly<Record<string, string>>): Result {
  const known = Object.entries(data).flatMap(([type, value]) => {
    const name = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
    return name === undefined ? [] : [[name, name === 'text' ? unquoted(value) : value] as const];
  });
  return { ...Object.fromEntries(known), is_main_result: isResult };
}

/** The repr of a string without its quotes, as E2B's server has it. */
function unquoted(text: string): string {
  const [first] = text;
  const isQuoted = text.length > 1 && (first === "'" || first === '"') && text.endsWith(first);
  return isQuoted ? text.slice(1, -1) : text;
}
