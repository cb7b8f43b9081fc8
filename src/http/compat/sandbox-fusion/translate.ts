/** From Sandbox Fusion's request to a submission, and from a report to its response. Pure. */
import { resolveLimits, SUBMISSION_BOUNDS, type Limits } from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { RunSubmission, SourceFile } from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';
import { thousandths, twelveDigits } from '../../../lib/round.ts';
import { createErrors, decodeBase64, pathProblem, toFiles } from '../../native/checks.ts';
import { bytesOf } from '../../native/to-submission.ts';
import { cutForAnswer, toText } from '../../text.ts';
import {
  DETAILS_MAX,
  languageList,
  languageMessage,
  LANGUAGES,
  type CommandRunResult,
  type DetailEntry,
  type RunCodeRequest,
  type RunCodeResponse,
} from './schema.ts';

const MIB = 1024 * 1024;
const SIGKILL = 9;
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
  | { readonly kind: 'known'; readonly language: LanguageInfo }
  /** In the wire's list, but not served here. */
  | { readonly kind: 'not_served' }
  | { readonly kind: 'unknown'; readonly detail: DetailEntry };

/** Looks a name up: as the catalog knows it, else as the wire does. */
export function chooseLanguage(
  name: string,
  lookUp: (name: string) => LanguageInfo | null,
): LanguageChoice {
  const mapped = Object.hasOwn(CATALOG_NAMES, name) ? CATALOG_NAMES[name] : undefined;
  const language = lookUp(name) ?? lookUp(mapped ?? name.toLowerCase());
  if (language !== null) return { kind: 'known', language };
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
  readonly language: LanguageInfo;
  readonly maxima: Limits;
  /** How long the client waits for its answer. */
  readonly deadlineMs: number;
}

/** A parsed request as a submission, or FastAPI's list of what is wrong with its files. */
export function toSubmission(
  request: RunCodeRequest,
  { id, language, maxima, deadlineMs }: Resolution,
): SubmissionResult {
  const details: DetailEntry[] = [];
  const files = filesOf(request, details);
  request.fetch_files.forEach((path, i) => {
    const problem = pathProblem(path);
    if (problem !== null) details.push(valueError(['body', 'fetch_files', i], problem));
  });
  if (details.length > 0) return { ok: false, details };
  const runMs = toMs(request.run_timeout);
  const compileMs = toMs(request.compile_timeout);
  const { limits, clamped } = resolveLimits(
    {
      cpuMs: runMs,
      wallMs: wallNet(runMs, { deadlineMs, mostMs: maxima.wallMs }),
      compileCpuMs: compileMs,
      compileWallMs: wallNet(compileMs, { deadlineMs, mostMs: maxima.compileWallMs }),
      memoryBytes: request.memory_limit_MB > 0 ? request.memory_limit_MB * MIB : maxima.memoryBytes,
      outputBytes: maxima.outputBytes,
      processes: maxima.processes,
      diskBytes: maxima.diskBytes,
      openFiles: Math.min(OPEN_FILES, maxima.openFiles),
    },
    maxima,
  );
  const submission: RunSubmission = {
    id,
    language: language.id,
    environment: null,
    program: { kind: 'single', code: request.code, files },
    args: [],
    env: {},
    limits,
    clamped,
    seed: null,
    warm: true,
    wall: null,
    labels: {},
    stdin: Buffer.from(request.stdin ?? '', 'utf8'),
    collect: [...new Set(request.fetch_files)],
  };
  return { ok: true, submission };
}

function filesOf(request: RunCodeRequest, details: DetailEntry[]): readonly SourceFile[] {
  const given = Object.entries(request.files).flatMap(([path, content]) =>
    content === null || path.includes(IGNORED_NAME) ? [] : [[path, { base64: content }] as const],
  );
  const errors = createErrors();
  const files = toFiles(Object.fromEntries(given), [], errors);
  const bytes = Buffer.byteLength(request.code) + bytesOf(files);
  if (bytes > SUBMISSION_BOUNDS.programBytes) {
    const most = `at most ${SUBMISSION_BOUNDS.programBytes} are taken`;
    const at = files.length > 0 ? 'files' : 'code';
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

/** A quarter of the time-out on top of it, and at most this, ms. */
const WALL_NET = { share: 0.25, mostMs: 10_000 } as const;

/**
 * The original's time-outs are wall time, so that its verdicts depend on the load of the machine. Here they are CPU
 * time, and wall time is a net for programs that sleep: a little wider, so that a program which computes on a busy host
 * is not caught in it, yet never so wide that the client gives up or a program well beyond its time passes.
 */
function wallNet(timeoutMs: number, bound: { deadlineMs: number; mostMs: number }): number {
  const wide = timeoutMs + Math.min(timeoutMs * WALL_NET.share, WALL_NET.mostMs);
  return Math.max(timeoutMs, Math.floor(Math.min(wide, bound.deadlineMs, bound.mostMs)));
}

function toSeconds(ms: number): number {
  return twelveDigits(thousandths(ms) / 1000);
}

/** The least is a millisecond. */
function toMs(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

const CLAMPED_NAMES: Readonly<Partial<Record<keyof Limits, string>>> = {
  cpuMs: 'run_timeout',
  wallMs: 'run_timeout',
  memoryBytes: 'memory_limit_MB',
  compileCpuMs: 'compile_timeout',
  compileWallMs: 'compile_timeout',
};

/** A report as their response. */
export function toResponse(report: RunReport, podName: string | null): RunCodeResponse {
  const compile = compileResult(report);
  const isCompiled =
    compile === null || (compile.status === 'Finished' && compile.return_code === 0);
  const run = isCompiled ? runResult(report.outcome) : null;
  const isFault = report.fault !== null || (isCompiled && run === null);
  const isSuccess = run !== null && run.status === 'Finished' && run.return_code === 0;
  const common = {
    compile_result: compile,
    executor_pod_name: podName,
    queue_time: toSeconds(report.phases.queueMs),
    clamped: [...new Set(report.clamped.flatMap((name) => CLAMPED_NAMES[name] ?? []))],
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
    files: Object.fromEntries(
      (report.outcome?.collected ?? [])
        .filter((file) => file.status === 'ok')
        .map((file) => [file.path, Buffer.from(file.content).toString('base64')]),
    ),
  };
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

function compileResult({ compile }: RunReport): CommandRunResult | null {
  if (compile === null) return null;
  const { ok, outcome } = compile;
  if (!ok && (outcome.kind === 'time_limit' || isTime(outcome.limit))) {
    return commandResult(outcome, { status: 'TimeLimitExceeded', return_code: null });
  }
  const code = returnCode(outcome);
  // A compiler that exits well but leaves no program has failed all the same.
  return commandResult(outcome, {
    status: 'Finished',
    return_code: ok ? 0 : code === 0 ? 1 : code,
  });
}

function runResult(outcome: Outcome | null): CommandRunResult | null {
  if (outcome === null) return null;
  switch (outcome.kind) {
    case 'time_limit':
      return commandResult(outcome, { status: 'TimeLimitExceeded', return_code: null });
    case 'memory_limit':
    case 'output_limit':
      return commandResult(outcome, { status: 'Finished', return_code: -SIGKILL });
    case 'exited':
    case 'signalled':
    case 'process_limit':
    case 'disk_limit':
      return commandResult(outcome, { status: 'Finished', return_code: returnCode(outcome) });
    case 'compile_error':
    case 'cancelled':
      return null;
  }
}

function isTime(limit: Outcome['limit']): boolean {
  return limit === 'cpu' || limit === 'wall';
}

/** The exit code, else minus the signal as Python's subprocess has it. */
function returnCode({ exitCode, signal }: Outcome): number {
  return exitCode ?? -(signal ?? SIGKILL);
}

function commandResult(
  outcome: Outcome,
  end: Pick<CommandRunResult, 'status' | 'return_code'>,
): CommandRunResult {
  const stdout = cutForAnswer(outcome.stdout);
  const stderr = cutForAnswer(outcome.stderr);
  const isCut = stdout.byteLength + stderr.byteLength < outcome.stdoutBytes + outcome.stderrBytes;
  return {
    status: end.status,
    execution_time: toSeconds(outcome.wallMs),
    return_code: end.return_code,
    stdout: toText(stdout).text,
    stderr: toText(stderr).text,
    cpu_time: toSeconds(outcome.cpuMs),
    memory_bytes: outcome.memoryBytes,
    signal: outcome.signal,
    truncated: outcome.stdoutTruncated || outcome.stderrTruncated || isCut,
    memory_limit_exceeded: outcome.kind === 'memory_limit',
    output_limit_exceeded: outcome.kind === 'output_limit',
  };
}
