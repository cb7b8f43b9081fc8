/**
 * Piston v2's `/execute` as its clients send it: unknown fields are ignored, and what is wrong is told in Piston's words,
 * the first thing in Piston's order. Nothing of a program is echoed. Pure.
 */
import { Rejection } from '../../../domain/errors.ts';
import { SUBMISSION_BOUNDS, type Limits } from '../../../domain/limits.ts';

/** What is wrong with a request: 400 with this message. */
export class PistonError extends Rejection {
  constructor(message: string) {
    super('invalid', { detail: message });
    this.name = 'PistonError';
  }
}

export interface PistonFile {
  /** Relative to the work folder, normalised. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Whether its encoding is utf8: only such files are programs. */
  readonly isText: boolean;
}

/** Milliseconds and bytes; null for what was not asked for, infinity for no limit. */
type PistonLimits = Readonly<Record<LimitField, number | null>>;

export interface ExecuteRequest {
  readonly language: string;
  /** A semver selector. */
  readonly version: string;
  /** At most `SUBMISSION_BOUNDS.files`. */
  readonly files: readonly PistonFile[];
  /** Ends with a line feed, as Piston sees to it. */
  readonly stdin: string;
  readonly args: readonly string[];
  readonly limits: PistonLimits;
}

type LimitField = `${'compile' | 'run'}_${'memory_limit' | 'timeout' | 'cpu_time'}`;

/** What Piston calls its configured limits: here the operator's maxima. */
const CONFIGURED: Readonly<Record<LimitField, keyof Limits>> = {
  compile_memory_limit: 'memoryBytes',
  run_memory_limit: 'memoryBytes',
  compile_timeout: 'compileWallMs',
  run_timeout: 'wallMs',
  compile_cpu_time: 'compileCpuMs',
  run_cpu_time: 'cpuMs',
};

/** The names that a request is looked up by, or what is wrong with it. Throws PistonError. */
export function parseTarget(
  body: unknown,
): Pick<ExecuteRequest, 'language' | 'version'> & { readonly files: readonly RawFile[] } {
  const { language, version, files } = fieldsOf(body);
  if (typeof language !== 'string' || language === '')
    throw new PistonError('language is required as a string');
  if (typeof version !== 'string' || version === '')
    throw new PistonError('version is required as a string');
  if (!Array.isArray(files)) throw new PistonError('files is required as an array');
  if (files.length > SUBMISSION_BOUNDS.files)
    throw new PistonError(`files must be at most ${SUBMISSION_BOUNDS.files}`);
  return { language, version, files: files.map(toRawFile) };
}

export interface RawFile {
  readonly name: unknown;
  readonly content: string;
  readonly encoding: unknown;
}

function toRawFile(file: unknown, i: number): RawFile {
  const { name, content, encoding } = fieldsOf(file);
  if (typeof content !== 'string')
    throw new PistonError(`files[${i}].content is required as a string`);
  return { name, content, encoding };
}

/** The rest of the request, once its runtime is known. Throws PistonError. */
export function parseRest(
  body: unknown,
  rawFiles: readonly RawFile[],
  maxima: Limits,
): Pick<ExecuteRequest, 'files' | 'stdin' | 'args' | 'limits'> {
  const fields = fieldsOf(body);
  // An unknown encoding is written as utf8, and yet no program.
  if (!rawFiles.some(({ encoding }) => isText(encoding)))
    throw new PistonError('files must include at least one utf8 encoded file');
  const limits = limitsOf(fields, maxima);
  return {
    files: rawFiles.map((file, i) => toFile(file, i)),
    stdin: withLineFeed(fields['stdin']),
    args: argsOf(fields['args']),
    limits,
  };
}

function limitsOf(fields: Readonly<Record<string, unknown>>, maxima: Limits): PistonLimits {
  const read = (name: LimitField): number | null => {
    const value = fields[name];
    if (value === undefined || value === null || value === false || value === '') return null;
    if (typeof value !== 'number') throw new PistonError(`If specified, ${name} must be a number`);
    // Piston hands 0 on to a sandbox that reads it as "no limit", and a negative memory limit, too.
    if (value === 0) return Number.POSITIVE_INFINITY;
    if (value < 0 && name.endsWith('_memory_limit')) return Number.POSITIVE_INFINITY;
    const most = maxima[CONFIGURED[name]];
    if (value > most)
      throw new PistonError(`${name} cannot exceed the configured limit of ${most}`);
    if (value < 0) throw new PistonError(`${name} must be non-negative`);
    return value;
  };
  // In Piston's order: the first that is wrong is told.
  return {
    compile_memory_limit: read('compile_memory_limit'),
    run_memory_limit: read('run_memory_limit'),
    compile_timeout: read('compile_timeout'),
    run_timeout: read('run_timeout'),
    compile_cpu_time: read('compile_cpu_time'),
    run_cpu_time: read('run_cpu_time'),
  };
}

function isText(encoding: unknown): boolean {
  return encoding === undefined || encoding === null || encoding === '' || encoding === 'utf8';
}

function toFile({ name, content, encoding }: RawFile, i: number): PistonFile {
  const isCoded = encoding === 'base64' || encoding === 'hex';
  const given = typeof name === 'string' && name !== '' ? name : `file${i}.code`;
  return {
    name: normalise(given),
    content: Buffer.from(content, isCoded ? encoding : 'utf8'),
    isText: isText(encoding),
  };
}

/** As Piston joins it to its folder: `./a//b` and `/a/b` are `a/b`. Ways out are left to be refused. */
function normalise(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}

function withLineFeed(stdin: unknown): string {
  const text = typeof stdin === 'string' ? stdin : '';
  return text.endsWith('\n') ? text : `${text}\n`;
}

function argsOf(args: unknown): readonly string[] {
  if (args === undefined || args === null) return [];
  if (!Array.isArray(args)) throw new PistonError('args must be an array');
  const texts = args.map((arg: unknown) => {
    if (typeof arg === 'string') return arg;
    if (typeof arg === 'number' || typeof arg === 'boolean') return String(arg);
    throw new PistonError('args must be an array of strings');
  });
  if (texts.length > SUBMISSION_BOUNDS.args)
    throw new PistonError(`args must be at most ${SUBMISSION_BOUNDS.args}`);
  if (texts.some((arg) => arg.includes('\0'))) throw new PistonError('args must not hold NUL');
  return texts;
}

/** A body that is no object has no fields, which then are required. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object by now
  return isObject ? (body as Record<string, unknown>) : {};
}

/** How a stage ended. */
export interface Stage {
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly message: string | null;
  readonly status: 'RE' | 'SG' | 'TO' | 'OL' | 'EL' | 'XX' | null;
  /** Bytes at the peak, where this host measures it. */
  readonly memory: number | null;
  /** Milliseconds. */
  readonly cpu_time: number;
  readonly wall_time: number;
}

export interface ExecuteResponse {
  readonly run: Stage;
  readonly compile?: Stage;
  readonly language: string;
  readonly version: string;
}
