/** The native API as an OpenAPI 3.1 document, made from the schemas that also validate and type it. */
import { OpenAPIHono, z } from '@hono/zod-openapi';

import { BatchRequestDoc, BatchResponseDoc } from '../compat/open-r1/openapi.ts';
import {
  ExecuteRequestDoc,
  ExecuteResponseDoc,
  PackagesDoc,
  PistonMessageDoc,
  RuntimesDoc,
} from '../compat/piston/openapi.ts';
import {
  DetailDoc,
  RunCodeRequestDoc,
  RunCodeResponseDoc,
} from '../compat/sandbox-fusion/openapi.ts';
import { EXAMPLES } from './examples.ts';
import { CapabilitiesResponse, LanguagesResponse, StatsResponse } from './info-to-wire.ts';
import { JudgeRequestDoc } from './schema/judge.ts';
import { BatchLine, JudgeResponse, ProblemWire, RunResponse } from './schema/report.ts';
import { RewardLine, RewardRequestDoc, RewardResponse } from './schema/reward.ts';
import { RunRequest } from './schema/submission.ts';
import {
  TestsetDescription,
  TestsetList,
  TestsetReport,
  TestsetRequest,
} from './schema/testset.ts';

const PROBLEMS = {
  400: 'malformed_json',
  404: 'no_such_endpoint, no_such_testset',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  415: 'wrong_media_type',
  422: 'invalid, unknown_language, unknown_environment, no_tests, wall_unavailable, testset_refused',
  429: 'rate_limited',
  500: 'fault',
  503: 'queue_full, draining, not_ready, language_unavailable',
  504: 'deadline',
  507: 'testset_store_full',
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

/** A plain object, ready for `JSON.stringify`; the same for the same sources. */
export function buildOpenAPIDocument(): object {
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
      request: { body: { required: true, content: body } },
      responses: {
        200: { description: 'Answered; a fault of ours is in it.', content: answer },
        ...problems,
      },
    });
  }
  registerRunCode(registry);
  registerPiston(registry);
  registerOpenR1(registry);
  registerTestsets(registry, problems);
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
      'Every problem is tried first: its reference solutions must pass, always and in the strictest mode that they can, and wrong programs must not. Answers when all were tried.',
    request: { body: { required: true, content: json(TestsetRequest) } },
    responses: answer(TestsetReport),
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

/** The surface of Sandbox Fusion, which has shapes of its own. */
function registerRunCode(registry: OpenAPIHono['openAPIRegistry']): void {
  const answer = (description: string, schema: z.ZodType) => ({
    description,
    content: json(schema),
  });
  registry.registerPath({
    method: 'post',
    path: '/run_code',
    summary: "Sandbox Fusion's wire: run a program",
    description:
      'For clients of Sandbox Fusion (verl, SkyRL, ROLL and others). What went wrong for want of capacity is 504, the only status that verl tries again.',
    request: { body: { required: true, content: json(RunCodeRequestDoc, EXAMPLES.runCode) } },
    responses: {
      200: answer('Answered, whatever the program did; a fault of ours too.', RunCodeResponseDoc),
      413: answer('The body is too large.', DetailDoc),
      422: answer('Not a valid request.', DetailDoc),
      504: answer('No slot within the time that the client waits: ask again.', DetailDoc),
    },
  });
}

/** Piston v2, and the packages with which Open R1 judges. */
function registerPiston(registry: Registry): void {
  const error = (description: string) => ({ description, content: json(PistonMessageDoc) });
  registry.registerPath({
    method: 'post',
    path: '/api/v2/execute',
    summary: "Piston's wire: run a program, or judge one with the packages of Open R1",
    description:
      'An answer that takes longer than 8 s begins as a 200 with white space; its body is null where the client should ask again. The languages of the packages codeforces and cms_ioi judge: files hold the program, a test and perhaps a checker, and `run` looks like what their scripts print.',
    request: { body: { required: true, content: json(ExecuteRequestDoc, EXAMPLES.execute) } },
    responses: {
      200: {
        description: 'Answered, whatever the program did.',
        content: json(ExecuteResponseDoc),
      },
      400: error('Not a valid request.'),
      413: error('The body is too large.'),
      415: error('Not JSON.'),
      500: error('A fault of ours: ask again.'),
      503: error('No capacity, or stopping: ask again.'),
    },
  });
  const lists = [
    ['/api/v2/runtimes', 'Languages by the names of Piston', RuntimesDoc],
    ['/api/v2/packages', 'Packages by the names of Piston; all are installed', PackagesDoc],
  ] as const;
  for (const [path, summary, schema] of lists) {
    const responses = { 200: { description: 'OK', content: json(schema) } };
    registry.registerPath({ method: 'get', path, summary, responses });
  }
}

/** The routers of Open R1. */
function registerOpenR1(registry: Registry): void {
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
