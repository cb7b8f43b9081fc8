/** open-instruct's wire: a program and its tests in, a 0 or 1 and a time for each out. */
import { z } from '@hono/zod-openapi';

const DEFAULT_SECONDS = 1;
/** A day; more is no limit that anybody means. */
const SECONDS_MAX = 86_400;

export const TestProgramRequest = z
  .looseObject({
    program: z.string().describe('The program, in Python.'),
    tests: z
      .unknown()
      .refine((value) => value !== undefined, { error: 'is required' })
      .describe(
        'A list, or text that holds one: JSON, a Python literal, or base64 of zlib of a pickle of plain data. For /test_program of statements, for /test_program_stdio of {"input", "output"}.',
      ),
    max_execution_time: z
      .number()
      .positive()
      .max(SECONDS_MAX)
      .default(DEFAULT_SECONDS)
      .describe('Seconds for each test, > 0.'),
  })
  .openapi('TestProgramRequest');
export type TestProgramRequest = z.infer<typeof TestProgramRequest>;

export const TestProgramResponse = z
  .strictObject({
    results: z
      .array(z.union([z.literal(0), z.literal(1)]))
      .describe('A test each, in order; empty where there are no tests, or text that holds none.'),
    runtimes: z
      .array(z.number())
      .describe(
        'Seconds of each test, not of loading the program, at most the limit; -1 where it failed or ended too late.',
      ),
  })
  .openapi('TestProgramResponse');
export type TestProgramResponse = z.infer<typeof TestProgramResponse>;

export const TestProgramError = z
  .strictObject({
    detail: z.union([
      z.string(),
      z.array(
        z.strictObject({
          type: z.string(),
          loc: z.array(z.union([z.string(), z.number()])),
          msg: z.string(),
          input: z.null(),
        }),
      ),
    ]),
  })
  .describe("FastAPI's shape.")
  .openapi('TestProgramError');
