/**
 * Sandbox Fusion's wire for the OpenAPI document: the words for what `schema.ts` takes and `translate.ts` answers. It
 * validates nothing.
 */
import { z } from '@hono/zod-openapi';

import { KIND_NAMES } from './datasets/kinds/all.ts';
import { LANGUAGES } from './schema.ts';
import { orNull } from '../../schema-words.ts';

/** As pydantic's lax mode reads numbers. */
const lax = (number: z.ZodNumber) => z.union([number, z.string(), z.boolean()]);
const seconds = (text: string) => lax(z.number().positive()).describe(text);

export const RunCodeRequestDoc = z
  .looseObject({
    language: z
      .string()
      .nullable()
      .default('python')
      .describe(
        `One of Sandbox Fusion's names (${LANGUAGES.join(', ')}), or a name of /v1/languages. One of theirs that is not served here answers SandboxError and names those that are.`,
      ),
    code: z.string().describe('The program. May be empty.'),
    stdin: z.string().nullable().default(null).describe('Standard input; null is empty.'),
    run_timeout: seconds(
      'CPU seconds of the run, > 0. Wall time is limited a quarter above it: 2 s more at least, 10 s at most, and no more than the client waits.',
    ).default(10),
    compile_timeout: seconds('The same of the compile step, > 0.').default(10),
    memory_limit_MB: lax(z.number())
      .default(-1)
      .describe("Peak memory, MiB; 0 and less for the operator's maximum."),
    files: z
      .record(z.string(), z.string().nullable())
      .default({})
      .describe('Relative path → content in base64; null is skipped.'),
    fetch_files: z
      .array(z.string().min(1))
      .default([])
      .describe('Paths to return; those that are missing are left out.'),
  })
  .describe(
    'Unknown fields are ignored; numbers may be text and true for 1, as Sandbox Fusion has it.',
  )
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
    compile_result: orNull(CommandRunResultDoc).describe('Null for interpreted languages.'),
    run_result: orNull(CommandRunResultDoc).describe('Null where nothing was run.'),
    executor_pod_name: z.string().nullable(),
    files: z.record(z.string(), z.string()).describe('Path → content in base64.'),
    queue_time: z.number().nullable().describe('Ours: seconds waited for a slot.'),
    clamped: z.array(z.string()).describe("Ours: fields lowered to the operator's maxima."),
  })
  .openapi('RunCodeResponse');

const NotebookFields = {
  cells: z
    .array(z.string())
    .describe('Python cells, run in order in one namespace; magics (% and !) are not known.'),
  cell_timeout: lax(z.number())
    .default(0)
    .describe('Wall seconds of each cell, after which it is interrupted; 0 for none.'),
  total_timeout: seconds('CPU seconds of all cells, > 0; wall time a quarter above it.').default(
    45,
  ),
  memory_limit_MB: RunCodeRequestDoc.shape.memory_limit_MB,
  kernel: z.literal('python3').default('python3').describe('The one there is.'),
  files: RunCodeRequestDoc.shape.files,
  fetch_files: RunCodeRequestDoc.shape.fetch_files,
};

export const RunJupyterRequestDoc = z.looseObject(NotebookFields).openapi('RunJupyterRequest');

export const RunJupyterResponseDoc = z
  .strictObject({
    status: RunCodeResponseDoc.shape.status.describe(
      'Success: every cell was run, whatever it raised. Failed: the process ended before. SandboxError: ours.',
    ),
    message: z.string(),
    driver: orNull(CommandRunResultDoc).describe('The process; its output is with the cells.'),
    cells: z
      .array(
        z.strictObject({
          stdout: z.string(),
          stderr: z.string(),
          display: z.array(z.record(z.string(), z.string())).describe('By media type.'),
          error: z
            .array(
              z.strictObject({
                ename: z.string(),
                evalue: z.string(),
                traceback: z.array(z.string()),
              }),
            )
            .describe(
              'At most one. TimeLimitExceeded, DeadKernelError: the cell was not finished.',
            ),
        }),
      )
      .describe('Those that were begun, in order.'),
    executor_pod_name: z.string().nullable(),
    files: z.record(z.string(), z.string()),
    queue_time: z.number().nullable(),
    clamped: z.array(z.string()),
  })
  .openapi('RunJupyterResponse');

const Id = z.union([z.string(), z.int()]);
const Dataset = z
  .string()
  .describe('Any name. One that Sandbox Fusion registers says which class its rows are of.');
const TestConfigDoc = z
  .looseObject({
    dataset_type: z
      .string()
      .nullable()
      .default(null)
      .describe(`The class of the rows: ${KIND_NAMES.join(', ')}.`),
    language: z.string().nullable().default(null).describe('Of CommonOJDataset: required.'),
    locale: z.string().nullable().default(null).describe('Of prompts: en or zh.'),
    is_fewshot: z.boolean().nullable().default(null),
    compile_timeout: seconds('CPU seconds; null and 0 for the default of the class.')
      .nullable()
      .default(null),
    run_timeout: seconds('The same of a run.').nullable().default(null),
    custom_extract_logic: z
      .null()
      .optional()
      .describe('Code of a request is not executed: anything but null is a 400.'),
    provided_data: z
      .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
      .nullable()
      .default(null)
      .describe('The row, or for lists of prompts the rows: this service holds none.'),
    extra: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('is_freeform, run_all_cases, return_full_case, context, fewshot, prompt_template.'),
  })
  .openapi('TestConfig');
const common = { dataset: Dataset, config: TestConfigDoc };

const PromptDoc = z
  .strictObject({ id: Id, prompt: z.string(), labels: z.record(z.string(), z.unknown()) })
  .openapi('Prompt');

const GetPromptsRequestDoc = z
  .looseObject({
    ...common,
    offset: lax(z.int()).default(0).describe('Of the rows.'),
    limit: lax(z.int()).default(1_000_000).describe('At most so many.'),
  })
  .openapi('GetPromptsRequest');

const EvalResultDoc = z
  .strictObject({
    id: Id,
    accepted: z.boolean(),
    extracted_code: z.string(),
    full_code: z.string().nullable(),
    test_code: z.string().nullable(),
    tests: z.array(
      z.strictObject({
        passed: z.boolean(),
        exec_info: RunCodeResponseDoc,
        test_info: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    extracted_type: z.enum(['fenced', 'incomplete_fenced', 'heuristic', 'empty']).nullable(),
    extra: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('verifier and forged, where the tests ran in the program’s own process.'),
  })
  .openapi('EvalResult');

/** Path, summary, body and answer of the endpoints for data sets. */
export const DATASET_POSTINGS = [
  [
    '/submit',
    'judge a completion of a row',
    z.looseObject({ ...common, id: Id, completion: z.string() }).openapi('SubmitRequest'),
    EvalResultDoc,
  ],
  ['/get_prompts', 'prompts of rows', GetPromptsRequestDoc, z.array(PromptDoc)],
  ['/list_ids', 'ids of rows', GetPromptsRequestDoc, z.array(Id)],
  [
    '/get_prompt_by_id',
    'the prompt of a row',
    z.looseObject({ ...common, id: Id }).openapi('GetPromptByIdRequest'),
    PromptDoc,
  ],
  [
    '/get_metrics',
    'how many results were accepted',
    z
      .looseObject({ ...common, results: z.array(z.looseObject({ accepted: z.boolean() })) })
      .openapi('GetMetricsRequest'),
    z.strictObject({ total: z.int(), accepted: z.int(), accuracy: z.number().nullable() }),
  ],
  [
    '/get_metrics_function',
    'always null: no code is given',
    z.looseObject(common).openapi('GetMetricsFunctionRequest'),
    z.strictObject({ function: z.null() }),
  ],
] as const;

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
