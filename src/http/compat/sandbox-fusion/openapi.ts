/**
 * Sandbox Fusion's wire for the OpenAPI document: the words for what `schema.ts` takes and `translate.ts` answers. It
 * validates nothing.
 */
import { z } from '@hono/zod-openapi';

import { LANGUAGES } from './schema.ts';

const seconds = (text: string) => z.number().describe(text);

export const RunCodeRequestDoc = z
  .looseObject({
    language: z
      .string()
      .default('python')
      .describe(
        `One of Sandbox Fusion's names (${LANGUAGES.join(', ')}), or a name of /v1/languages. One of theirs that is not served here answers SandboxError and names those that are.`,
      ),
    code: z.string().describe('The program. May be empty.'),
    stdin: z.string().nullable().default(null).describe('Standard input; null is empty.'),
    run_timeout: seconds(
      'CPU seconds of the run, > 0. Wall time is limited a quarter above it: at most 10 s more, and no more than the client waits.',
    ).default(10),
    compile_timeout: seconds('The same of the compile step, > 0.').default(10),
    memory_limit_MB: z
      .int()
      .default(-1)
      .describe("Peak memory, MiB; 0 and less for the operator's maximum."),
    files: z
      .record(z.string(), z.string().nullable())
      .default({})
      .describe('Relative path → content in base64; null is skipped.'),
    fetch_files: z
      .array(z.string())
      .default([])
      .describe('Paths to return; those that are missing are left out.'),
  })
  .describe('Unknown fields are ignored, numbers may be text, as Sandbox Fusion has it.')
  .openapi('RunCodeRequest');

const CommandRunResultDoc = z
  .strictObject({
    status: z.enum(['Finished', 'Error', 'TimeLimitExceeded']),
    execution_time: z.number().nullable().describe('Wall time, s.'),
    return_code: z
      .number()
      .nullable()
      .describe('Exit code; minus the number of the signal that ended it; null on a time-out.'),
    stdout: z.string(),
    stderr: z.string(),
    cpu_time: z.number().describe('CPU time, s. From here on fields of ours.'),
    memory_bytes: z.number().nullable(),
    signal: z.number().nullable(),
    truncated: z.boolean().describe('Whether stdout or stderr lacks bytes that were written.'),
    memory_limit_exceeded: z.boolean(),
    output_limit_exceeded: z.boolean(),
  })
  .openapi('CommandRunResult');

export const RunCodeResponseDoc = z
  .strictObject({
    status: z
      .enum(['Success', 'Failed', 'SandboxError'])
      .describe(
        'Success: exit code 0. Failed: the program’s doing. SandboxError: ours, no verdict on it.',
      ),
    message: z.string().describe('"" unless SandboxError.'),
    compile_result: CommandRunResultDoc.nullable().describe('Null for interpreted languages.'),
    run_result: CommandRunResultDoc.nullable().describe('Null where nothing was run.'),
    executor_pod_name: z.string().nullable(),
    files: z.record(z.string(), z.string()).describe('Path → content in base64.'),
    queue_time: z.number().nullable().describe('Ours: seconds waited for a slot.'),
    clamped: z.array(z.string()).describe("Ours: fields lowered to the operator's maxima."),
  })
  .openapi('RunCodeResponse');

export const DetailDoc = z
  .strictObject({
    detail: z.union([
      z.string(),
      z.array(
        z.strictObject({
          type: z.string(),
          loc: z.array(z.union([z.string(), z.number()])),
          msg: z.string(),
          input: z.null(),
          ctx: z.record(z.string(), z.string()).optional(),
        }),
      ),
    ]),
  })
  .describe("FastAPI's shape.")
  .openapi('SandboxFusionError');
