/** One operation of another's wire, as data for the OpenAPI document. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** The body, as JSON. */
  readonly request?: z.ZodType;
  /** A request that is answered well. */
  readonly example?: object;
  /** By status: what it means, and its body as JSON; the media type where it is another. */
  readonly answers: Readonly<Record<number, Answer>>;
}

type Answer = readonly [text: string, schema: z.ZodType, mediaType?: string];

/** `note` goes behind the description. */
export function registerOperation(
  registry: OpenAPIHono['openAPIRegistry'],
  { answers, request, example, params, query, headers, description = '', ...facts }: Operation,
  note = '',
): void {
  registry.registerPath({
    ...facts,
    description: `${description} ${note}`.trim(),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      ...(request === undefined
        ? {}
        : { body: { required: true, content: content(request, { example }) } }),
    },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, [text, schema, mediaType]]) => [
        status,
        { description: text, content: content(schema, { mediaType }) },
      ]),
    ),
  });
}

interface ContentOptions {
  readonly mediaType?: string | undefined;
  readonly example?: object | undefined;
}

function content(
  schema: z.ZodType,
  { mediaType = 'application/json', example }: ContentOptions,
): Record<string, { schema: z.ZodType; example?: object }> {
  return { [mediaType]: example === undefined ? { schema } : { schema, example } };
}
