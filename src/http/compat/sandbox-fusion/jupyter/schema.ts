/** The wire of `/run_jupyter`, as its clients send and read it. */
import { z } from 'zod';

import { SUBMISSION_BOUNDS } from '../../../../domain/limits.ts';
import { DETAILS_MAX, files, laxFloat, laxInt, paths, refuse, timeout } from '../lax.ts';
import type { CommandRunResult } from '../schema.ts';

const DEFAULT_TOTAL_S = 45;

const cells = z
  .unknown()
  .optional()
  .transform((value, ctx): readonly string[] => {
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    if (!Array.isArray(value)) return refuse(ctx, 'list_type', 'Input should be a valid list');
    const list: readonly unknown[] = value;
    const most = SUBMISSION_BOUNDS.cells;
    if (list.length > most)
      return refuse(
        ctx,
        'too_long',
        `List should have at most ${most} items after validation, not ${list.length}`,
      );
    return list.map((each, at): string => {
      if (typeof each === 'string') return each;
      if (ctx.issues.length < DETAILS_MAX)
        ctx.issues.push({
          code: 'custom',
          message: 'Input should be a valid string',
          params: { type: 'string_type' },
          path: [at],
          input: undefined,
        });
      return z.NEVER;
    });
  });

/** The one kernel there is. */
const kernel = z
  .unknown()
  .optional()
  .transform((value, ctx): 'python3' =>
    value === undefined || value === 'python3'
      ? 'python3'
      : refuse(ctx, 'literal_error', "Input should be 'python3'"),
  );

export const RunJupyterRequest = z.looseObject({
  cells,
  /** 0 and less: none. */
  cell_timeout: laxFloat(0),
  total_timeout: timeout(DEFAULT_TOTAL_S),
  memory_limit_MB: laxInt(-1),
  kernel,
  files,
  fetch_files: paths,
});
export type RunJupyterRequest = z.infer<typeof RunJupyterRequest>;

interface CellError {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

export interface CellRunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** What it showed, each by media type; the value of its last expression last. */
  readonly display: readonly Readonly<Record<string, string>>[];
  /** At most one. */
  readonly error: readonly CellError[];
}

export interface RunJupyterResponse {
  readonly status: 'Success' | 'Failed' | 'SandboxError';
  readonly message: string;
  /** The process of all cells; what it printed is with the cells. */
  readonly driver: CommandRunResult | null;
  /** Those that were begun. */
  readonly cells: readonly CellRunResult[];
  readonly executor_pod_name: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** Ours, as in `RunCodeResponse`. */
  readonly queue_time: number | null;
  readonly clamped: readonly string[];
}
