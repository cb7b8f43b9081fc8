/** From Sandbox Fusion's request to a submission, and from a report to its response. Pure. */
import {
  resolveLimits,
  SUBMISSION_BOUNDS,
  type ClampedLimits,
  type Limits,
  netWallFor,
} from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import type { RunReport } from '../../../domain/report.ts';
import { PLAIN, type RunSubmission, type SourceFile } from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';
import { createErrors, decodeBase64, pathProblem, toFiles } from '../../native/checks.ts';
import { bytesOf } from '../../native/to-submission.ts';
import { compileResult, runResult, toSeconds } from './command-result.ts';
import { DETAILS_MAX } from './lax.ts';
import {
  languageList,
  languageMessage,
  LANGUAGES,
  type DetailEntry,
  type RunCodeRequest,
  type RunCodeResponse,
} from './schema.ts';

const MIB = 1024 * 1024;
/** As a login shell gives; the wire has no field for it. */
const OPEN_FILES = 1024;
/** Files whose names contain it are skipped, as there. */
const IGNORED_NAME = 'IGNORE_THIS_FILE';

/** Names of the wire that the catalog knows by another. */
const CATALOG_NAMES: Readonly<Record<string, string>> = { nodejs: 'javascript' };
/** The other way round. */
export const WIRE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CATALOG_NAMES).map(([wire, catalog]) => [catalog, wire]),
);

export type LanguageChoice =
  /** `name` is how the service knows it, with the environment that it may mean. */
  | { readonly kind: 'known'; readonly language: LanguageInfo; readonly name: string }
  /** In the wire's list, but not served here. */
  | { readonly kind: 'not_served' }
  | { readonly kind: 'unknown'; readonly detail: DetailEntry };

/** Looks a name up: as the catalog knows it, else as the wire does. */
export function chooseLanguage(
  name: string,
  lookUp: (name: string) => LanguageInfo | null,
): LanguageChoice {
  const mapped = Object.hasOwn(CATALOG_NAMES, name) ? CATALOG_NAMES[name] : undefined;
  for (const each of [name, mapped ?? name.toLowerCase()]) {
    const language = lookUp(each);
    if (language !== null) return { kind: 'known', language, name: each };
  }
  if ((LANGUAGES as readonly string[]).includes(name)) return { kind: 'not_served' };
  const ctx = { expected: languageList() };
  const detail = {
    type: 'literal_error',
    loc: ['body', 'language'],
    msg: languageMessage(),
    input: null,
    ctx,
  };
  return { kind: 'unknown', detail };
}

export type SubmissionResult =
  | { readonly ok: true; readonly submission: RunSubmission }
  | { readonly ok: false; readonly details: readonly DetailEntry[] };

interface Resolution {
  readonly id: string;
  /** A name that the service knows. */
  readonly language: string;
  readonly maxima: Limits;
  /** How long the client waits for its answer. */
  readonly deadlineMs: number;
}

/** A parsed request as a submission, or FastAPI's list of what is wrong with its files. */
export function toSubmission(
  request: RunCodeRequest,
  { id, language, maxima, deadlineMs }: Resolution,
): SubmissionResult {
  const { code, run_timeout: runS, compile_timeout: compileS, memory_limit_MB: memoryMb } = request;
  const { files, details } = checkedFiles(request, { field: 'code', texts: [code] });
  if (details.length > 0) return { ok: false, details };
  const submission: RunSubmission = {
    ...PLAIN,
    id,
    language,
    program: { kind: 'single', code, files },
    ...toLimits({ runS, compileS, memoryMb }, { maxima, deadlineMs }),
    stdin: Buffer.from(request.stdin ?? '', 'utf8'),
    collect: [...new Set(request.fetch_files)],
  };
  return { ok: true, submission };
}

interface Asked {
  /** Seconds. */
  readonly runS: number;
  readonly compileS: number;
  /** MiB; 0 and less for the most. */
  readonly memoryMb: number;
}

/** The limits in force. */
export function toLimits(
  { runS, compileS, memoryMb }: Asked,
  { maxima, deadlineMs }: Pick<Resolution, 'maxima' | 'deadlineMs'>,
): ClampedLimits {
  const runMs = toMs(runS);
  const compileMs = toMs(compileS);
  return resolveLimits(
    {
      cpuMs: runMs,
      wallMs: boundedWall(runMs, { deadlineMs, mostMs: maxima.wallMs }),
      compileCpuMs: compileMs,
      compileWallMs: boundedWall(compileMs, { deadlineMs, mostMs: maxima.compileWallMs }),
      memoryBytes: memoryMb > 0 ? memoryMb * MIB : maxima.memoryBytes,
      outputBytes: maxima.outputBytes,
      processes: maxima.processes,
      diskBytes: maxima.diskBytes,
      openFiles: Math.min(OPEN_FILES, maxima.openFiles),
    },
    maxima,
  );
}

/** The files of a request, and FastAPI's list of what is wrong with them, with the paths to fetch, and with their size. */
export function checkedFiles(
  request: Pick<RunCodeRequest, 'files' | 'fetch_files'>,
  program: { readonly field: string; readonly texts: readonly string[] },
): { readonly files: readonly SourceFile[]; readonly details: readonly DetailEntry[] } {
  const details: DetailEntry[] = [];
  const files = filesOf(request.files, program, details);
  request.fetch_files.forEach((path, i) => {
    const problem = pathProblem(path);
    if (problem !== null) details.push(valueError(['body', 'fetch_files', i], problem));
  });
  return { files, details };
}

function filesOf(
  all: RunCodeRequest['files'],
  { field, texts }: { readonly field: string; readonly texts: readonly string[] },
  details: DetailEntry[],
): readonly SourceFile[] {
  const given = Object.entries(all).flatMap(([path, content]) =>
    content === null || path.includes(IGNORED_NAME) ? [] : [[path, { base64: content }] as const],
  );
  const errors = createErrors();
  const files = toFiles(Object.fromEntries(given), [], errors);
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bytes = textBytes + bytesOf(files);
  if (bytes > SUBMISSION_BOUNDS.programBytes) {
    const most = `at most ${SUBMISSION_BOUNDS.programBytes} are taken`;
    const at = files.length > 0 ? 'files' : field;
    const problem = `the code with its files is ${bytes} bytes, ${most}`;
    details.push(valueError(['body', at], problem));
  }
  for (const [path, { base64 }] of given) {
    if (details.length >= DETAILS_MAX) break;
    if (decodeBase64(base64) === null)
      details.push(valueError(['body', 'files', path], 'is not valid base64'));
    const problem = pathProblem(path);
    if (problem !== null) details.push(valueError(['body', 'files', path], problem));
  }
  if (details.length === 0 && errors.list.length > 0) {
    const message = errors.list[0]?.message ?? 'is not valid';
    details.push(valueError(['body', 'files'], message));
  }
  return files;
}

function valueError(loc: readonly (string | number)[], problem: string): DetailEntry {
  return {
    type: 'value_error',
    loc: loc.map(shorten),
    msg: `Value error, ${problem}`,
    input: null,
  };
}

function shorten(part: string | number): string | number {
  return typeof part === 'string' ? part.slice(0, 256) : part;
}

/**
 * The original's time-outs are wall time, so that its verdicts depend on the load of the machine. Here they are CPU
 * time, and wall time is a net for programs that sleep: a little wider, so that a program which computes on a busy host
 * is not caught in it, yet never so wide that the client gives up or a program well beyond its time passes.
 */
function boundedWall(timeoutMs: number, bound: { deadlineMs: number; mostMs: number }): number {
  const wide = netWallFor(timeoutMs);
  return Math.max(timeoutMs, Math.floor(Math.min(wide, bound.deadlineMs, bound.mostMs)));
}

/** The least is a millisecond. */
function toMs(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/** What a wire calls its time limits; null for one that it does not have. */
interface TimeoutNames {
  readonly run: string;
  readonly compile: string | null;
}

/** Fields of a request that were lowered to the operator's maxima. */
export function clampedNames(
  clamped: readonly (keyof Limits)[],
  { run, compile }: TimeoutNames,
): readonly string[] {
  const names: Partial<Record<keyof Limits, string | null>> = {
    cpuMs: run,
    wallMs: run,
    memoryBytes: 'memory_limit_MB',
    compileCpuMs: compile,
    compileWallMs: compile,
  };
  return [...new Set(clamped.flatMap((name) => names[name] ?? []))];
}

/** A report as their response. */
export function toResponse(report: RunReport, podName: string | null): RunCodeResponse {
  const compile = compileResult(report.compile);
  const isCompiled =
    compile === null || (compile.status === 'Finished' && compile.return_code === 0);
  const run = isCompiled ? runResult(report.outcome) : null;
  const isFault = report.fault !== null || (isCompiled && run === null);
  const isSuccess = run !== null && run.status === 'Finished' && run.return_code === 0;
  const common = {
    compile_result: compile,
    executor_pod_name: podName,
    queue_time: toSeconds(report.phases.queueMs),
    clamped: clampedNames(report.clamped, { run: 'run_timeout', compile: 'compile_timeout' }),
  };
  if (isFault) {
    return {
      status: 'SandboxError',
      message: report.fault?.message ?? 'the run was cancelled',
      ...common,
      run_result: null,
      files: {},
    };
  }
  return {
    status: isSuccess ? 'Success' : 'Failed',
    message: '',
    ...common,
    run_result: run,
    files: collectedFiles(report.outcome),
  };
}

/** The files that were asked for and are there, by path, in base64. */
export function collectedFiles(outcome: Outcome | null): Readonly<Record<string, string>> {
  const found = (outcome?.collected ?? []).filter(({ status }) => status === 'ok');
  return Object.fromEntries(
    found.map(({ path, content }) => [path, Buffer.from(content).toString('base64')]),
  );
}

/** The answer where nothing was run: a fault of ours or a language that is not served. */
export function sandboxError(message: string, podName: string | null): RunCodeResponse {
  return {
    status: 'SandboxError',
    message,
    compile_result: null,
    run_result: null,
    executor_pod_name: podName,
    files: {},
    queue_time: null,
    clamped: [],
  };
}
