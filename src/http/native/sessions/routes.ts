/** `/v1/sessions` and `/v1/snapshots`. Those of other tenants are not there. */
import { Hono } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import { once } from '../../../sessions/done-keys.ts';
import type { Session } from '../../../sessions/session.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { callerIn, knownCaller, serving } from '../../middleware/caller/caller.ts';
import { methodNotAllowed } from '../../middleware/errors/errors.ts';
import { sendJSON } from '../../send-json.ts';
import { createErrors, toFiles } from '../checks.ts';
import { idempotencyKey, requestDigest } from '../idempotency.ts';
import { ExecRequest, type ExecResponse, SessionRequest } from '../schema/session.ts';
import { invalid, parseWith } from '../validation.ts';
import { logSession, own } from './own.ts';
import { bodyOf, contextOf, jsonOf, labelsOf, modeOf, pathOf } from './reading.ts';
import { replay } from './replay.ts';
import { SNAPSHOT_ROUTES } from './snapshot-routes.ts';
import { toSessionSpec } from './to-spec.ts';
import { modeToWire, sessionToWire, stepToWire, treeToWire } from './to-wire.ts';
import { deletePath, exec, fileAt, putFile, withFiles } from './work.ts';

const SESSION = '/v1/sessions/:id';

/** Path → its methods. */
const ROUTES = {
  '/v1/sessions': { GET: listSessions, POST: postSession, DELETE: destroyByLabel },
  [SESSION]: { GET: getSession, DELETE: destroySession },
  [`${SESSION}/exec`]: { POST: postExec },
  [`${SESSION}/files`]: { GET: getFile, PUT: putFileRoute, DELETE: deleteFile },
  [`${SESSION}/tree`]: { GET: getTree },
  [`${SESSION}/log`]: { GET: getLog },
  [`${SESSION}/replay`]: { POST: postReplay },
  ...SNAPSHOT_ROUTES,
} as const;

type Handler = (c: AppContext, deps: HTTPDeps) => Response | Promise<Response>;

export function sessionRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, methods] of Object.entries(ROUTES)) {
    app.use(path, knownCaller(deps));
    for (const [method, handler] of Object.entries<Handler>(methods))
      app.on(method, path, (c) => handler(c, serving(c, deps, { waits: false })));
    app.all(path, methodNotAllowed(Object.keys(methods)));
  }
  return app;
}

async function postSession(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, sessions, clock } = deps;
  // Not while the service stops.
  service.checkRoom({});
  const wire = parseWith(SessionRequest, await jsonOf(c, deps));
  const { tenant } = callerIn(c);
  const base =
    wire.snapshot_id === undefined ? null : sessions.snapshots.get(tenant, wire.snapshot_id);
  const spec = toSessionSpec(wire, { service, bounds: sessions.bounds, base });
  const errors = createErrors();
  const files = toFiles(wire.files ?? {}, ['files'], errors);
  if (errors.list.length > 0) throw invalid(errors.list);
  const from = { tree: base?.tree ?? sessions.empty, spec };
  const begun = await withFiles(from, files, { clock, at: (path) => ['files', path] });
  return created(c, sessions.create(tenant, spec, { base, ...begun }), deps);
}

function created(c: AppContext, session: Session, deps: HTTPDeps): Response {
  logSession(c, session);
  c.header('Location', `/v1/sessions/${session.id}`);
  return sendJSON(c, sessionToWire(session, deps), 201);
}

function listSessions(c: AppContext, deps: HTTPDeps): Response {
  const found = deps.sessions.list(callerIn(c).tenant, labelsOf(c));
  return sendJSON(c, { sessions: found.map((each) => sessionToWire(each, deps)) });
}

function destroyByLabel(c: AppContext, { sessions }: HTTPDeps): Response {
  const labels = labelsOf(c);
  if (labels.size === 0)
    throw invalid([{ path: 'label', message: 'is required: name=value, once or more often' }]);
  const found = sessions.list(callerIn(c).tenant, labels);
  for (const session of found) sessions.destroy(session);
  return sendJSON(c, { destroyed: found.length });
}

function getSession(c: AppContext, deps: HTTPDeps): Response {
  return sendJSON(c, sessionToWire(own(c, deps), deps));
}

/** What is under way in it is ended. */
function destroySession(c: AppContext, deps: HTTPDeps): Response {
  deps.sessions.destroy(own(c, deps));
  return c.body(null, 204);
}

async function postExec(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const session = own(c, deps);
  const key = idempotencyKey(c);
  using body = await bodyOf(c, deps);
  const bytes = body.take();
  const wire = parseWith(ExecRequest, parseJSON(bytes));
  const context = contextOf(c, wire);
  const work = async () => {
    if (key !== null && session.doneKeys.has(key)) throw answerGone();
    const step = async () => await exec(session, wire, { deps, context });
    const isDone = ({ answer }: { readonly answer: ExecResponse }) => answer.fault === null;
    const { answer, logged } =
      key === null ? await step() : await once(session, key, { step, isDone });
    Object.assign(c.get('logFields'), logged);
    return answer;
  };
  if (key === null) return sendJSON(c, await work());
  const mark = { key, digest: requestDigest(c, bytes) };
  return await deps.idempotency.answer(c, { ...mark, context, work });
}

/** Long answers are not kept for whoever asks again; a step is still not done twice. */
function answerGone(): Rejection {
  return new Rejection('key_reused', {
    detail: 'this step was done, and its answer is not kept any more; send a new key to do another',
    errors: [{ path: 'Idempotency-Key', message: 'is that of a step that was done' }],
  });
}

async function putFileRoute(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const session = own(c, deps);
  const path = pathOf(c);
  const mode = modeOf(c);
  using body = await readBody(c, deps);
  // The body may be a view of what came with other requests, and is kept.
  const content = Uint8Array.from(body.take());
  const { seq, file } = await putFile(session, { path, content, mode }, deps);
  return sendJSON(c, {
    ...{ path, bytes: file.bytes, mode: modeToWire(file.mode) },
    ...{ tree: session.tree.digest, seq },
  });
}

function getFile(c: AppContext, deps: HTTPDeps): Response {
  const session = own(c, deps);
  const file = fileAt(session, pathOf(c));
  deps.sessions.touch(session);
  c.header('Content-Type', 'application/octet-stream');
  c.header('ETag', `"sha256:${file.digest}"`);
  c.header('Assay-Mode', modeToWire(file.mode));
  return c.body(Buffer.from(session.store.content(file.digest)));
}

async function deleteFile(c: AppContext, deps: HTTPDeps): Promise<Response> {
  await deletePath(own(c, deps), pathOf(c), deps);
  return c.body(null, 204);
}

function getTree(c: AppContext, deps: HTTPDeps): Response {
  return sendJSON(c, treeToWire(own(c, deps).tree));
}

function getLog(c: AppContext, deps: HTTPDeps): Response {
  const { log: steps } = own(c, deps);
  return sendJSON(c, {
    complete: steps.isComplete,
    origin: steps.origin.digest,
    steps: steps.steps.map(stepToWire),
  });
}

async function postReplay(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const context = contextOf(c, { deadline_ms: undefined, priority: 0 });
  const { session, steps, fault } = await replay(own(c, deps), { deps, context });
  const shown = steps.map(({ step: { seq, what, digest }, replayed }) => ({
    ...{ seq, kind: what.kind, tree: digest, replayed, same: digest === replayed },
  }));
  const same = fault === null && shown.every((each) => each.same);
  return sendJSON(c, { same, fault, steps: shown, session: sessionToWire(session, deps) });
}
