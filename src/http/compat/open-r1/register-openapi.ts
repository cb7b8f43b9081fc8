/** Puts the endpoint of Open R1's routers into the OpenAPI document. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import { BatchRequestDoc, BatchResponseDoc } from './openapi.ts';

const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': example === undefined ? { schema } : { schema, example },
});

export function registerOpenR1(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/execute_batch',
    summary: "Open R1's routers (E2B and Morph): run scripts, a result each",
    request: { body: { required: true, content: json(BatchRequestDoc, EXAMPLES.executeBatch) } },
    responses: {
      200: { description: 'An item a script.', content: json(BatchResponseDoc) },
      422: {
        description: 'Not a valid request: items that say why.',
        content: json(BatchResponseDoc),
      },
    },
  });
}
