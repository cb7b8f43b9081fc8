/** Judge0's wire: submissions with the ids of its languages, and answers of which the caller names the fields. */
import { z } from '@hono/zod-openapi';

/** The ids of languages → names of the catalog. Others of Judge0's list are not served. */
export const LANGUAGES: Readonly<Record<number, string>> = {
  46: 'bash',
  50: 'c',
  54: 'cpp',
  60: 'go',
  62: 'java',
  63: 'javascript',
  71: 'python',
  73: 'rust',
  74: 'typescript',
};

export const STATUSES = [
  'In Queue',
  'Processing',
  'Accepted',
  'Wrong Answer',
  'Time Limit Exceeded',
  'Compilation Error',
  'Runtime Error (SIGSEGV)',
  'Runtime Error (SIGXFSZ)',
  'Runtime Error (SIGFPE)',
  'Runtime Error (SIGABRT)',
  'Runtime Error (NZEC)',
  'Runtime Error (Other)',
  'Internal Error',
  'Exec Format Error',
] as const;

const seconds = (fallback: number) =>
  z.number().positive().max(86_400).nullish().transform(or(fallback));
const whole = (fallback: number, most: number) =>
  z.number().int().positive().max(most).nullish().transform(or(fallback));

function or(fallback: number) {
  return (value: number | null | undefined): number => value ?? fallback;
}

/** Fields that this service has nothing for; the default value, which many clients send, is no wish. */
const notServed = (idle: readonly unknown[], message: string) =>
  z
    .unknown()
    .optional()
    .refine((value) => value === undefined || value === null || idle.includes(value), {
      error: message,
    });

const Text = z.string().nullish();

export const SubmissionRequest = z
  .looseObject({
    source_code: z.string({ error: "can't be blank" }).min(1, { error: "can't be blank" }),
    language_id: z.number({ error: "can't be blank" }).int(),
    stdin: Text,
    expected_output: Text.describe('Null: accepted if it ends well.'),
    command_line_arguments: z.string().max(512).nullish(),
    cpu_time_limit: seconds(5),
    wall_time_limit: seconds(10),
    memory_limit: whole(128_000, 1e9).describe('KB.'),
    max_processes_and_or_threads: whole(60, 1e6),
    max_file_size: whole(1024, 1e9).describe('KB, of each stream of output.'),
    compiler_options: notServed([''], 'is not served'),
    additional_files: notServed([''], 'is not served'),
    callback_url: notServed([''], 'is not served: ask with the token'),
    enable_network: notServed([false], 'is never allowed'),
    redirect_stderr_to_stdout: notServed([false], 'is not served'),
    number_of_runs: notServed([1], 'is always 1'),
  })
  .openapi('Judge0Submission');
export type SubmissionRequest = z.infer<typeof SubmissionRequest>;

/** As Judge0's configuration has it. */
export const BATCH_MAX = 20;

export const BatchRequest = z.looseObject({
  submissions: z.array(z.unknown()).min(1).max(BATCH_MAX),
});

const text = z.string().nullable();

export const SubmissionResponse = z
  .looseObject({
    token: z.string().optional(),
    stdout: text.optional(),
    stderr: text.optional(),
    compile_output: text.optional(),
    message: text.optional(),
    time: text.optional().describe('CPU seconds.'),
    memory: z.number().nullable().optional().describe('KB.'),
    status: z.strictObject({ id: z.number(), description: z.enum(STATUSES) }).optional(),
  })
  .openapi('Judge0Result');

export const FieldErrors = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .describe('What is wrong, by field; or {"error": …}.')
  .openapi('Judge0Error');

const Named = z.strictObject({ id: z.int(), name: z.string() });
export const LanguageList = z.array(Named).openapi('Judge0Languages');
export const StatusList = z
  .array(z.strictObject({ id: z.int(), description: z.enum(STATUSES) }))
  .openapi('Judge0Statuses');

/** Tokens asked for at once. */
export const TOKENS_MAX = 1000;
