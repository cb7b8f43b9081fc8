/** Puts the endpoint of Open R1's routers into the OpenAPI document. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import { BatchRequestDoc, BatchResponseDoc } from './openapi.ts';

const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': example === undefined ? { schema } : { schema, example },
});

const failed = (reason: string) => ({
  description: `${reason}: a list, of items that say why where the scripts could be counted.`,
  content: json(BatchResponseDoc),
});

export function registerOpenR1(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/execute_batch',
    summary: "Open R1's routers (E2B and Morph): run scripts, a result each",
    request: { body: { required: true, content: json(BatchRequestDoc, EXAMPLES.executeBatch) } },
    responses: {
      200: { description: 'An item a script.', content: json(BatchResponseDoc) },
      400: failed('Not JSON'),
      413: failed('The body is too large'),
      415: failed('An encoded body'),
      422: failed('Not a valid request'),
      503: failed('The service is stopping'),
    },
  });
}
