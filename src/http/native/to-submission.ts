/** From the native wire to the domain: what every submission has, and the plain run. Pure; throws Rejection `invalid`. */
import {
  resolveLimits,
  SUBMISSION_BOUNDS,
  type Limits,
  type LimitsRequest,
} from '../../domain/limits.ts';
import {
  DEFAULT_EXTRACT,
  type ProgramSource,
  type RunSubmission,
  type SourceFile,
  type Submission,
} from '../../domain/submission.ts';
import {
  checkArgs,
  checkEnv,
  checkId,
  checkLabels,
  COMMAND_RESERVE_BYTES,
  createErrors,
  pathProblem,
  stringBytes,
  toBytes,
  toFiles,
  type Errors,
} from './checks.ts';
import type { JudgeRequest } from './schema/judge.ts';
import type { LimitsRequest as LimitsWire, RunRequest } from './schema/submission.ts';
import { invalid } from './validation.ts';

const MIB = 1024 * 1024;

export interface Resolution {
  /** The operator's maxima. */
  readonly maxima: Limits;
  /** The id to use where the request has none. */
  readonly id: string;
  /** Limits in place of the defaults, where the request has none. */
  readonly base?: LimitsRequest;
}

/** A parsed run request as a submission. Throws Rejection `invalid` naming every wrong place. */
export function toSubmission(wire: RunRequest, resolution: Resolution): RunSubmission {
  const errors = createErrors();
  const submission = commonOf(wire, resolution, errors);
  wire.collect.forEach((path, i) => {
    const problem = pathProblem(path);
    if (problem !== null) errors.add(['collect', i], problem);
  });
  const stdin = toBytes(wire.stdin, ['stdin'], errors);
  checkCommand(commandBytesOf(wire) + stringBytes(wire.collect), ['args'], errors);
  if (errors.list.length > 0) throw invalid(errors.list);
  return { ...submission, stdin, collect: wire.collect };
}

/** What all submissions have. Adds errors and still returns a value; the caller throws. */
export function commonOf(
  wire: RunRequest | JudgeRequest,
  { maxima, id, base = {} }: Resolution,
  errors: Errors,
): Submission {
  checkId(wire.id, ['id'], errors);
  checkArgs(wire.args, ['args'], errors);
  checkEnv(wire.env, errors);
  checkLabels(wire.labels, errors);
  const program = programOf(wire, errors);
  return {
    id: wire.id ?? id,
    language: wire.language,
    environment: wire.environment ?? null,
    program,
    args: wire.args,
    env: wire.env,
    ...resolveLimits(toLimitsRequest(wire.limits), maxima, base),
    seed: wire.seed ?? null,
    clock: wire.clock === undefined ? null : Date.parse(wire.clock),
    // What is kept warm has drawn its seeds and read its clock already.
    warm: wire.warm && wire.seed === undefined && wire.clock === undefined,
    wall: wire.wall ?? null,
    labels: wire.labels,
  };
}

function programOf(wire: RunRequest | JudgeRequest, errors: Errors): ProgramSource {
  const files = toFiles(wire.files ?? {}, ['files'], errors);
  const text = wire.code ?? wire.completion ?? '';
  checkProgramBytes(Buffer.byteLength(text) + bytesOf(files), errors);
  const outputs = 'outputs' in wire ? wire.outputs : undefined;
  const given = [wire.code, wire.completion, wire.entry, outputs].filter(
    (each) => each !== undefined,
  ).length;
  if (given !== 1) {
    const message =
      given === 0 && wire.files !== undefined
        ? 'the main file among `files` is required'
        : ONE_PROGRAM;
    errors.add(given === 0 && wire.files !== undefined ? ['entry'] : [], message);
  }
  if (outputs !== undefined && wire.files !== undefined)
    errors.add(['files'], 'outputs have no files beside them');
  if (wire.extract !== undefined && wire.completion === undefined) {
    errors.add(['extract'], 'only a completion is extracted from');
  }
  if (wire.completion !== undefined) {
    const extract =
      wire.extract === undefined
        ? DEFAULT_EXTRACT
        : {
            pick: wire.extract.pick,
            languageMatch: wire.extract.language_match,
            stripThinking: wire.extract.strip_thinking,
          };
    return { kind: 'completion', text: wire.completion, extract, files };
  }
  if (outputs !== undefined) return { kind: 'outputs', files: toOutputs(outputs, errors) };
  if (wire.entry === undefined) return { kind: 'single', code: wire.code ?? '', files };
  const problem = pathProblem(wire.entry);
  if (problem !== null) errors.add(['entry'], problem);
  else if (!files.some((file) => file.path === wire.entry))
    errors.add(['entry'], 'is not among `files`');
  return { kind: 'files', entry: wire.entry, files };
}

/** Case ids stand in the place of paths; which there are is checked with the cases. */
function toOutputs(
  outputs: NonNullable<JudgeRequest['outputs']>,
  errors: Errors,
): readonly SourceFile[] {
  const files = Object.entries(outputs).map(([path, file]) => ({
    path,
    content: toBytes(file, ['outputs', path], errors),
  }));
  checkProgramBytes(bytesOf(files), errors);
  return files;
}

const ONE_PROGRAM = 'give exactly one of `code`, `completion`, or `files` with `entry`';

/** Program and files together fit `programBytes`. */
export function checkProgramBytes(bytes: number, errors: Errors): void {
  if (bytes <= SUBMISSION_BOUNDS.programBytes) return;
  errors.add(
    [],
    `the program with its files is ${bytes} bytes, at most ${SUBMISSION_BOUNDS.programBytes} are taken`,
  );
}

export function bytesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, file) => sum + file.content.byteLength, 0);
}

/** Bytes of the strings that every run of this submission gets from the caller. */
export function commandBytesOf(wire: RunRequest | JudgeRequest): number {
  return (
    stringBytes(wire.args) +
    stringBytes(Object.entries(wire.env).map(([name, value]) => `${name}=${value}`))
  );
}

/** The strings of a run fit its frame, beside the language's own. */
export function checkCommand(bytes: number, at: readonly PropertyKey[], errors: Errors): void {
  const max = SUBMISSION_BOUNDS.commandBytes - COMMAND_RESERVE_BYTES;
  if (bytes > max)
    errors.add(
      at,
      `args, env and paths of a run are ${bytes} bytes together, at most ${max} are taken`,
    );
}

/** Units of the wire (ms, MiB, KiB) to those of the domain (ms, bytes). */
export function toLimitsRequest(wire: LimitsWire): LimitsRequest {
  return {
    cpuMs: wire.cpu_ms,
    wallMs: wire.wall_ms,
    memoryBytes: times(wire.memory_mb, MIB),
    outputBytes: times(wire.output_kb, 1024),
    processes: wire.processes,
    diskBytes: times(wire.disk_mb, MIB),
    openFiles: wire.files,
    compileCpuMs: wire.compile_cpu_ms,
    compileWallMs: wire.compile_wall_ms,
  };
}

function times(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : value * unit;
}
