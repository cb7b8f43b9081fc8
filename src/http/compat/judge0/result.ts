/** From a report to what Judge0 tells of a submission. Pure. */
import type { Outcome } from '../../../domain/outcome.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import { toText } from '../../text.ts';
import { STATUSES } from './schema.ts';

export const STATUS = {
  queued: 1,
  processing: 2,
  accepted: 3,
  wrongAnswer: 4,
  timeLimit: 5,
  compileError: 6,
  segv: 7,
  xfsz: 8,
  fpe: 9,
  abrt: 10,
  nonZero: 11,
  other: 12,
  internal: 13,
} as const;

/** What there is to tell; null for what does not apply. */
export interface Result {
  readonly status: number;
  /** Seconds, with milliseconds. */
  readonly time: string | null;
  readonly wallTime: string | null;
  readonly memoryKb: number | null;
  readonly stdout: Uint8Array | null;
  readonly stderr: Uint8Array | null;
  readonly compileOutput: Uint8Array | null;
  readonly message: string | null;
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
}

export const EMPTY: Omit<Result, 'status'> = {
  time: null,
  wallTime: null,
  memoryKb: null,
  stdout: null,
  stderr: null,
  compileOutput: null,
  message: null,
  exitCode: null,
  exitSignal: null,
};

/** A fault, after every try. */
export function internalError(message: string): Result {
  return { ...EMPTY, status: STATUS.internal, message };
}

/** The report of one case. `isCompared`: whether there was an output to expect. */
export function toResult(report: JudgeReport, isCompared: boolean): Result {
  const { fault, compile, cases } = report;
  if (fault !== null) return internalError(fault.message);
  if (compile !== null && !compile.ok) {
    const output = Buffer.concat([compile.outcome.stdout, compile.outcome.stderr]);
    return { ...EMPTY, status: STATUS.compileError, compileOutput: filled(output) };
  }
  const [judged] = cases;
  const outcome = judged?.outcome;
  if (outcome === undefined || outcome === null) return internalError('nothing was run');
  const { status, message } = endOf(outcome);
  const isWrong = isCompared && judged?.verdict !== 'accepted';
  return {
    status: status === STATUS.accepted && isWrong ? STATUS.wrongAnswer : status,
    message,
    time: (outcome.cpuMs / 1000).toFixed(3),
    wallTime: (outcome.wallMs / 1000).toFixed(3),
    memoryKb: outcome.memoryBytes === null ? null : Math.round(outcome.memoryBytes / 1024),
    stdout: filled(outcome.stdout),
    stderr: filled(outcome.stderr),
    compileOutput: compile === null ? null : filled(compile.outcome.stderr),
    exitCode: outcome.exitCode,
    exitSignal: outcome.signal,
  };
}

function filled(bytes: Uint8Array): Uint8Array | null {
  return bytes.byteLength === 0 ? null : bytes;
}

const SIGNALS: Readonly<Record<number, number>> = {
  6: STATUS.abrt,
  8: STATUS.fpe,
  11: STATUS.segv,
  25: STATUS.xfsz,
};

/** Its order: time, signal, exit code; only what ended well is compared. */
function endOf({ kind, exitCode, signal, limit }: Outcome): {
  readonly status: number;
  readonly message: string | null;
} {
  switch (kind) {
    case 'exited':
      if (exitCode === 0) return { status: STATUS.accepted, message: null };
      return { status: STATUS.nonZero, message: `Exited with error status ${exitCode}` };
    case 'signalled': {
      const status = SIGNALS[signal ?? 0] ?? STATUS.other;
      return { status, message: `Caught fatal signal ${signal}` };
    }
    case 'time_limit': {
      const clock = limit === 'wall' ? ' (wall clock)' : '';
      return { status: STATUS.timeLimit, message: `Time limit exceeded${clock}` };
    }
    case 'memory_limit':
      return { status: STATUS.other, message: 'Memory limit exceeded' };
    case 'output_limit':
    case 'disk_limit':
      return { status: STATUS.xfsz, message: 'File size limit exceeded' };
    case 'process_limit':
      return { status: STATUS.other, message: 'Limit of processes and threads reached' };
    case 'compile_error':
    case 'cancelled':
      return { status: STATUS.internal, message: 'the run was given up' };
  }
}

/** Fields that a caller gets who names none. */
const DEFAULT_FIELDS = [
  'stdout',
  'time',
  'memory',
  'stderr',
  'token',
  'compile_output',
  'message',
  'status',
] as const;

/** What is kept of a submission: not its program and its tests. */
const FIELDS = [
  ...DEFAULT_FIELDS,
  'status_id',
  'wall_time',
  'exit_code',
  'exit_signal',
  'language_id',
  'created_at',
  'finished_at',
] as const;
export type Field = (typeof FIELDS)[number];

export type FieldChoice =
  | { readonly ok: true; readonly fields: readonly Field[] }
  | { readonly ok: false; readonly unknown: readonly string[] };

/** The fields of a query, `*` for all that there are. */
export function chooseFields(query: string | undefined): FieldChoice {
  if (query === undefined || query === '') return { ok: true, fields: DEFAULT_FIELDS };
  const names = query.split(',').map((name) => name.trim());
  if (names.includes('*')) return { ok: true, fields: FIELDS };
  const fields = FIELDS.filter((name) => names.includes(name));
  const unknown = names.filter((name) => !(FIELDS as readonly string[]).includes(name));
  return unknown.length === 0 ? { ok: true, fields } : { ok: false, unknown };
}

/** A submission and how far it is. */
export interface Submitted {
  readonly token: string;
  readonly languageId: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly result: Result;
}

interface Shown {
  readonly fields: readonly Field[];
  readonly base64: boolean;
}

/** As the caller wants it. Text that is no UTF-8 has replacement characters, unless it goes as base64. */
export function toAnswer(submitted: Submitted, { fields, base64 }: Shown): object {
  const { token, languageId, createdAt, finishedAt, result } = submitted;
  const asText = (bytes: Uint8Array | null): string | null => {
    if (bytes === null) return null;
    return base64 ? Buffer.from(bytes).toString('base64') : toText(bytes).text;
  };
  const all: Readonly<Record<Field, unknown>> = {
    token,
    stdout: asText(result.stdout),
    stderr: asText(result.stderr),
    compile_output: asText(result.compileOutput),
    message: result.message === null ? null : asText(Buffer.from(result.message)),
    time: result.time,
    memory: result.memoryKb,
    status: { id: result.status, description: STATUSES[result.status - 1] },
    status_id: result.status,
    wall_time: result.wallTime,
    exit_code: result.exitCode,
    exit_signal: result.exitSignal,
    language_id: languageId,
    created_at: createdAt,
    finished_at: finishedAt,
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}
