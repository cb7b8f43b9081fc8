/** The wire of a submission: what `/v1/run` and `/v1/judge` have in common. The only source of its types and docs. */
import { z } from '@hono/zod-openapi';

import { SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import { REAL_WALLS } from '../../../domain/wall.ts';
import { strictRecord } from '../validation.ts';

const B = SUBMISSION_BOUNDS;

const BinaryFile = strictRecord({
  text: z.string().optional().describe('Content as text; written as UTF-8.'),
  base64: z.string().optional().describe('Content as canonical base64 with padding (RFC 4648 §4).'),
}).refine((file) => (file.text === undefined) !== (file.base64 === undefined), {
  error: 'give exactly one of "text" and "base64"',
});

export const File = z
  .union([z.string(), BinaryFile])
  .describe('Content of a file: a string is text, the object form can hold any bytes.')
  .openapi('File');
export type File = z.infer<typeof File>;

export const Files = z
  .record(z.string(), File)
  .describe(
    `Relative, normalised path → content; at most ${B.files} files, ${B.programBytes} bytes with the program.`,
  );

const amount = (text: string) => z.int().min(0).optional().describe(text);

export const LimitsRequest = strictRecord({
  cpu_ms: amount('CPU time of the whole process tree, user + system, ms. Default 10000.'),
  wall_ms: amount('Wall time, ms; a safety net. Default 2 × cpu_ms + 1000.'),
  memory_mb: amount('Peak memory, files included, MiB. Default 512.'),
  output_kb: amount('Bytes of stdout and of stderr, each, KiB. Default 16384.'),
  processes: amount('Processes and threads at once. Default 64.'),
  disk_mb: amount('Size of the private file system, MiB. Default 64.'),
  files: amount('Open file descriptors of a process. Default 256.'),
  compile_cpu_ms: amount('CPU time of the compile step, ms. Default 30000.'),
  compile_wall_ms: amount('Wall time of the compile step, ms. Default 2 × compile_cpu_ms + 1000.'),
})
  .describe(
    "Limits asked for; each is brought into the operator's range and reported in `clamped` if changed.",
  )
  .openapi('LimitsRequest');
export type LimitsRequest = z.infer<typeof LimitsRequest>;

export const Args = z.array(z.string()).max(B.args).describe('Added to argv; no NUL.');

const Extract = strictRecord({
  pick: z
    .enum(['last', 'first', 'longest'])
    .default('last')
    .describe('Which of several code blocks.'),
  language_match: z
    .boolean()
    .default(true)
    .describe('Prefer blocks whose language tag fits the language of the submission.'),
  strip_thinking: z
    .boolean()
    .default(true)
    .describe('Leave out thinking sections before looking for code.'),
}).openapi('Extract');

/** Fields of every submission. */
export const submissionShape = {
  language: z.string().min(1).max(64).describe('Id or alias from `/v1/languages`.'),
  environment: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("Id of an environment from `/v1/languages`. Default: the language's default."),
  code: z.string().optional().describe('The program. May be empty.'),
  completion: z
    .string()
    .optional()
    .describe("A model's whole answer; the program is extracted from it."),
  extract: Extract.optional().describe('How to extract from `completion`.'),
  files: Files.optional().describe(
    'With `entry`: the program. Beside `code` or `completion`: data files.',
  ),
  entry: z.string().optional().describe('Path of the main file among `files`.'),
  args: Args.default([]),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      `Added to the fixed environment, at most ${B.env}; names match [A-Za-z_][A-Za-z0-9_]* and load no code.`,
    ),
  limits: LimitsRequest.default({}),
  wall: z
    .enum(REAL_WALLS)
    .optional()
    .describe(
      `At least this wall, never a weaker one; the weakest first: ${REAL_WALLS.join(', ')}.`,
    ),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional()
    .describe(
      'For what the language draws by itself (hashing; in JavaScript Math.random too), 0 … 2^32 − 1; runs start cold. 422 where the language cannot be held to one: `determinism` in `/v1/capabilities`. Default: the fixed one, where there is one.',
    ),
  clock: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) >= 0, 'is before 1970')
    .optional()
    .describe(
      "The time (RFC 3339, to the ms) at which the wall clock of the program's runs stands still; monotonic clocks and all limits go on. Runs start cold. 422 where the language cannot be held to it: `determinism` in `/v1/capabilities`. Default: the true time.",
    ),
  warm: z
    .boolean()
    .default(true)
    .describe(
      'Whether warm runtimes may be used (forked interpreters, isolates). False starts a fresh process for each run; the verdict is the same.',
    ),
  deadline_ms: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .describe(
      'Give up with 504 if not answered within this many ms, queueing included. Default: none.',
    ),
  priority: z
    .int()
    .min(-B.priority)
    .max(B.priority)
    .default(0)
    .describe(
      `Of two submissions of one tenant that wait, the one with the higher priority starts first; ${-B.priority} … ${B.priority}.`,
    ),
  cache: z
    .boolean()
    .optional()
    .describe(
      'Whether the report of an equal submission of the same tenant will do, one that is under way or was made before; only reports that would come out the same are shared, and `provenance.reused` says so. Default: as the operator has it, who has it off unless told otherwise.',
    ),
  id: z
    .string()
    .min(1)
    .optional()
    .describe(`Echoed; at most ${B.idBytes} bytes. Default: a random one.`),
  labels: z
    .record(z.string(), z.string())
    .default({})
    .describe(`Echoed; at most ${B.labels} of ${B.labelBytes} bytes, names and values each.`),
};

export const RunRequest = strictRecord({
  ...submissionShape,
  stdin: File.default('').describe('Standard input. Default: empty.'),
  collect: z
    .array(z.string())
    .max(B.collect)
    .default([])
    .describe(`Paths in the work folder to return after the run; at most ${B.collect}.`),
}).openapi('RunRequest');
export type RunRequest = z.infer<typeof RunRequest>;
