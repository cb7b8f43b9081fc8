/** The native API's routes: read, validate, ask the one door, answer. */
import { Hono } from 'hono';
import { z } from 'zod';

import type { CallContext } from '../../judge/door.ts';
import { reportFields } from '../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../app-env.ts';
import { checkJSONMediaType, NDJSON_MEDIA_TYPE, parseJSON } from '../middleware/body/parse-json.ts';
import { callerIn, knownCaller, onlyOperators, serving } from '../middleware/caller/caller.ts';
import type { Places } from '../middleware/body/places.ts';
import { readBody, refuseEncodedBody } from '../middleware/body/read-body.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { createId } from '../middleware/request-id/request-id.ts';
import { sendJSON } from '../send-json.ts';
import { streamBatch } from './batch.ts';
import { capabilitiesToWire, languagesToWire } from './info-to-wire.ts';
import { statsToWire } from './stats-to-wire.ts';
import { selfTestToWire } from './wall-test-to-wire.ts';
import { idempotencyKey, requestDigest, type RequestMark } from './idempotency.ts';
import { buildOpenAPIDocument } from './openapi.ts';
import { postReward } from './reward/reward.ts';
import { RunRequest } from './schema/submission.ts';
import { jobRoutes } from './jobs/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { expandTestset } from './expand-testset.ts';
import { deleteTestset, getTestset, listTestsets, postTestset } from './testset-routes.ts';
import { MODEL_TEXT, parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';
import { toSubmission } from './to-submission.ts';
import { judgeToWire, runToWire } from './to-wire.ts';
import { parseWith } from './validation.ts';

/** Whoever asks for these has to say who they are, where there are keys. */
const KEY_PATHS = [
  '/v1/run',
  '/v1/judge',
  '/v1/judge/batch',
  '/v1/reward',
  '/v1/testsets',
  '/v1/testsets/:id',
  '/v1/languages',
  '/v1/capabilities',
  '/v1/stats',
  '/v1/selftest',
];

/** All routes of `native-api.md` that exist. */
export function nativeRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of KEY_PATHS) app.use(path, knownCaller(deps));
  app.post('/v1/run', (c) => run(c, serving(c, deps, { waits: false })));
  app.post('/v1/judge', (c) => judge(c, serving(c, deps, { waits: false })));
  app.post('/v1/judge/batch', (c) => judgeBatch(c, serving(c, deps)));
  app.post('/v1/reward', (c) => postReward(c, serving(c, deps)));
  app.post('/v1/testsets', (c) => postTestset(c, serving(c, deps)));
  app.get('/v1/testsets', (c) => listTestsets(c, deps));
  app.all('/v1/testsets', methodNotAllowed(['GET', 'POST']));
  app.get('/v1/testsets/:id', (c) => getTestset(c, deps));
  app.delete('/v1/testsets/:id', (c) => deleteTestset(c, deps));
  app.all('/v1/testsets/:id', methodNotAllowed(['GET', 'DELETE']));
  app.route('/', jobRoutes(deps));
  app.route('/', sessionRoutes(deps));
  app.get('/v1/languages', (c) =>
    sendJSON(c, languagesToWire(serving(c, deps).service.languages())),
  );
  app.get('/v1/capabilities', (c) => {
    const { service } = serving(c, deps);
    const shared = { limits: deps.callers.limits(), degraded: deps.degraded() };
    return sendJSON(c, capabilitiesToWire(service.capabilities(), service.languages(), shared));
  });
  app.get('/v1/stats', (c) =>
    sendJSON(c, statsToWire(deps.service.stats(), callerIn(c).stats(), deps.sessions.stats())),
  );
  app.use('/v1/selftest', onlyOperators());
  app.post('/v1/selftest', (c) => selfTest(c, deps));
  app.get('/openapi.json', (c) => sendJSON(c, buildOpenAPIDocument(deps.config.surfaces)));
  for (const path of ['/v1/run', '/v1/judge', '/v1/judge/batch', '/v1/reward', '/v1/selftest'])
    app.all(path, methodNotAllowed(['POST']));
  for (const path of ['/v1/languages', '/v1/capabilities', '/v1/stats', '/openapi.json']) {
    app.all(path, methodNotAllowed(['GET', 'HEAD']));
  }
  return app;
}

async function run(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { key } = open(c, deps);
  using body = await readBody(c, deps);
  const { json, mark } = parse(c, { bytes: body.take(), key });
  const wire = parseWith(RunRequest, json);
  const submission = toSubmission(wire, { maxima: deps.service.maxima, id: createId('run') });
  logSubmission(c, submission);
  const context = contextOf(c, wire);
  return await answer(c, deps, {
    mark,
    context,
    work: async () => {
      const report = await deps.service.run(submission, context);
      Object.assign(c.get('logFields'), reportFields(report));
      return runToWire(report);
    },
  });
}

async function judge(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { key } = open(c, deps);
  using body = await readBody(c, deps);
  const { json, mark } = parse(c, { bytes: body.take(), key, spared: MODEL_TEXT });
  const { body: request, testset } = await expandTestset(json, deps.testsets);
  const wire = parseJudgeRequest(request);
  const resolution = { maxima: deps.service.maxima, id: createId('jdg') };
  const submission = toJudgeSubmission(wire, resolution, testset);
  logSubmission(c, submission);
  c.get('logFields')['cases'] =
    'cases' in submission.tests ? submission.tests.cases.length : submission.tests.kind;
  const context = contextOf(c, wire);
  return await answer(c, deps, {
    mark,
    context,
    work: async () => {
      const report = await deps.service.judge(submission, context);
      Object.assign(c.get('logFields'), reportFields(report));
      return judgeToWire(report, submission.detail);
    },
  });
}

/** Looks at what can be seen before the body; what a full queue would refuse is refused unread. */
function open(c: AppContext, { service }: HTTPDeps): { readonly key: string | null } {
  checkJSONMediaType(c.req.header('content-type'));
  const key = idempotencyKey(c);
  // An answer under a key may be there already.
  if (key === null) service.checkRoom({});
  return { key };
}

/** What may be asked of it: nothing so far. */
const SelfTestRequest = z.strictObject({});

/** A body is not needed, and one that there is is read as any other. */
async function selfTest(c: AppContext, deps: HTTPDeps): Promise<Response> {
  using body = await readBody(c, deps);
  const bytes = body.take();
  if (bytes.length > 0) parseWith(SelfTestRequest, parseJSON(bytes));
  return sendJSON(c, selfTestToWire(await deps.selfTest()));
}

interface Sent {
  readonly bytes: Uint8Array;
  readonly key: string | null;
  /** Where text need not be Unicode. */
  readonly spared?: Places;
}

interface Parsed {
  readonly json: unknown;
  readonly mark: RequestMark | null;
}

function parse(c: AppContext, { bytes, key, spared }: Sent): Parsed {
  const mark = key === null ? null : { key, digest: requestDigest(c, bytes) };
  return { json: parseJSON(bytes, spared), mark };
}

interface Answering {
  readonly mark: RequestMark | null;
  readonly context: CallContext;
  readonly work: () => Promise<{ readonly fault: unknown }>;
}

async function answer(
  c: AppContext,
  { idempotency }: HTTPDeps,
  { mark, ...rest }: Answering,
): Promise<Response> {
  if (mark === null) return sendJSON(c, await rest.work());
  return await idempotency.answer(c, { ...mark, ...rest });
}

function judgeBatch(c: AppContext, deps: HTTPDeps): Response {
  checkJSONMediaType(c.req.header('content-type'), NDJSON_MEDIA_TYPE);
  refuseEncodedBody(c);
  c.header('Content-Type', NDJSON_MEDIA_TYPE.name);
  return c.body(streamBatch(c, deps));
}

function contextOf(
  c: AppContext,
  wire: Pick<RunRequest, 'deadline_ms' | 'priority' | 'cache'>,
): CallContext {
  return {
    signal: c.req.raw.signal,
    deadlineMs: wire.deadline_ms ?? null,
    priority: wire.priority,
    reuse: wire.cache,
    isTold: true,
  };
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
