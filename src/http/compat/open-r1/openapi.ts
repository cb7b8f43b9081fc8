/** The wire of Open R1's routers for the OpenAPI document. It validates nothing. */
import { z } from '@hono/zod-openapi';

/** Also as text. */
const lax = (number: z.ZodNumber) => z.union([number, z.string()]);

export const BatchRequestDoc = z
  .looseObject({
    scripts: z.array(z.string()).describe('Each is a cell of a notebook of its own (Python).'),
    languages: z.array(z.string()).describe('As many as scripts.'),
    timeout: lax(z.int().min(1)).describe('Seconds for each script, at least 1.'),
    request_timeout: lax(z.int()).describe('Taken, and of no effect.'),
  })
  .openapi('OpenR1BatchRequest');

const ResultDoc = z.looseObject({
  text: z.string().optional().describe('Its repr; of a text without the quotes.'),
  is_main_result: z.boolean().describe('The value of the last expression.'),
});

export const BatchResponseDoc = z
  .array(
    z.strictObject({
      execution: z
        .strictObject({
          results: z.array(ResultDoc),
          logs: z.strictObject({ stdout: z.array(z.string()), stderr: z.array(z.string()) }),
          error: z
            .strictObject({ name: z.string(), value: z.string(), traceback: z.string() })
            .nullable(),
          execution_count: z.int().nullable(),
        })
        .nullable()
        .describe('Null for a script that did not come to its end, and for a fault of ours.'),
      text: z.string().describe('All output together, for the Morph client; never null.'),
      exception_str: z
        .string()
        .nullable()
        .describe('Why there is no execution; "" for a time-out.'),
    }),
  )
  .describe('In the order of the scripts. Errors are lists, too.')
  .openapi('OpenR1BatchResponse');
