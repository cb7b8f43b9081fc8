/** Judge0's paths: submissions that are waited for or asked for by token, batches, and what there is to choose from. */
import { Hono } from 'hono';

import { Rejection, toFault, FAULTS } from '../../../domain/errors.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { callerIn, knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { sendJSON } from '../../send-json.ts';
import { perform } from './perform.ts';
import { chooseFields, internalError, toAnswer, type Field } from './result.ts';
import { BatchRequest, BATCH_MAX, STATUSES, TOKENS_MAX } from './schema.ts';
import { Tokens, type Pending } from './tokens.ts';
import { servedLanguages, toSubmission, type FieldErrorMap, type Translated } from './translate.ts';
import { sendBody } from '../send-body.ts';

type Status = 201 | 400 | 403 | 404 | 413 | 415 | 422 | 500 | 503;

/** What is wrong with a field is told of its submission. */
const ANYWHERE = placesAt('**');

const KEY_PATHS = [
  '/submissions',
  '/submissions/',
  '/submissions/:token',
  '/languages',
  '/statuses',
];

export function judge0Routes(deps: HTTPDeps): Hono<AppEnv> {
  const tokens = new Tokens(deps.clock);
  const surface = (c: AppContext): Surface => ({ deps: serving(c, deps), tokens });
  const app = new Hono<AppEnv>();
  for (const path of KEY_PATHS) app.use(path, knownCaller(deps));
  for (const path of ['/submissions', '/submissions/']) {
    app.post(path, (c) => submit(c, surface(c)));
    app.all(path, methodNotAllowed(['POST']));
  }
  app.post('/submissions/batch', (c) => submitBatch(c, surface(c)));
  app.get('/submissions/batch', (c) => readBatch(c, surface(c)));
  app.all('/submissions/batch', methodNotAllowed(['GET', 'POST']));
  app.get('/submissions/:token', (c) => read(c, surface(c)));
  app.all('/submissions/:token', methodNotAllowed(['GET']));
  app.get('/languages', (c) =>
    sendJSON(
      c,
      servedLanguages((name) => serving(c, deps).service.language(name)),
    ),
  );
  app.get('/statuses', (c) =>
    sendJSON(
      c,
      STATUSES.map((description, index) => ({ id: index + 1, description })),
    ),
  );
  for (const path of ['/languages', '/statuses']) app.all(path, methodNotAllowed(['GET', 'HEAD']));
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendThrown(c, error);
  });
  return app;
}

interface Surface {
  readonly deps: HTTPDeps;
  readonly tokens: Tokens;
}

interface Query {
  readonly fields: readonly Field[];
  readonly base64: boolean;
}

/** Throws Rejection `invalid` for a field that is not kept. */
function queryOf(c: AppContext): Query {
  const chosen = chooseFields(c.req.query('fields'));
  if (chosen.ok) return { fields: chosen.fields, base64: c.req.query('base64_encoded') === 'true' };
  const names = chosen.unknown.map((name) => name.slice(0, 40)).join(', ');
  throw new Rejection('invalid', { detail: `invalid fields: [${names}]` });
}

async function submit(c: AppContext, surface: Surface): Promise<Response> {
  const query = queryOf(c);
  using held = await readBody(c, surface.deps);
  const bytes = held.take();
  const translated = translate(parseJSON(bytes, ANYWHERE), query, surface);
  if (!translated.ok) return send(c, 422, translated.errors);
  const pending = surface.tokens.open(translated.languageId, {
    tenant: callerIn(c).tenant,
    bytes: bytes.byteLength,
  });
  if (pending === null) return send(c, 503, { error: 'queue is full' });
  const isWaited = c.req.query('wait') === 'true';
  if (!isWaited) {
    runAlone(translated, pending, surface);
    return send(c, 201, { token: pending.token });
  }
  const { signal } = c.req.raw;
  try {
    const { result, report } = await perform(translated, {
      ...surface,
      pending,
      signal,
      isTold: true,
    });
    Object.assign(c.get('logFields'), reportFields(report));
    const submitted = pending.finish(result);
    if (signal.aborted) throw new Rejection('caller_gone', { detail: 'the caller left' });
    return send(c, 201, toAnswer(submitted, query));
  } catch (error) {
    pending.finish(internalError('the submission was given up'));
    throw error;
  }
}

function translate(body: unknown, { base64 }: Query, { deps }: Surface): Translated {
  return toSubmission(body, {
    id: createId('jdg'),
    maxima: deps.service.maxima,
    isBase64: base64,
    lookUp: (name) => deps.service.language(name),
  });
}

/** Nobody waits for it; the service knows it as under way, and ends it when it stops. */
function runAlone(
  translated: Extract<Translated, { readonly ok: true }>,
  pending: Pending,
  surface: Surface,
): void {
  const { deps } = surface;
  const { signal } = new AbortController();
  perform(translated, { ...surface, pending, signal, isTold: false }).then(
    ({ result }) => pending.finish(result),
    (error: unknown) => {
      if (error instanceof Rejection) {
        deps.service.rejected(error.code);
        return pending.finish(internalError(error.context.detail));
      }
      const fault = toFault(error);
      const { code: fault_code, detail: fault_detail } = fault;
      deps.logger.error({ fault_code, fault_detail }, 'a submission failed');
      return pending.finish(internalError(FAULTS[fault.code].message));
    },
  );
}

async function submitBatch(c: AppContext, surface: Surface): Promise<Response> {
  const query = queryOf(c);
  using held = await readBody(c, surface.deps);
  const bytes = held.take();
  const batch = BatchRequest.safeParse(parseJSON(bytes, ANYWHERE));
  if (!batch.success) {
    const error = `submissions is a list of 1 to ${BATCH_MAX} submissions`;
    return send(c, 400, { error });
  }
  const { submissions } = batch.data;
  const share = Math.ceil(bytes.byteLength / submissions.length);
  const answers = submissions.map((each): object => {
    const translated = translate(each, query, surface);
    if (!translated.ok) return translated.errors;
    const pending = surface.tokens.open(translated.languageId, {
      tenant: callerIn(c).tenant,
      bytes: share,
    });
    if (pending === null) return { error: 'queue is full' };
    runAlone(translated, pending, surface);
    return { token: pending.token };
  });
  return send(c, 201, answers);
}

function read(c: AppContext, { tokens }: Surface): Response {
  const query = queryOf(c);
  const submitted = tokens.get(c.req.param('token') ?? '');
  if (submitted === null) return send(c, 404, { error: 'no submission has this token' });
  return sendJSON(c, toAnswer(submitted, query));
}

function readBatch(c: AppContext, { tokens }: Surface): Response {
  const query = queryOf(c);
  const names = (c.req.query('tokens') ?? '').split(',').filter((name) => name !== '');
  if (names.length === 0 || names.length > TOKENS_MAX)
    return send(c, 400, { error: `tokens are 1 to ${TOKENS_MAX}, separated by commas` });
  const submissions = names.map((name) => {
    const submitted = tokens.get(name.trim());
    return submitted === null ? null : toAnswer(submitted, query);
  });
  return sendJSON(c, { submissions });
}

function send(c: AppContext, status: Status, body: FieldErrorMap | object): Response {
  const isInvalid = status === 422 || status === 400;
  const code = isInvalid ? 'invalid' : status === 503 ? 'queue_full' : null;
  return sendBody(c, { code, status, body });
}

/** Its clients do not look at the status; what they look for is not in this body, and so it is no verdict. */
function sendThrown(c: AppContext, error: unknown): Response {
  if (!(error instanceof Rejection))
    return send(c, 500, { error: FAULTS[toFault(error).code].message });
  const { code, context } = error;
  if (code === 'unknown_key') {
    c.set('rejection', code);
    return c.body('', 401);
  }
  const status: Status =
    code === 'too_large'
      ? 413
      : code === 'wrong_media_type'
        ? 415
        : isBad(code)
          ? 400
          : code === 'not_allowed'
            ? 403
            : 503;
  const response = send(c, status, { error: context.detail });
  c.set('rejection', code);
  return response;
}

function isBad(code: Rejection['code']): boolean {
  return code === 'malformed_json' || code === 'invalid';
}
