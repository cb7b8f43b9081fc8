/** The native API as an OpenAPI 3.1 document, made from the schemas that also validate and type it. */
import { OpenAPIHono, z } from '@hono/zod-openapi';

import { CapabilitiesResponse, LanguagesResponse, StatsResponse } from './info-to-wire.ts';
import { JudgeRequest } from './schema/judge.ts';
import { BatchLine, JudgeResponse, ProblemWire, RunResponse } from './schema/report.ts';
import { RunRequest } from './schema/submission.ts';

const PROBLEMS = {
  400: 'malformed_json',
  404: 'no_such_endpoint',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  415: 'wrong_media_type',
  422: 'invalid, unknown_language, unknown_environment, no_tests, wall_unavailable',
  429: 'rate_limited',
  500: 'fault',
  503: 'queue_full, draining, not_ready, language_unavailable',
  504: 'deadline',
} as const;

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ProblemWire } },
});

const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const ndjson = <Schema extends z.ZodType>(schema: Schema) => ({
  'application/x-ndjson': { schema },
});

/** A plain object, ready for `JSON.stringify`; the same for the same sources. */
export function buildOpenAPIDocument(): object {
  // Its registry only: bodies are read and validated by our own middleware.
  const app = new OpenAPIHono();
  const { openAPIRegistry: registry } = app;
  const problems = Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, codes]) => [status, problem(codes)]),
  );
  const posting = [
    ['/v1/run', 'Run a program, without judging', json(RunRequest), json(RunResponse)],
    ['/v1/judge', 'Judge a program against tests', json(JudgeRequest), json(JudgeResponse)],
    [
      '/v1/judge/batch',
      'Judge many: a request a line, a report a line',
      ndjson(JudgeRequest),
      ndjson(BatchLine),
    ],
  ] as const;
  for (const [path, summary, body, answer] of posting) {
    registry.registerPath({
      method: 'post',
      path,
      summary,
      request: { body: { required: true, content: body } },
      responses: {
        200: { description: 'Answered; a fault of ours is in it.', content: answer },
        ...problems,
      },
    });
  }
  const Ready = z
    .strictObject({ ready: z.boolean(), reasons: z.array(z.string()) })
    .openapi('Readiness');
  const Health = z.strictObject({ status: z.literal('ok') }).openapi('Health');
  const reading = [
    ['/v1/languages', 'Languages and environments', LanguagesResponse],
    ['/v1/capabilities', 'Walls, limits and what is enforced', CapabilitiesResponse],
    ['/v1/stats', 'Slots, queue, jails and outcomes', StatsResponse],
    ['/healthz', 'Whether the process lives', Health],
    ['/readyz', 'Whether it can judge; 503 with reasons if not', Ready],
  ] as const;
  for (const [path, summary, schema] of reading) {
    const ok = { 200: { description: 'OK', content: json(schema) } };
    const responses =
      path === '/readyz' ? { ...ok, 503: { description: 'Not ready', content: json(Ready) } } : ok;
    registry.registerPath({ method: 'get', path, summary, responses });
  }
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: 'v1',
      description: 'Runs submitted programs in sandboxes and judges them.',
    },
  });
}
