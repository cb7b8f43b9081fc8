/** The native API as an OpenAPI 3.1 document, made from the schemas that also validate and type it. */
import { OpenAPIHono, z } from '@hono/zod-openapi';

import type { Surface } from '../../domain/surfaces.ts';
import { registerSurfaces } from '../compat/openapi.ts';
import { EXAMPLES } from './examples.ts';
import { CapabilitiesResponse, DegradedWire, LanguagesResponse } from './info-to-wire.ts';
import { StatsResponse } from './stats-to-wire.ts';
import { SelfTestResponse } from './wall-test-to-wire.ts';
import { JudgeRequestDoc } from './schema/judge.ts';
import { BatchLine, JudgeResponse, ProblemWire, RunResponse } from './schema/report.ts';
import { registerJobs } from './jobs/register-openapi.ts';
import { registerSessions } from './sessions/register-openapi.ts';
import { RewardLine, RewardRequestDoc, RewardResponse } from './schema/reward.ts';
import { RunRequest } from './schema/submission.ts';
import {
  TestsetDescription,
  TestsetLine,
  TestsetList,
  TestsetReport,
  TestsetRequest,
} from './schema/testset.ts';

const PROBLEMS = {
  400: 'malformed_json',
  401: 'unknown_key',
  403: 'not_allowed',
  404: 'no_such_endpoint, no_such_testset, no_such_job, no_such_session, no_such_snapshot, no_such_file',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'session_busy',
  413: 'too_large',
  415: 'wrong_media_type',
  422: 'invalid, unknown_language, unknown_environment, no_tests, wall_unavailable, testset_refused, key_reused',
  429: 'rate_limited, jobs_full, sessions_full',
  500: 'fault',
  503: 'queue_full, host_full, draining, not_ready, language_unavailable',
  504: 'deadline',
  507: 'testset_store_full, session_store_full',
} as const;

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ProblemWire } },
});

const content =
  (mediaType: string) =>
  <Schema extends z.ZodType>(schema: Schema, example?: unknown) => ({
    [mediaType]: example === undefined ? { schema } : { schema, example },
  });
const json = content('application/json');
const ndjson = content('application/x-ndjson');

/** Path, summary, body and answer. */
const POSTING = [
  ['/v1/run', 'Run a program, without judging', json(RunRequest, EXAMPLES.run), json(RunResponse)],
  [
    '/v1/judge',
    'Judge a program against tests',
    json(JudgeRequestDoc, EXAMPLES.judge),
    json(JudgeResponse),
  ],
  [
    '/v1/judge/batch',
    'Judge many: a request a line, a report a line',
    ndjson(JudgeRequestDoc, EXAMPLES.judge),
    ndjson(BatchLine),
  ],
  [
    '/v1/reward',
    'Rewards for completions of rows as trainers hold them; a line each with Accept: application/x-ndjson',
    json(RewardRequestDoc, EXAMPLES.reward),
    { ...json(RewardResponse), ...ndjson(RewardLine) },
  ],
] as const;

const KEYED: ReadonlySet<string> = new Set(['/v1/run', '/v1/judge']);

const IdempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'Under the same key the same request gets the same answer, for an hour, with `Idempotent-Replayed: true`; another request gets 422. Faults and refusals are tried again.',
    ),
});

/** Of a service with these wires of others. A plain object, ready for `JSON.stringify`; the same for the same sources. */
export function buildOpenAPIDocument(surfaces: readonly Surface[]): object {
  // Its registry only: bodies are read and validated by our own middleware.
  const app = new OpenAPIHono();
  const { openAPIRegistry: registry } = app;
  const problems = Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, codes]) => [status, problem(codes)]),
  );
  for (const [path, summary, body, answer] of POSTING) {
    registry.registerPath({
      method: 'post',
      path,
      summary,
      request: {
        body: { required: true, content: body },
        ...(KEYED.has(path) ? { headers: IdempotencyHeader } : {}),
      },
      responses: {
        200: { description: 'Answered; a fault of ours is in it.', content: answer },
        ...problems,
      },
    });
  }
  registerSurfaces(registry, surfaces);
  registerTestsets(registry, problems);
  registerJobs(registry, problems);
  registerSessions(registry, problems);
  registerSelfTest(registry, problems);
  const Ready = z
    .strictObject({ ready: z.boolean(), reasons: z.array(z.string()), degraded: DegradedWire })
    .openapi('Readiness');
  const Health = z.strictObject({ status: z.literal('ok') }).openapi('Health');
  const reading = [
    ['/v1/languages', 'Languages and environments', LanguagesResponse],
    ['/v1/capabilities', 'Walls, limits and what is enforced', CapabilitiesResponse],
    ['/v1/stats', 'Slots, queue, jails and outcomes', StatsResponse],
    ['/openapi.json', 'This document, of what is switched on', z.looseObject({})],
    ['/healthz', 'Whether the process lives', Health],
    ['/readyz', 'Whether it can judge; 503 with reasons if not', Ready],
  ] as const;
  for (const [path, summary, schema] of reading) {
    const ok = { 200: { description: 'OK', content: json(schema) } };
    const responses =
      path === '/readyz' ? { ...ok, 503: { description: 'Not ready', content: json(Ready) } } : ok;
    registry.registerPath({ method: 'get', path, summary, responses });
  }
  registry.registerPath({
    method: 'get',
    path: '/metrics',
    summary: 'Everything that is counted, for Prometheus',
    responses: { 200: { description: 'OK', content: { 'text/plain': { schema: z.string() } } } },
  });
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    servers: [
      { url: '/', description: 'The service that this document comes from.' },
      { url: 'http://127.0.0.1:8080', description: 'The default address.' },
    ],
    info: {
      title: 'Assay',
      version: 'v1',
      description: 'Runs submitted programs in sandboxes and judges them.',
    },
  });
}

type Registry = OpenAPIHono['openAPIRegistry'];

function registerTestsets(registry: Registry, problems: object): void {
  const path = '/v1/testsets';
  const answer = (schema: z.ZodType) => ({
    200: { description: 'OK', content: json(schema) },
    ...problems,
  });
  registry.registerPath({
    method: 'post',
    path,
    summary: 'Keep tests at the server',
    description:
      'Every problem is tried first: its reference solutions must pass, always and in the strictest mode that they can, and wrong programs must not. Answers when all were tried, or, with Accept: application/x-ndjson, a line for each and a summary.',
    request: { body: { required: true, content: json(TestsetRequest, EXAMPLES.testset) } },
    responses: {
      ...problems,
      200: { description: 'OK', content: { ...json(TestsetReport), ...ndjson(TestsetLine) } },
    },
  });
  registry.registerPath({
    method: 'get',
    path,
    summary: 'The test sets',
    responses: answer(TestsetList),
  });
  const params = z.object({ id: z.string() });
  registry.registerPath({
    method: 'get',
    path: `${path}/{id}`,
    summary: 'A test set and what its registration found; never its tests',
    request: { params },
    responses: answer(TestsetDescription),
  });
  registry.registerPath({
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Forget a test set with all its versions',
    request: { params },
    responses: { 204: { description: 'Gone.' }, ...problems },
  });
}

function registerSelfTest(
  registry: OpenAPIHono['openAPIRegistry'],
  problems: Readonly<Record<string, ReturnType<typeof problem>>>,
): void {
  registry.registerPath({
    method: 'post',
    path: '/v1/selftest',
    summary:
      'Try every wall now: a program of ours looks for ways out, and the host for what comes',
    description:
      'For operators. One test at a time: who asks meanwhile gets the answer of the one under way. A wall that does not hold takes no submissions, and the service is not ready.',
    responses: { ...problems, 200: { description: 'OK', content: json(SelfTestResponse) } },
  });
}
