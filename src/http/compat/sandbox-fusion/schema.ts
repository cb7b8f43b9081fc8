/**
 * Sandbox Fusion's `/run_code` wire as its clients send it: unknown fields are ignored, values are coerced as
 * pydantic's lax mode does, errors have FastAPI's shape. Nothing of the request's content is echoed.
 */
import { z } from 'zod';

import { files, laxInt, optionalString, paths, refuse, strictString, timeout } from './lax.ts';

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

/** A name, not yet looked up; absent means python, as verl's tutorial tool expects. */
const language = z
  .unknown()
  .optional()
  .transform((value, ctx): string => {
    if (value === undefined || value === null) return 'python';
    return typeof value === 'string' ? value : refuse(ctx, 'literal_error', languageMessage());
  });

export const RunCodeRequest = z.looseObject({
  compile_timeout: timeout(DEFAULT_TIMEOUT_S),
  run_timeout: timeout(DEFAULT_TIMEOUT_S),
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
