/** Jobs over HTTP: what is taken, how far it is, pages and streams, tries after faults, refusals, tenants. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { JOB_BOUNDS } from '../../../domain/limits.ts';
import {
  aCase,
  aFault,
  aJudgeBody,
  aJudgeReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { JobList, JobResults, JobWire } from '../schema/job.ts';

type App = ReturnType<typeof createTestApp>;
const running: App[] = [];
afterEach(async () => {
  for (const { deps } of running.splice(0)) {
    await deps.jobs.runner.stop();
    await deps.jobs.store.close();
  }
});

function start(options: Parameters<typeof createTestApp>[0] = {}): App {
  const made = createTestApp(options);
  running.push(made);
  made.deps.jobs.runner.start();
  return made;
}

const lines = (bodies: readonly unknown[]): RequestInit =>
  post(
    bodies.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
    'application/x-ndjson',
  );

async function create({ app }: App, bodies: readonly unknown[]): Promise<JobWire> {
  const response = await app.request('/v1/jobs', lines(bodies));
  expect(response.status).toBe(202);
  const job = JobWire.parse(await response.json());
  expect(response.headers.get('location')).toBe(`/v1/jobs/${job.id}`);
  return job;
}

const get = async ({ app }: App, path: string): Promise<unknown> =>
  await (await app.request(path)).json();
const jobOf = async (app: App, id: string): Promise<JobWire> =>
  JobWire.parse(await get(app, `/v1/jobs/${id}`));

async function ended(app: App, id: string): Promise<JobWire> {
  return await expect
    .poll(async () => await jobOf(app, id), { timeout: 20_000 })
    .toMatchObject({ ended: expect.any(String) })
    .then(async () => await jobOf(app, id));
}

async function resultsOf(app: App, id: string): Promise<JobResults['results']> {
  const { results, cursor } = JobResults.parse(await get(app, `/v1/jobs/${id}/results?limit=1000`));
  expect(cursor).toBeNull();
  return results;
}

describe('/v1/jobs', { timeout: 30_000 }, () => {
  it('judges every line once, with its own answer, wrong ones included', async () => {
    const app = start();
    const good = { id: 'a', ...aJudgeBody() };
    const { id, total } = await create(app, [
      good,
      '{',
      aJudgeBody({ lang: 'x' }),
      '',
      aJudgeBody(),
    ]);
    expect(total).toBe(4);
    expect(await ended(app, id)).toMatchObject({
      ...{ state: 'done', total: 4, done: 4, accepted: 2, rejected: 2, faults: 0 },
      rate_per_s: expect.any(Number),
    });
    const results = await resultsOf(app, id);
    expect(
      results.toSorted((a, b) => ('line' in a && 'line' in b ? a.line - b.line : 0)),
    ).toMatchObject([
      { line: 1, id: 'a', verdict: 'accepted', reward: 1 },
      { line: 2, error: { code: 'malformed_json' } },
      { line: 3, error: { code: 'invalid', errors: [{ path: 'lang' }] } },
      { line: 5, verdict: 'accepted' },
    ]);
  });

  it('goes behind those who wait, in the name of its tenant', async () => {
    const seen: object[] = [];
    const script: Script = {
      async judge({ id }, { priority, payer }) {
        seen.push({ priority, payer });
        return aJudgeReport({ id });
      },
    };
    const app = start({ script });
    await ended(app, (await create(app, [aJudgeBody()])).id);
    expect(seen).toEqual([{ priority: -5, payer: { tenant: 'anonymous', weight: 1 } }]);
  });

  it('tries a fault again, and gives null where it stays', async () => {
    const tries = new Map<string, number>();
    const script: Script = {
      async judge({ id, labels }) {
        const count = (tries.get(labels['item'] ?? '') ?? 0) + 1;
        tries.set(labels['item'] ?? '', count);
        const isFault = labels['item'] === 'always' || count < 3;
        const fault = { ...aFault, retryable: labels['item'] !== 'never' };
        return isFault
          ? aJudgeReport({ id, verdict: 'fault', reward: null, fault, cases: [] })
          : aJudgeReport({ id });
      },
    };
    const app = start({ script });
    const items = ['twice', 'always', 'never'].map((item) => aJudgeBody({ labels: { item } }));
    const { id } = await create(app, items);
    expect(await ended(app, id)).toMatchObject({ done: 3, accepted: 1, faults: 2, rejected: 0 });
    expect(Object.fromEntries(tries)).toEqual({ twice: 3, always: 3, never: 1 });
    const results = await resultsOf(app, id);
    const rewards = results.map((each) =>
      'reward' in each ? `${each.line} ${each.reward}` : String(each.line),
    );
    expect(rewards.toSorted()).toEqual(['1 1', '2 null', '3 null']);
  });

  it('hands an item on whose test set another replica may have, and refuses it where there is none', async () => {
    const testsetFolder = await mkdtemp(join(tmpdir(), 'assay-jobs-'));
    try {
      const items = [{ language: 'python', code: 'print(3)', testset: 'late/one' }];
      const alone = start();
      const refused = await ended(alone, (await create(alone, items)).id);
      expect(refused).toMatchObject({ done: 1, rejected: 1 });
      const app = start({ testsetFolder });
      const { id } = await create(app, items);
      const misses = () => app.deps.service.stats().rejections['no_such_testset'] ?? 0;
      await expect.poll(misses, { timeout: 20_000 }).toBeGreaterThan(3);
      // As if the next to claim it were one that has the set.
      const calibration = { mode: null, references: 0, runs: 0, controls: 0, cpuMsMax: 0 };
      const tests = { kind: 'stdio', cases: [{ expected_stdout: '3\n' }] };
      const problems = [{ id: 'one', calibration, judge: { tests } }];
      await app.deps.testsets.publish({ id: 'late', hidden: true, problems });
      expect(await ended(app, id)).toMatchObject({ done: 1, accepted: 1, rejected: 0 });
    } finally {
      await rm(testsetFolder, { recursive: true });
    }
  });

  it('waits where the queue is full, and spends no try on it', async () => {
    let refusals = 5;
    const script: Script = {
      async judge({ id }) {
        if (refusals-- > 0) throw rejection(refusals % 2 === 0 ? 'queue_full' : 'host_full', 1);
        return aJudgeReport({ id });
      },
    };
    const app = start({ script });
    const { id } = await create(app, [aJudgeBody()]);
    expect(await ended(app, id)).toMatchObject({ accepted: 1, faults: 0, rejected: 0 });
  });

  it('streams results as they come and its state at the end', async () => {
    const release = Promise.withResolvers<void>();
    const script: Script = {
      async judge({ id, labels }) {
        if (labels['item'] === 'late') await release.promise;
        return aJudgeReport({ id });
      },
    };
    const app = start({ script });
    const { id } = await create(app, [aJudgeBody(), aJudgeBody({ labels: { item: 'late' } })]);
    const response = await app.app.request(`/v1/jobs/${id}/results?stream=1`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = (response.body ?? new ReadableStream<Uint8Array>())
      .pipeThrough(new TextDecoderStream())
      .getReader();
    expect(JSON.parse((await reader.read()).value ?? '')).toMatchObject({ line: 1 });
    release.resolve();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    const [second, summary] = rest
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(second).toMatchObject({ line: 2 });
    expect(summary).toMatchObject({ summary: { id, state: 'done', done: 2 } });
  });

  it('gives pages, and a cursor until the job has ended and all is read', async () => {
    const app = start();
    const { id } = await create(
      app,
      Array.from({ length: 5 }, () => aJudgeBody()),
    );
    await ended(app, id);
    const seen: unknown[] = [];
    let cursor: string | null = '0';
    let pages = 0;
    while (cursor !== null) {
      const page = JobResults.parse(
        await get(app, `/v1/jobs/${id}/results?limit=2&cursor=${cursor}`),
      );
      seen.push(...page.results);
      cursor = page.cursor;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toHaveLength(5);
  });

  it('cancels what is under way and what waits, and keeps what is there', async () => {
    const signals: AbortSignal[] = [];
    const script: Script = {
      judge: async ({ id, labels }, { signal }) => {
        if (labels['item'] !== 'slow') return aJudgeReport({ id });
        signals.push(signal);
        return await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(rejection('caller_gone'))),
        );
      },
    };
    const app = start({ script });
    const slow = aJudgeBody({ labels: { item: 'slow' } });
    const { id } = await create(app, [aJudgeBody(), slow, slow, slow]);
    await expect.poll(() => signals.length).toBe(2);
    const response = await app.app.request(`/v1/jobs/${id}/cancel`, { method: 'POST' });
    expect(await response.json()).toMatchObject({ state: 'cancelled', done: 1, total: 4 });
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await resultsOf(app, id)).toMatchObject([{ line: 1 }]);
    expect((await app.app.request(`/v1/jobs/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.app.request(`/v1/jobs/${id}`)).status).toBe(404);
    expect(JobList.parse(await get(app, '/v1/jobs'))).toEqual({ jobs: [] });
  });

  it('shows nobody the jobs of others', async () => {
    const app = start();
    await app.deps.jobs.store.create({ id: 'job_x', payer: { tenant: 'other', weight: 1 } });
    await app.deps.jobs.store.seal('job_x');
    expect(JobList.parse(await get(app, '/v1/jobs'))).toEqual({ jobs: [] });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/results'],
      ['POST', '/cancel'],
    ]) {
      const response = await app.app.request(`/v1/jobs/job_x${path}`, { method: method ?? '' });
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { code: 'no_such_job' },
      ]);
    }
    expect(await app.deps.jobs.store.get('job_x')).not.toBeNull();
  });

  it.each<[string, RequestInit, number, object]>([
    ['no items', lines(['', ' ']), 422, { code: 'invalid' }],
    [
      'bytes that are no text',
      post(Buffer.from([0x22, 0xff, 0x22]), 'application/x-ndjson'),
      400,
      { code: 'malformed_json' },
    ],
    ['another media type', post('x', 'text/plain'), 415, { code: 'wrong_media_type' }],
    [
      'a test set that is not there',
      post({ testset: 'none', samples: [{ code: '' }] }),
      404,
      { code: 'no_such_testset' },
    ],
    [
      'a wrong field',
      post({ testset: 'a', samples: [{ cod: '' }] }),
      422,
      { errors: [{ path: 'samples[0].cod' }] },
    ],
    ['no samples', post({ testset: 'a', samples: [] }), 422, { errors: [{ path: 'samples' }] }],
  ])('refuses %s, and keeps nothing of it', async (_name, request, status, problem) => {
    const app = start();
    const response = await app.app.request('/v1/jobs', request);
    expect([response.status, await response.json()]).toMatchObject([status, problem]);
    expect(JobList.parse(await get(app, '/v1/jobs'))).toEqual({ jobs: [] });
  });

  it('has bounds on jobs, bytes and pages', async () => {
    const app = start();
    const { store } = app.deps.jobs;
    const payer = { tenant: 'anonymous', weight: 1 };
    for (let at = 0; at < JOB_BOUNDS.open; at += 1) await store.create({ id: `job_${at}`, payer });
    const full = await app.app.request('/v1/jobs', lines([aJudgeBody()]));
    expect([full.status, await full.json()]).toMatchObject([429, { code: 'jobs_full' }]);
    expect(full.headers.get('retry-after')).toBe('10');
    await store.remove('job_0');
    await create(app, [aJudgeBody()]);
    const small = start({ jobsMaxBytes: 100_000 });
    const large = await small.app.request(
      '/v1/jobs',
      lines([aJudgeBody({ code: '#'.repeat(200_000) })]),
    );
    expect([large.status, await large.json()]).toMatchObject([413, { code: 'too_large' }]);
    expect(JobList.parse(await get(small, '/v1/jobs'))).toEqual({ jobs: [] });
    // Each is small enough, and the second finds too little room when its bytes are there.
    const shared = start({ jobsMaxBytes: 1_000_000, jobsShare: 0.5 });
    const sized = (bytes: number) => lines([aJudgeBody({ code: '#'.repeat(bytes) })]);
    expect((await shared.app.request('/v1/jobs', sized(300_000))).status).toBe(202);
    const beyond = await shared.app.request('/v1/jobs', sized(300_000));
    expect([beyond.status, await beyond.json()]).toMatchObject([429, { code: 'jobs_full' }]);
    expect(JobList.parse(await get(shared, '/v1/jobs')).jobs).toHaveLength(1);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=-1']) {
      const response = await app.app.request(`/v1/jobs/job_1/results?${query}`);
      expect(response.status, query).toBe(422);
    }
  });

  it('leaves out cases where a result is large', async () => {
    const script: Script = {
      judge: async ({ id }) =>
        aJudgeReport({
          id,
          cases: Array.from({ length: 2000 }, (_, at) => aCase({ id: String(at) })),
        }),
    };
    const app = start({ script });
    const { id } = await create(app, [aJudgeBody()]);
    await ended(app, id);
    const text = await (await app.app.request(`/v1/jobs/${id}/results`)).text();
    expect(text.length).toBeLessThan(JOB_BOUNDS.resultChars);
    expect(JSON.parse(text)).toMatchObject({ results: [{ cases: [], cases_left_out: true }] });
  });
});
