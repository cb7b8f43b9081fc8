/** `/v1/jobs`: hand in, look at, read the results of, cancel and delete. Jobs of other tenants are not there. */
import { Hono } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import { JOB_BOUNDS } from '../../../domain/limits.ts';
import { ANONYMOUS, type Payer } from '../../../domain/tenant.ts';
import type { Job } from '../../../jobs/store.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { callerIn, knownCaller } from '../../middleware/caller/caller.ts';
import { NDJSON_MEDIA_TYPE } from '../../middleware/body/parse-json.ts';
import { methodNotAllowed } from '../../middleware/errors/errors.ts';
import { sendJSON } from '../../send-json.ts';
import { streamLines, wantsLines, type LineStreamContext } from '../line-stream.ts';
import type { JobWire } from '../schema/job.ts';
import { invalid } from '../validation.ts';
import { createJob } from './create-job.ts';

/** How often a stream looks for results, ms. */
const LOOK_MS = 250;
/** What a stream holds at once. */
const STREAM_PAGE = { limit: JOB_BOUNDS.pageDefault, chars: 1024 * 1024 };

const KEY_PATHS = ['/v1/jobs', '/v1/jobs/:id', '/v1/jobs/:id/results', '/v1/jobs/:id/cancel'];

export function jobRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of KEY_PATHS) app.use(path, knownCaller(deps));
  app.post('/v1/jobs', (c) => postJob(c, deps));
  app.get('/v1/jobs', (c) => listJobs(c, deps));
  app.all('/v1/jobs', methodNotAllowed(['GET', 'POST']));
  app.get('/v1/jobs/:id', async (c) => sendJSON(c, jobToWire(await ownJob(c, deps), deps)));
  app.delete('/v1/jobs/:id', (c) => deleteJob(c, deps));
  app.all('/v1/jobs/:id', methodNotAllowed(['GET', 'DELETE']));
  app.get('/v1/jobs/:id/results', (c) => getResults(c, deps));
  app.all('/v1/jobs/:id/results', methodNotAllowed(['GET']));
  app.post('/v1/jobs/:id/cancel', (c) => cancelJob(c, deps));
  app.all('/v1/jobs/:id/cancel', methodNotAllowed(['POST']));
  return app;
}

/** Its share is looked up when an item is judged. */
function payerOf(c: AppContext): Payer {
  return { ...ANONYMOUS, tenant: callerIn(c).tenant };
}

/** 202 with the job, once all of it is kept. */
async function postJob(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const id = await createJob(c, deps, payerOf(c));
  deps.jobs.runner.wake();
  const job = await found(id, deps);
  Object.assign(c.get('logFields'), { job: id, items: job.total });
  c.header('Location', `/v1/jobs/${id}`);
  return sendJSON(c, jobToWire(job, deps), 202);
}

async function listJobs(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const jobs = await deps.jobs.store.list(payerOf(c).tenant);
  return sendJSON(c, { jobs: jobs.map((job) => jobToWire(job, deps)) });
}

/** What is under way is stopped; results that are there stay. A job that has ended stays as it is. */
async function cancelJob(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { id } = await ownJob(c, deps);
  await deps.jobs.store.cancel(id);
  deps.jobs.runner.abandon(id);
  return sendJSON(c, jobToWire(await found(id, deps), deps));
}

async function deleteJob(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { id } = await ownJob(c, deps);
  await deps.jobs.store.cancel(id);
  deps.jobs.runner.abandon(id);
  await deps.jobs.store.remove(id);
  return c.body(null, 204);
}

async function getResults(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const job = await ownJob(c, deps);
  const cursor = wholeNumber(c, 'cursor', { least: 0, most: Number.MAX_SAFE_INTEGER, or: 0 });
  const limit = wholeNumber(c, 'limit', {
    least: 1,
    most: JOB_BOUNDS.page,
    or: JOB_BOUNDS.pageDefault,
  });
  const stream = c.req.query('stream');
  if (stream !== undefined && stream !== '1')
    throw invalid([{ path: 'stream', message: 'is 1, or left out' }]);
  if (wantsLines(c) || stream === '1') return streamResults(c, deps, job.id, cursor);
  const page = await deps.jobs.store.results(job.id, {
    cursor,
    limit,
    chars: JOB_BOUNDS.pageChars,
  });
  // Where the job ends between the two looks there is one more page, which is empty.
  const next = job.endedAt !== null && page.isEnd ? null : String(page.cursor);
  c.header('Content-Type', 'application/json');
  return c.body(`{"results":[${page.results.join(',')}],"cursor":${JSON.stringify(next)}}`);
}

/** Lines from the cursor on, as they come, until the job ends; then its state. */
function streamResults(c: AppContext, deps: HTTPDeps, id: string, from: number): Response {
  c.header('Content-Type', NDJSON_MEDIA_TYPE.name);
  const summary: Partial<JobWire> = {};
  const lines = async function* ({ signal }: LineStreamContext): AsyncGenerator<string> {
    let cursor = from;
    while (!signal.aborted) {
      const job = await found(id, deps);
      Object.assign(summary, jobToWire(job, deps));
      const page = await deps.jobs.store.results(id, { cursor, ...STREAM_PAGE });
      for (const line of page.results) yield `${line}\n`;
      cursor = page.cursor;
      if (page.results.length > 0) continue;
      if (job.endedAt !== null) return;
      if (deps.jobs.runner.isStopped)
        throw new Rejection('draining', { detail: 'the service is stopping' });
      await pause(LOOK_MS, deps, signal);
    }
  };
  return c.body(streamLines(c, summary, lines));
}

async function pause(ms: number, { clock }: HTTPDeps, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(ms, () => resolve());
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  timer.cancel();
  signal.removeEventListener('abort', onAbort);
}

/** Throws `no_such_job` for what is not there, or is another tenant's. */
async function ownJob(c: AppContext, deps: HTTPDeps): Promise<Job> {
  const job = await deps.jobs.store.get(c.req.param('id') ?? '');
  if (job?.payer.tenant !== payerOf(c).tenant) throw noSuchJob();
  return job;
}

async function found(id: string, { jobs }: HTTPDeps): Promise<Job> {
  const job = await jobs.store.get(id);
  if (job === null) throw noSuchJob();
  return job;
}

function noSuchJob(): Rejection {
  return new Rejection('no_such_job', { detail: 'no job of yours has this id; see /v1/jobs' });
}

function wholeNumber(
  c: AppContext,
  name: string,
  { least, most, or }: { readonly least: number; readonly most: number; readonly or: number },
): number {
  const text = c.req.query(name);
  if (text === undefined) return or;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid([{ path: name, message: `is a whole number, ${least} … ${most}` }]);
}

/** Pure. */
function jobToWire(job: Job, { clock }: Pick<HTTPDeps, 'clock'>): JobWire {
  const { id, state, total, counts, createdAt, startedAt, endedAt } = job;
  const { done, accepted, faults, rejected } = counts;
  const seconds = startedAt === null ? 0 : ((endedAt ?? clock.date().getTime()) - startedAt) / 1000;
  return {
    ...{ id, state, total, done, accepted, faults, rejected },
    rate_per_s:
      startedAt === null ? null : Math.round((done / Math.max(seconds, 0.001)) * 100) / 100,
    created: new Date(createdAt).toISOString(),
    started: startedAt === null ? null : new Date(startedAt).toISOString(),
    ended: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}
