/** NeMo-Skills' paths, without sessions: a session would hold a slot for as long as its owner thinks. */
import { Hono } from 'hono';

import { numberText, parseExactNumbers } from '../../../lib/exact-numbers.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { patiently } from '../../native/reward/patience.ts';
import { parseWith } from '../../native/validation.ts';
import { sendJSON } from '../../send-json.ts';
import { answerHeld } from '../answer-held.ts';
import { ExecuteRequest, type ExecuteResponse } from './schema.ts';
import {
  outcomeOf,
  refused,
  toResponse,
  toSubmission,
  toSurfaceError,
  whyNotServed,
} from './translate.ts';
import { sendBody } from '../send-body.ts';

/** The client bears the time-out and 5 s more of silence; a margin of two. */
const SILENCE_MS = 3000;
/** On top of the service's own second try. */
const TRIES_MAX = 3;

export function nemoSkillsRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/execute', knownCaller(deps));
  app.post('/execute', (c) => execute(c, serving(c, deps)));
  app.all('/execute', methodNotAllowed(['POST']));
  for (const path of ['/sessions', '/sessions/:id']) app.use(path, knownCaller(deps));
  app.get('/sessions', (c) => sendJSON(c, { sessions: {}, backend: 'ipython' }));
  app.delete('/sessions/:id', (c) => {
    c.header('Content-Type', 'application/json');
    return c.body(JSON.stringify({ error: 'no such session: none are kept here' }), 404);
  });
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendBody(c, toSurfaceError(error));
  });
  return app;
}

async function execute(c: AppContext, deps: HTTPDeps): Promise<Response> {
  using held = await readBody(c, deps);
  const bytes = held.take();
  const request = parseWith(ExecuteRequest, parseJSON(bytes));
  const reason = whyNotServed(request, c.req.header('x-session-id') !== undefined);
  if (reason !== null) return sendBody(c, { code: 'invalid', status: 400, body: refused(reason) });
  const timeout = (): string => timeoutText(bytes) ?? String(request.timeout);
  return await answerHeld(c, deps, {
    silenceMs: request.timeout * 1000 + SILENCE_MS,
    work: (signal) => run(c, deps, { request, timeout, signal }),
    afterwards: (error) => toSurfaceError(error).body,
  });
}

interface Work {
  readonly request: ExecuteRequest;
  readonly timeout: () => string;
  readonly signal: AbortSignal;
}

/** Waits where the queue is full and tries faults again, for this client has no word for either. */
async function run(
  c: AppContext,
  { service, clock }: HTTPDeps,
  { request, timeout, signal }: Work,
): Promise<ExecuteResponse> {
  const submission = toSubmission(request, { id: createId('run'), maxima: service.maxima });
  Object.assign(c.get('logFields'), {
    submission_id: submission.id,
    language: submission.language,
  });
  const once = async () =>
    await patiently((deadlineMs) => service.run(submission, { signal, deadlineMs, isTold: true }), {
      clock,
      signal,
      deadlineAt: null,
    });
  let report = await once();
  for (let tries = 1; tries < TRIES_MAX && report.fault?.retryable === true; tries += 1)
    report = await once();
  Object.assign(c.get('logFields'), reportFields(report));
  return toResponse(outcomeOf(report), request, timeout);
}

/** The time-out as it was written, for Python says `10.0 seconds` where it was told 10.0. */
function timeoutText(bytes: Uint8Array): string | null {
  const body = parseExactNumbers(new TextDecoder().decode(bytes));
  if (typeof body !== 'object' || body === null || !('timeout' in body)) return null;
  return numberText(body.timeout);
}
