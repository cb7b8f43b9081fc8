/** Piston v2's paths, as its clients call them. A thin adapter: no features of its own. */
import { Hono, type MiddlewareHandler } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import type { RunReport, JudgeReport } from '../../../domain/report.ts';
import type { CallContext, Service } from '../../../judge/door.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { patiently } from '../../native/reward/patience.ts';
import { sendJSON } from '../../send-json.ts';
import { untilGone } from '../hold-open.ts';
import { callerGone, sendSteadily } from '../steady-answer.ts';
import { ofFault, toAnswer, type PistonAnswer } from './errors.ts';
import { toJob, type Job } from './job.ts';
import { findPackage, packagesOf, runtimesOf } from './languages.ts';
import { fieldsOf } from './schema.ts';
import { sendBody } from '../send-body.ts';

/** The one of Piston's public service, and its own. */
const PREFIXES = ['/api/v2/piston', '/api/v2'];

/** Open R1's client takes 30 s without a byte for a dead worker, and runs the job again. */
const SILENCE_MS = 8000;

export function pistonRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const served = (c: AppContext): Service => serving(c, deps).service;
  for (const prefix of PREFIXES) {
    app.use(`${prefix}/*`, knownCaller(deps), onlyJSON());
    // Express takes a slash at the end for none.
    for (const end of ['', '/']) {
      app.get(`${prefix}/runtimes${end}`, (c) => sendJSON(c, listRuntimes(served(c))));
      app.get(`${prefix}/packages${end}`, (c) => sendJSON(c, packagesOf(runtimes(served(c)))));
      app.post(`${prefix}/packages${end}`, (c) => changePackage(c, serving(c, deps), install));
      app.delete(`${prefix}/packages${end}`, (c) => changePackage(c, serving(c, deps), uninstall));
      app.post(`${prefix}/execute${end}`, (c) => execute(c, serving(c, deps)));
    }
    app.all(`${prefix}/*`, (c) => sendBody(c, NOT_FOUND));
  }
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendBody(c, toAnswer(error));
  });
  return app;
}

/** Piston runs the main file with U+FFFD for what is not Unicode; a refusal would be tried again, six times. */
const CONTENTS = placesAt('files.0.content');

const NOT_FOUND: PistonAnswer = {
  status: 404,
  body: { message: 'Not Found' },
  code: 'no_such_endpoint',
};

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

function onlyJSON(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const type = c.req.header('content-type') ?? '';
    if (READING.has(c.req.method) || type.startsWith('application/json')) return await next();
    throw new Rejection('wrong_media_type', {
      detail: 'requests must be of type application/json',
    });
  };
}

const runtimes = (service: Service) => runtimesOf(service.languages());

function listRuntimes(service: Service): readonly object[] {
  return runtimes(service).map(({ language, version, aliases, runtime }) => ({
    language,
    version,
    aliases,
    ...(runtime === undefined ? {} : { runtime }),
  }));
}

type Change = (named: string) => PistonAnswer;

/** All that there is, is installed, and stays. */
const install: Change = () => ({
  status: 500,
  body: { message: 'Already installed' },
  code: null,
});
const uninstall: Change = (named) => ({
  status: 403,
  body: { message: `${named} is part of this service and cannot be uninstalled` },
  code: 'not_allowed',
});

async function changePackage(c: AppContext, deps: HTTPDeps, change: Change): Promise<Response> {
  using held = await readBody(c, deps);
  const fields = fieldsOf(parseJSON(held.take()));
  const [language, version] = [fields['language'], fields['version']].map((field) =>
    typeof field === 'string' ? field.slice(0, NAME_MAX) : '',
  );
  const wanted = { language: language ?? '', version: version ?? '' };
  const found = findPackage(packagesOf(runtimes(deps.service)), wanted);
  if (found !== null) return sendBody(c, change(`${found.language}-${found.language_version}`));
  const message = `Requested package ${wanted.language}-${wanted.version} does not exist`;
  return sendBody(c, { status: 404, body: { message }, code: null });
}

/** Characters of a name that are echoed. */
const NAME_MAX = 64;

async function execute(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, clock } = deps;
  const arrivedAt = clock.now();
  const job = await readJob(c, deps);
  Object.assign(c.get('logFields'), { submission_id: job.id, language: job.runtime.language });
  const { signal, leave } = untilGone(c, callerGone);
  const context = { signal, deadlineMs: null, isTold: true };
  const answer = perform(job, { service, clock, context }).then(
    ({ report, response }) => {
      Object.assign(c.get('logFields'), reportFields(report));
      return response;
    },
    (error: unknown) => {
      logUnknown(c, error, deps);
      return toAnswer(error);
    },
  );
  const counted = answer.then((each) => {
    if (each.code !== null) service.rejected(each.code);
    return each;
  });
  const silenceMs = Math.max(0, SILENCE_MS - (clock.now() - arrivedAt));
  return await sendSteadily(c, counted, { clock, silenceMs, cancel: leave });
}

async function readJob(c: AppContext, deps: HTTPDeps): Promise<Job> {
  const { service } = deps;
  using held = await readBody(c, deps);
  const installed = runtimes(service);
  return toJob(parseJSON(held.take(), CONTENTS), { installed, maxima: service.maxima, createId });
}

interface Performing {
  readonly service: Service;
  readonly clock: HTTPDeps['clock'];
  readonly context: CallContext;
}

interface PerformedJob {
  readonly report: RunReport | JudgeReport;
  readonly response: PistonAnswer;
}

/** Waits for a place in the queue, too: Piston has no answer for "too many". */
async function perform(job: Job, { service, clock, context }: Performing): Promise<PerformedJob> {
  const wait = { clock, signal: context.signal, deadlineAt: null };
  if (job.kind === 'run') {
    const report = await patiently(() => service.run(job.submission, context), wait);
    return { report, response: toPiston(job.toResponse(report), report) };
  }
  const report = await patiently(() => service.judge(job.submission, context), wait);
  return { report, response: toPiston(job.toResponse(report), report) };
}

function toPiston(body: object | null, { fault }: RunReport | JudgeReport): PistonAnswer {
  return body === null ? ofFault(fault) : { status: 200, body, code: null };
}
