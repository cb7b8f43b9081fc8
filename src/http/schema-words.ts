/** Words for schemas that the OpenAPI document would otherwise get wrong. */
import { z } from '@hono/zod-openapi';

/** A schema or null. `nullable()` of a schema with a name would make the named one itself nullable, or lose the null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}
