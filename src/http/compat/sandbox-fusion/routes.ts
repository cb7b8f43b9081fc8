/** Sandbox Fusion's paths, as its clients call them. A thin adapter: no features of its own. */
import { Hono } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import type { Service } from '../../../judge/door.ts';

import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { jsonPieces } from '../../json-pieces.ts';
import { sendJSON } from '../../send-json.ts';
import { callWithin } from './call.ts';
import { clientDeadlineMs } from './deadline.ts';
import {
  invalidBody,
  notAnObject,
  notServed,
  ofIssues,
  toSurfaceError,
  type SurfaceError,
} from './errors.ts';
import { holdOpen } from './hold-open.ts';
import { RunCodeRequest } from './schema.ts';
import { chooseLanguage, sandboxError, toResponse, toSubmission, WIRE_NAMES } from './translate.ts';

/** The path itself, the SDK's base, and what a client makes that appends the path to a full URL. */
const RUN_CODE_PATHS = ['/run_code', '/faas/sandbox/run_code', '/run_code/run_code'];

export function sandboxFusionRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of RUN_CODE_PATHS) {
    app.post(path, (c) => runCode(c, deps));
    app.all(path, methodNotAllowed(['POST']));
  }
  app.get('/v1/ping', (c) => sendJSON(c, 'pong'));
  app.all('/v1/ping', methodNotAllowed(['GET', 'HEAD']));
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendError(c, toSurfaceError(error, deps.config.podName));
  });
  return app;
}

async function runCode(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, clock, config } = deps;
  using held = await readBody(c, deps);
  const body = parseJSON(held.take());
  if (!isObject(body)) return sendError(c, notAnObject());
  const parsed = RunCodeRequest.safeParse(body);
  if (!parsed.success) return sendError(c, ofIssues(parsed.error.issues));
  const request = parsed.data;
  const choice = chooseLanguage(request.language, (name) => service.language(name));
  if (choice.kind === 'unknown') {
    return sendError(c, invalidBody([choice.detail], 'unknown_language'));
  }
  if (choice.kind === 'not_served') {
    return sendError(c, notServed(whatIsServed(service), config.podName));
  }
  const { language } = choice;
  const id = createId('run');
  Object.assign(c.get('logFields'), { submission_id: id, language: language.id });
  const deadlineMs = clientDeadlineMs(body, request, service.maxima);
  const built = toSubmission(request, { id, language, maxima: service.maxima, deadlineMs });
  if (!built.ok) return sendError(c, invalidBody(built.details));
  const result = await callWithin(built.submission, {
    service,
    clock,
    signal: c.req.raw.signal,
    deadlineMs,
  });
  if (result.kind === 'answered') {
    const response = toResponse(result.report, config.podName);
    Object.assign(c.get('logFields'), reportFields(result.report), { answered: response.status });
    return sendJSON(c, response);
  }
  const pieces = result.report.then(
    (report) => {
      Object.assign(c.get('logFields'), reportFields(report));
      return jsonPieces(toResponse(report, config.podName));
    },
    (error: unknown) => {
      logUnknown(c, error, deps);
      if (error instanceof Rejection) service.rejected(error.code);
      // 200 is on its way: all that is left to say is that it is not the program's failure.
      return jsonPieces(sandboxError('the run was given up', config.podName));
    },
  );
  c.get('logFields')['held_open'] = true;
  c.set(
    'streamEnd',
    pieces.then(() => undefined),
  );
  c.header('Content-Type', 'application/json');
  return c.body(holdOpen(pieces, { clock, onCancel: result.cancel }));
}

function whatIsServed(service: Service): string {
  const served = service.languages().filter(({ available }) => available);
  const names = served.map(({ id }) => WIRE_NAMES[id] ?? id).join(', ');
  return `this language is not served here; served are: ${names}`;
}

function sendError(c: AppContext, { code, status, body }: SurfaceError): Response {
  if (code !== null) c.set('rejection', code);
  const text = JSON.stringify(body);
  c.get('logFields')['response_bytes'] = Buffer.byteLength(text);
  c.header('Content-Type', 'application/json');
  return c.body(text, status);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
