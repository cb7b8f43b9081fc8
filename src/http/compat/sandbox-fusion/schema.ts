/**
 * Sandbox Fusion's `/run_code` wire as its clients send it: unknown fields are ignored, values are coerced as
 * pydantic's lax mode does, errors have FastAPI's shape. Nothing of the request's content is echoed.
 */
import { z } from 'zod';

import { SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import { readFloat, readInteger } from './number-text.ts';

/** The service's own list, in its order; a name outside it is a 422 there. */
export const LANGUAGES = [
  'python',
  'cpp',
  'nodejs',
  'go',
  'go_test',
  'java',
  'php',
  'csharp',
  'bash',
  'typescript',
  'sql',
  'rust',
  'cuda',
  'lua',
  'R',
  'perl',
  'D_ut',
  'ruby',
  'scala',
  'julia',
  'pytest',
  'junit',
  'kotlin_script',
  'jest',
  'verilog',
  'python_gpu',
  'lean',
  'swift',
  'racket',
] as const;

const DEFAULT_TIMEOUT_S = 10;

/** An issue's `params.type` is the pydantic error type that goes on the wire. */
function refuse(ctx: z.core.$RefinementCtx, type: string, message: string): never {
  ctx.issues.push({ code: 'custom', message, params: { type }, input: undefined });
  return z.NEVER;
}

/** Numbers, numeric strings and booleans. */
const laxFloat = (fallback: number) =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): number => {
      if (value === undefined) return fallback;
      if (typeof value === 'number') return value;
      if (typeof value === 'boolean') return Number(value);
      if (typeof value !== 'string')
        return refuse(ctx, 'float_type', 'Input should be a valid number');
      return (
        readFloat(value) ??
        refuse(
          ctx,
          'float_parsing',
          'Input should be a valid number, unable to parse string as a number',
        )
      );
    });

/**
 * A time limit in seconds. Zero and less, which the original takes for a limit that every program exceeds, would be a
 * reward of 0 for a slip of the caller's.
 */
const timeout = laxFloat(DEFAULT_TIMEOUT_S).transform((value, ctx): number =>
  value > 0 ? value : refuse(ctx, 'greater_than', 'Input should be greater than 0'),
);

/** Integers, numbers without a fraction, strings of either, and booleans. */
const laxInt = (fallback: number) =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): number => {
      if (value === undefined) return fallback;
      if (typeof value === 'boolean') return Number(value);
      if (typeof value === 'string') {
        return (
          readInteger(value) ??
          refuse(
            ctx,
            'int_parsing',
            'Input should be a valid integer, unable to parse string as an integer',
          )
        );
      }
      if (typeof value !== 'number')
        return refuse(ctx, 'int_type', 'Input should be a valid integer');
      if (Number.isInteger(value)) return value;
      return refuse(
        ctx,
        'int_from_float',
        'Input should be a valid integer, got a number with a fractional part',
      );
    });

const strictString = z
  .unknown()
  .optional()
  .transform((value, ctx): string => {
    if (typeof value === 'string') return value;
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    return refuse(ctx, 'string_type', 'Input should be a valid string');
  });

/** A string or null. */
const optionalString = z
  .unknown()
  .optional()
  .transform((value, ctx): string | null => {
    if (value === undefined || value === null) return null;
    return typeof value === 'string'
      ? value
      : refuse(ctx, 'string_type', 'Input should be a valid string');
  });

/** A name, not yet looked up; absent means python, as verl's tutorial tool expects. */
const language = z
  .unknown()
  .optional()
  .transform((value, ctx): string => {
    if (value === undefined || value === null) return 'python';
    return typeof value === 'string' ? value : refuse(ctx, 'literal_error', languageMessage());
  });

/** Details told at once. */
export const DETAILS_MAX = 20;

const files = z
  .unknown()
  .optional()
  .transform((value, ctx): Readonly<Record<string, string | null>> => {
    if (value === undefined) return {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse(ctx, 'dict_type', 'Input should be a valid dictionary');
    }
    const entries = Object.entries(value);
    for (const [name, content] of entries) {
      if (content === null || typeof content === 'string') continue;
      if (ctx.issues.length >= DETAILS_MAX) break;
      ctx.issues.push({
        code: 'custom',
        message: 'Input should be a valid string',
        params: { type: 'string_type' },
        path: [name],
        input: undefined,
      });
    }
    return Object.fromEntries(entries) as Record<string, string | null>; // every other value has just been refused
  });

const paths = z
  .unknown()
  .optional()
  .transform((value, ctx): readonly string[] => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return refuse(ctx, 'list_type', 'Input should be a valid list');
    if (!value.every((each) => typeof each === 'string'))
      return refuse(ctx, 'string_type', 'Input should be a valid string');
    const most = SUBMISSION_BOUNDS.collect;
    if (value.length <= most) return value;
    const message = `List should have at most ${most} items after validation, not ${value.length}`;
    return refuse(ctx, 'too_long', message);
  });

export const RunCodeRequest = z.looseObject({
  compile_timeout: timeout,
  run_timeout: timeout,
  memory_limit_MB: laxInt(-1),
  code: strictString,
  stdin: optionalString,
  language,
  files,
  fetch_files: paths,
});
export type RunCodeRequest = z.infer<typeof RunCodeRequest>;

/** The text of pydantic's literal error. */
export function languageMessage(): string {
  return `Input should be ${languageList()}`;
}

/** `'python', 'cpp', … or 'racket'`. */
export function languageList(): string {
  const quoted = LANGUAGES.map((name) => `'${name}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** One entry of FastAPI's `detail` list. `input` is always null: a program is not echoed. */
export interface DetailEntry {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: null;
  readonly ctx?: Readonly<Record<string, string>>;
}

export interface CommandRunResult {
  readonly status: 'Finished' | 'Error' | 'TimeLimitExceeded';
  /** Seconds of wall time. */
  readonly execution_time: number | null;
  /** Negative: the number of the signal that ended it. */
  readonly return_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Fields of ours from here on; clients ignore what they do not know. Seconds of CPU time. */
  readonly cpu_time: number;
  readonly memory_bytes: number | null;
  readonly signal: number | null;
  /** Whether stdout or stderr lacks bytes that were written. */
  readonly truncated: boolean;
  readonly memory_limit_exceeded: boolean;
  readonly output_limit_exceeded: boolean;
}

export interface RunCodeResponse {
  readonly status: 'Success' | 'Failed' | 'SandboxError';
  readonly message: string;
  readonly compile_result: CommandRunResult | null;
  readonly run_result: CommandRunResult | null;
  readonly executor_pod_name: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** Ours: seconds waited for a slot; null if it never got one. */
  readonly queue_time: number | null;
  /** Ours: limits that were lowered to the operator's maxima, e.g. `run_timeout`. */
  readonly clamped: readonly string[];
}
