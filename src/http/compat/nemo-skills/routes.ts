/** NeMo-Skills' paths: programs, and cells of sessions, which are kept as texts (`sessions.ts`). */
import { Hono } from 'hono';

import { numberText, parseExactNumbers } from '../../../lib/exact-numbers.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { CallContext } from '../../../judge/door.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { callerIn, knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { patiently } from '../../native/reward/patience.ts';
import { parseWith } from '../../native/validation.ts';
import { sendJSON } from '../../send-json.ts';
import { answerHeld } from '../answer-held.ts';
import { environmentFor } from '../sandbox-fusion/packages.ts';
import { toAnswer, toCellsSubmission } from './cells.ts';
import { ExecuteRequest, type ExecuteResponse, type SessionList } from './schema.ts';
import { Sessions, type SessionName } from './sessions.ts';
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

interface Surface {
  readonly deps: HTTPDeps;
  readonly sessions: Sessions;
}

export function nemoSkillsRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const surface: Surface = { deps, sessions: new Sessions(deps.clock) };
  const app = new Hono<AppEnv>();
  const served = (c: AppContext): Surface => ({ ...surface, deps: serving(c, deps) });
  app.use('/execute', knownCaller(deps));
  app.post('/execute', (c) => execute(c, served(c)));
  app.all('/execute', methodNotAllowed(['POST']));
  for (const path of ['/sessions', '/sessions/:id']) app.use(path, knownCaller(deps));
  app.get('/sessions', (c) => sendJSON(c, listSession(c, surface)));
  app.all('/sessions', methodNotAllowed(['GET', 'HEAD']));
  app.delete('/sessions/:id', (c) => {
    if (surface.sessions.delete(ownName(c, c.req.param('id'))))
      return sendBody(c, { code: null, status: 200, body: { message: 'the session is gone' } });
    return sendBody(c, { code: null, status: 404, body: { error: 'there is no such session' } });
  });
  app.all('/sessions/:id', methodNotAllowed(['DELETE']));
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendBody(c, toSurfaceError(error));
  });
  return app;
}

function sessionOf(c: AppContext): string | undefined {
  return c.req.header('x-session-id');
}

function ownName(c: AppContext, name: string): SessionName {
  return { tenant: callerIn(c).tenant, name };
}

/** The one that is named: who knows no name is told none. */
function listSession(c: AppContext, { sessions }: Surface): SessionList {
  const name = sessionOf(c) ?? '';
  const found = sessions.get(ownName(c, name));
  if (found === null) return { sessions: {}, backend: 'ipython' };
  const created = found.created.toISOString();
  const last_used = found.lastUsed.toISOString();
  const session = { backend: 'ipython', created, last_used, alive: true } as const;
  return { sessions: { [name]: session }, backend: 'ipython' };
}

async function execute(c: AppContext, surface: Surface): Promise<Response> {
  const { deps } = surface;
  using held = await readBody(c, deps);
  const bytes = held.take();
  const request = parseWith(ExecuteRequest, parseJSON(bytes));
  const session = sessionOf(c);
  const reason = whyNotServed(request, session);
  if (reason !== null) return sendBody(c, { code: 'invalid', status: 400, body: refused(reason) });
  const timeout = (): string => timeoutText(bytes) ?? String(request.timeout);
  return await answerHeld(c, deps, {
    silenceMs: request.timeout * 1000 + SILENCE_MS,
    work: async (signal) =>
      request.language === 'ipython'
        ? await runCell(c, surface, { request, timeout, signal, session: session ?? '' })
        : await run(c, deps, { request, timeout, signal }),
    afterwards: (error) => toSurfaceError(error).body,
  });
}

interface Work {
  readonly request: ExecuteRequest;
  readonly timeout: () => string;
  readonly signal: AbortSignal;
}

async function run(
  c: AppContext,
  deps: HTTPDeps,
  { request, timeout, signal }: Work,
): Promise<ExecuteResponse> {
  const { service } = deps;
  const submission = toSubmission(request, { id: createId('run'), maxima: service.maxima });
  logSubmission(c, submission);
  const report = await untilRun(deps, signal, {
    ask: (context) => service.run(submission, context),
    runOf: (each) => each,
  });
  Object.assign(c.get('logFields'), reportFields(report));
  return toResponse(outcomeOf(report), request, timeout);
}

/** The cells that the session has kept, and the new one, which it keeps if it comes to its end. */
async function runCell(
  c: AppContext,
  { deps, sessions }: Surface,
  { request, timeout, signal, session }: Work & { readonly session: string },
): Promise<ExecuteResponse> {
  const { service } = deps;
  const { maxima } = service;
  const answer = await sessions.inTurn(
    ownName(c, session),
    async ({ cells: kept, isNew, keep }) => {
      const language = service.language('python');
      const code = [...kept.map((cell) => cell.code), request.generated_code].join('\n');
      const environment =
        language === null ? null : environmentFor(language, 'python', { code, files: [] });
      const resolution = { id: createId('run'), maxima, environment };
      const submission = toCellsSubmission(request, kept, resolution);
      logSubmission(c, submission);
      const report = await untilRun(deps, signal, {
        ask: (context) => service.runCells(submission, context),
        runOf: (each) => each.run,
      });
      Object.assign(c.get('logFields'), reportFields(report.run), { cells: kept.length + 1 });
      const { response, digest } = toAnswer(report, kept, { request, timeout });
      const { generated_code: own } = request;
      if (digest !== null) keep({ code: own, timeoutMs: request.timeout * 1000, digest });
      return { ...response, new_session_created: isNew };
    },
  );
  if (answer === 'full') return refused('the session has all the cells that it may have');
  if (answer === 'busy') return refused('too many calls of this session wait');
  return answer;
}

function logSubmission(
  c: AppContext,
  { id, language }: { readonly id: string; readonly language: string },
): void {
  Object.assign(c.get('logFields'), { submission_id: id, language });
}

interface Asking<Report> {
  readonly ask: (context: CallContext) => Promise<Report>;
  readonly runOf: (report: Report) => RunReport;
}

/** Waits where the queue is full and tries faults again, for this client has no word for either. */
async function untilRun<Report>(
  { clock }: HTTPDeps,
  signal: AbortSignal,
  { ask, runOf }: Asking<Report>,
): Promise<Report> {
  const once = async () =>
    await patiently((deadlineMs) => ask({ signal, deadlineMs, isTold: true }), {
      clock,
      signal,
      deadlineAt: null,
    });
  let report = await once();
  for (let tries = 1; tries < TRIES_MAX && runOf(report).fault?.retryable === true; tries += 1)
    report = await once();
  return report;
}

/** The time-out as it was written, for Python says `10.0 seconds` where it was told 10.0. */
function timeoutText(bytes: Uint8Array): string | null {
  const body = parseExactNumbers(new TextDecoder().decode(bytes));
  if (typeof body !== 'object' || body === null || !('timeout' in body)) return null;
  return numberText(body.timeout);
}
