/** Piston's wire for the OpenAPI document: the words for what `schema.ts` takes and answers. It validates nothing. */
import { z } from '@hono/zod-openapi';

/** Nothing, as Piston takes it: null, false or an empty text. */
const ms = (text: string) =>
  z
    .union([z.number(), z.null(), z.literal(false), z.literal('')])
    .optional()
    .describe(text);

export const ExecuteRequestDoc = z
  .looseObject({
    language: z.string().min(1).describe('A name or alias of /api/v2/runtimes.'),
    version: z.string().min(1).describe('A semver selector; `*` for the newest.'),
    files: z
      .array(
        z.looseObject({
          name: z
            .unknown()
            .optional()
            .describe('Text: a path in the work folder. Anything else: `file0.code` …'),
          content: z.string(),
          encoding: z
            .unknown()
            .optional()
            .describe('utf8, the default, base64 or hex. Anything else: text that is no program.'),
        }),
      )
      .describe('The first utf8 file is the main one.'),
    stdin: z
      .unknown()
      .optional()
      .describe('Text; anything else is none. A line feed is added where the last one is missing.'),
    args: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .nullable()
      .default([]),
    run_timeout: ms(
      'CPU time of the run, ms, and wall time a quarter wider (2 s at least, 10 s at most).',
    ),
    run_cpu_time: ms('CPU time, ms; run_timeout is then wall time exactly.'),
    run_memory_limit: ms("Bytes; -1 for the operator's maximum."),
    compile_timeout: ms('As run_timeout, of the compile step.'),
    compile_cpu_time: ms('As run_cpu_time, of the compile step.'),
    compile_memory_limit: ms('Taken and checked; the language has its own.'),
  })
  .describe('Unknown fields are ignored, as Piston has it.')
  .openapi('PistonExecuteRequest');

const StageDoc = z
  .strictObject({
    stdout: z.string(),
    stderr: z.string(),
    output: z.string().describe('stdout, then stderr.'),
    code: z.int().nullable().describe('Null when a signal ended it.'),
    signal: z.string().nullable().describe('SIGKILL where a limit ended it.'),
    message: z.string().nullable(),
    status: z
      .enum(['RE', 'SG', 'TO', 'OL', 'EL', 'XX'])
      .nullable()
      .describe(
        'Exit code, signal, time, stdout too long, stderr too long; null when it ended well.',
      ),
    memory: z.int().nullable().describe('Bytes at the peak.'),
    cpu_time: z.int().describe('ms'),
    wall_time: z.int().describe('ms'),
  })
  .openapi('PistonStage');

export const ExecuteResponseDoc = z
  .strictObject({
    run: StageDoc.describe('The compile stage again where the program does not compile.'),
    compile: StageDoc.optional().describe('For compiled languages, and for those that judge.'),
    language: z.string().describe('The name, not the alias.'),
    version: z.string(),
  })
  .openapi('PistonExecuteResponse');

export const RuntimesDoc = z
  .array(
    z.strictObject({
      language: z.string(),
      version: z.string(),
      aliases: z.array(z.string()),
      runtime: z.string().optional(),
    }),
  )
  .openapi('PistonRuntimes');

export const PackagesDoc = z
  .array(
    z.strictObject({
      language: z.string(),
      language_version: z.string(),
      installed: z.boolean(),
    }),
  )
  .openapi('PistonPackages');

export const PackageRequestDoc = z
  .looseObject({ language: z.string(), version: z.string() })
  .openapi('PistonPackageRequest');

export const PistonMessageDoc = z
  .looseObject({ message: z.string() })
  .describe("Piston's shape.")
  .openapi('PistonError');
