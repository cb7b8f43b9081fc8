/** The native API's routes: read, validate, ask the one door, answer. */
import { Hono } from 'hono';

import { reportFields } from '../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../app-env.ts';
import { checkJSONMediaType, NDJSON_MEDIA_TYPE, parseJSON } from '../middleware/body/parse-json.ts';
import { readBody, refuseEncodedBody } from '../middleware/body/read-body.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { createId } from '../middleware/request-id/request-id.ts';
import { sendJSON } from '../send-json.ts';
import { streamBatch } from './batch.ts';
import { capabilitiesToWire, languagesToWire, statsToWire } from './info-to-wire.ts';
import { buildOpenAPIDocument } from './openapi.ts';
import { postReward } from './reward/reward.ts';
import { RunRequest } from './schema/submission.ts';
import { jobRoutes } from './jobs/routes.ts';
import { expandTestset } from './expand-testset.ts';
import { deleteTestset, getTestset, listTestsets, postTestset } from './testset-routes.ts';
import { parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';
import { toSubmission } from './to-submission.ts';
import { judgeToWire, runToWire } from './to-wire.ts';
import { parseWith } from './validation.ts';

/** All routes of `native-api.md` that exist. */
export function nativeRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const { service } = deps;
  const app = new Hono<AppEnv>();
  app.post('/v1/run', (c) => run(c, deps));
  app.post('/v1/judge', (c) => judge(c, deps));
  app.post('/v1/judge/batch', (c) => judgeBatch(c, deps));
  app.post('/v1/reward', (c) => postReward(c, deps));
  app.post('/v1/testsets', (c) => postTestset(c, deps));
  app.get('/v1/testsets', (c) => listTestsets(c, deps));
  app.all('/v1/testsets', methodNotAllowed(['GET', 'POST']));
  app.get('/v1/testsets/:id', (c) => getTestset(c, deps));
  app.delete('/v1/testsets/:id', (c) => deleteTestset(c, deps));
  app.all('/v1/testsets/:id', methodNotAllowed(['GET', 'DELETE']));
  app.route('/', jobRoutes(deps));
  app.get('/v1/languages', (c) => sendJSON(c, languagesToWire(service.languages())));
  app.get('/v1/capabilities', (c) => sendJSON(c, capabilitiesToWire(service.capabilities())));
  app.get('/v1/stats', (c) => sendJSON(c, statsToWire(service.stats())));
  app.get('/openapi.json', (c) => sendJSON(c, buildOpenAPIDocument()));
  for (const path of ['/v1/run', '/v1/judge', '/v1/judge/batch', '/v1/reward'])
    app.all(path, methodNotAllowed(['POST']));
  for (const path of ['/v1/languages', '/v1/capabilities', '/v1/stats', '/openapi.json']) {
    app.all(path, methodNotAllowed(['GET', 'HEAD']));
  }
  return app;
}

async function run(c: AppContext, deps: HTTPDeps): Promise<Response> {
  checkJSONMediaType(c.req.header('content-type'));
  using body = await readBody(c, deps);
  const wire = parseWith(RunRequest, parseJSON(body.take()));
  const submission = toSubmission(wire, { maxima: deps.service.maxima, id: createId('run') });
  logSubmission(c, submission);
  const report = await deps.service.run(submission, contextOf(c, wire));
  Object.assign(c.get('logFields'), reportFields(report));
  return sendJSON(c, runToWire(report));
}

async function judge(c: AppContext, deps: HTTPDeps): Promise<Response> {
  checkJSONMediaType(c.req.header('content-type'));
  using body = await readBody(c, deps);
  const { body: request, testset } = await expandTestset(parseJSON(body.take()), deps.testsets);
  const wire = parseJudgeRequest(request);
  const resolution = { maxima: deps.service.maxima, id: createId('jdg') };
  const submission = toJudgeSubmission(wire, resolution, testset);
  logSubmission(c, submission);
  c.get('logFields')['cases'] =
    'cases' in submission.tests ? submission.tests.cases.length : submission.tests.kind;
  const report = await deps.service.judge(submission, contextOf(c, wire));
  Object.assign(c.get('logFields'), reportFields(report));
  return sendJSON(c, judgeToWire(report, submission.detail));
}

function judgeBatch(c: AppContext, deps: HTTPDeps): Response {
  checkJSONMediaType(c.req.header('content-type'), NDJSON_MEDIA_TYPE);
  refuseEncodedBody(c);
  c.header('Content-Type', NDJSON_MEDIA_TYPE.name);
  return c.body(streamBatch(c, deps));
}

function contextOf(c: AppContext, wire: { readonly deadline_ms?: number | undefined }) {
  return { signal: c.req.raw.signal, deadlineMs: wire.deadline_ms ?? null, isTold: true };
}

/** The caller's id and language name are short and well-formed by now. */
function logSubmission(
  c: AppContext,
  submission: { readonly id: string; readonly language: string },
): void {
  Object.assign(c.get('logFields'), {
    submission_id: submission.id,
    language: submission.language,
  });
}
