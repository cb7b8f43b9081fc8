/** A request that runs a program: to a submission, and its report to a response. Pure. */
import {
  resolveLimits,
  SUBMISSION_BOUNDS,
  netWallFor,
  type Limits,
} from '../../../domain/limits.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { ProgramSource, RunSubmission, SourceFile } from '../../../domain/submission.ts';
import {
  COMMAND_RESERVE_BYTES,
  createErrors,
  pathProblem,
  stringBytes,
  toFiles,
} from '../../native/checks.ts';
import type { Runtime } from './languages.ts';
import {
  PistonError,
  type ExecuteRequest,
  type ExecuteResponse,
  type PistonFile,
} from './schema.ts';
import { toCompileStage, toStage } from './stage.ts';

/** As Piston allows by default. */
const OPEN_FILES = 2048;

export interface Resolution {
  readonly id: string;
  readonly runtime: Runtime;
  /** The operator's. */
  readonly maxima: Limits;
}

/** Throws PistonError for files that cannot lie in a work folder, or are too large. */
export function toRunSubmission(request: ExecuteRequest, resolution: Resolution): RunSubmission {
  const { id, runtime, maxima } = resolution;
  checkCommand(request.args);
  return {
    id,
    language: runtime.id,
    environment: runtime.environment,
    program: toProgram(request.files, runtime),
    args: request.args,
    env: { PISTON_LANGUAGE: runtime.language },
    ...runLimits(request, maxima),
    seed: null,
    clock: null,
    warm: true,
    wall: null,
    labels: {},
    stdin: Buffer.from(request.stdin, 'utf8'),
    collect: [],
  };
}

/** Strings of a run fit its frame, beside the language's own. */
function checkCommand(args: readonly string[]): void {
  const most = SUBMISSION_BOUNDS.commandBytes - COMMAND_RESERVE_BYTES;
  if (stringBytes(args) > most)
    throw new PistonError(`args must be at most ${most} bytes together`);
}

/** The first utf8 file is the main one, the others lie beside it. */
export function toProgram(
  files: readonly PistonFile[],
  { mainFile }: Pick<Runtime, 'mainFile'>,
): Extract<ProgramSource, { readonly kind: 'files' }> {
  const main = files.findIndex(({ isText }) => isText);
  const named = files.map((file, i): SourceFile => {
    const { name, content } = file;
    return { path: i === main ? mainPath(name, mainFile) : name, content };
  });
  checkFiles(named);
  // Of two files of one name the last one is written last, as there.
  const byPath = new Map(named.map((file) => [file.path, file]));
  const entry = named[main]?.path;
  if (entry === undefined)
    throw new PistonError('files must include at least one utf8 encoded file');
  return { kind: 'files', entry, files: [...byPath.values()] };
}

function mainPath(name: string, mainFile: string | null): string {
  if (mainFile === null) return name;
  const extension = mainFile.slice(mainFile.lastIndexOf('.'));
  return name.endsWith(extension) ? name : mainFile;
}

function checkFiles(files: readonly SourceFile[]): void {
  for (const [i, { path }] of files.entries()) {
    const problem = pathProblem(path);
    if (problem !== null) throw new PistonError(`files[${i}].name is not accepted: ${problem}`);
  }
  const errors = createErrors();
  toFiles(Object.fromEntries(files.map(({ path }) => [path, ''])), [], errors);
  const [first] = errors.list;
  if (first !== undefined) throw new PistonError(`files: ${first.message}`);
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (bytes <= SUBMISSION_BOUNDS.programBytes) return;
  throw new PistonError(`files must be at most ${SUBMISSION_BOUNDS.programBytes} bytes together`);
}

/**
 * A time-out alone limits CPU time, and wall time a little wider: what a program may compute does not depend on how busy
 * the machine is. With a CPU limit beside it, it is wall time to the millisecond.
 */
function runLimits({ limits }: ExecuteRequest, maxima: Limits) {
  const run = timesOf(limits.run_timeout, limits.run_cpu_time);
  const compile = timesOf(limits.compile_timeout, limits.compile_cpu_time);
  const request = {
    cpuMs: atMost(run.cpuMs, maxima.cpuMs),
    wallMs: atMost(run.wallMs, maxima.wallMs),
    compileCpuMs: atMost(compile.cpuMs, maxima.compileCpuMs),
    compileWallMs: atMost(compile.wallMs, maxima.compileWallMs),
    memoryBytes: Math.min(limits.run_memory_limit ?? maxima.memoryBytes, maxima.memoryBytes),
    outputBytes: maxima.outputBytes,
    diskBytes: maxima.diskBytes,
    openFiles: Math.min(OPEN_FILES, maxima.openFiles),
  };
  return resolveLimits(request, maxima);
}

interface Times {
  readonly cpuMs: number | undefined;
  readonly wallMs: number | undefined;
}

function timesOf(timeout: number | null, cpuTime: number | null): Times {
  const wallMs = timeout ?? undefined;
  if (cpuTime !== null) return { cpuMs: cpuTime, wallMs };
  if (wallMs === undefined) return { cpuMs: undefined, wallMs };
  return { cpuMs: wallMs, wallMs: netWallFor(wallMs) };
}

/** In whole milliseconds, at least one. */
function atMost(value: number | undefined, most: number): number | undefined {
  return value === undefined ? undefined : Math.max(1, Math.ceil(Math.min(value, most)));
}

/** Null where there is a fault of ours, and so nothing to tell of the program. */
export function toRunResponse(report: RunReport, runtime: Runtime): ExecuteResponse | null {
  const { compile, outcome, fault } = report;
  if (fault !== null || outcome === null) return null;
  const { language, version } = runtime;
  if (compile === null) return { run: toStage(outcome), language, version };
  const compiled = toCompileStage(compile);
  return { run: compile.ok ? toStage(outcome) : compiled, compile: compiled, language, version };
}
