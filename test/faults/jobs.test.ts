/**
 * Jobs through the death of their service: killed in the middle and started again, it ends every job with one result an item;
 * stopped in order, it gives back what it had under way; with Redis another service goes on meanwhile.
 */
import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { JobResults, JobWire } from '../../src/http/native/schema/job.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { skipNote } from '../contract/walls.ts';

const LIMIT_MS = 90_000;
const tests = { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] };
const RIGHT = 'print(sum(map(int, input().split())))\n';
const SLOW = `import time\ntime.sleep(2)\n${RIGHT}`;

let stateDir: string;
let service: RunningService;
beforeAll(async () => {
  stateDir = await temporaryFolder();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await rm(stateDir, { recursive: true, force: true });
});

const start = async (flags: Readonly<Record<string, string>> = {}): Promise<RunningService> =>
  await startService({
    ...('--redis-url' in flags ? {} : { stateDir }),
    languages: ['python'],
    flags: { '--slots': '2', ...flags },
  });

async function create(url: string, bodies: readonly object[]): Promise<string> {
  const response = await fetch(`${url}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: bodies.map((each) => JSON.stringify(each)).join('\n'),
  });
  expect(response.status).toBe(202);
  return JobWire.parse(await response.json()).id;
}

const jobOf = async (url: string, id: string): Promise<JobWire> =>
  JobWire.parse(await (await fetch(`${url}/v1/jobs/${id}`)).json());

async function reached(
  url: string,
  id: string,
  isThere: (job: JobWire) => boolean,
): Promise<JobWire> {
  const look = async (): Promise<JobWire | null> => {
    const job = await jobOf(url, id);
    return isThere(job) ? job : null;
  };
  return await waitFor(look, { what: 'progress of the job', timeoutMs: LIMIT_MS });
}

/** Line and verdict of every result, in order of the lines. */
async function resultsOf(url: string, id: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = '0'; cursor !== null;) {
    const response = await fetch(`${url}/v1/jobs/${id}/results?limit=7&cursor=${cursor}`);
    const page = JobResults.parse(await response.json());
    for (const each of page.results)
      seen.push(`${each.line} ${'verdict' in each ? each.verdict : each.error.code}`);
    ({ cursor } = page);
  }
  return seen.toSorted((one, other) => Number.parseInt(one) - Number.parseInt(other));
}

/** Some quick ones, two that hold both slots for a while, and more behind them. */
const items = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => {
    const code = at === 6 || at === 7 ? SLOW : at % 3 === 0 ? 'print(4)' : RIGHT;
    return { language: 'python', code, tests };
  });
const expected = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const isWrong = at !== 6 && at !== 7 && at % 3 === 0;
    return `${at + 1} ${isWrong ? 'wrong_answer' : 'accepted'}`;
  });

describe('a job', () => {
  it('takes samples of a test set, while others are answered at once', async () => {
    const { client } = service;
    await client.post('/v1/testsets', {
      id: 'sums',
      problems: [{ id: 'two', language: 'python', tests, references: [{ code: RIGHT }] }],
      calibrate: { runs: 1 },
    });
    const samples = [
      { problem: 'two', code: RIGHT, id: 'mine' },
      { completion: `\`\`\`python\nprint(4)\n\`\`\`` },
      { problem: 'three', code: RIGHT },
      ...Array.from({ length: 20 }, () => ({ problem: 'two', code: RIGHT })),
    ];
    const { status, body } = await client.post('/v1/jobs', { testset: 'sums', samples });
    expect(status).toBe(202);
    const { id } = JobWire.parse(body);
    const answer = await client.post('/v1/judge', { language: 'python', code: RIGHT, tests });
    expect(answer.body).toMatchObject({ reward: 1 });
    const job = await reached(service.url, id, ({ ended }) => ended !== null);
    expect(job).toMatchObject({ total: 23, accepted: 21, rejected: 1, faults: 0 });
    const stream = await fetch(`${service.url}/v1/jobs/${id}/results?stream=1`);
    const lines = (await stream.text()).trim().split('\n');
    expect(lines).toHaveLength(24);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 1, id: 'mine', reward: 1 }),
        expect.objectContaining({ line: 2, reward: 0 }),
        expect.objectContaining({
          line: 3,
          error: expect.objectContaining({ code: 'no_such_testset' }),
        }),
      ]),
    );
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ summary: { id, state: 'done' } });
  });

  it('survives kill -9 and a stop in order: no item lost, none counted twice', async () => {
    const id = await create(service.url, items(40));
    const before = await reached(service.url, id, ({ done }) => done >= 6);
    service.kill('SIGKILL');
    await service.exited(LIMIT_MS);

    service = await start();
    const found = await jobOf(service.url, id);
    expect(found.done).toBeGreaterThanOrEqual(before.done);
    expect(found.total).toBe(40);
    const later = await create(service.url, items(12));
    await reached(service.url, later, ({ done }) => done >= 2);
    await service.stop({ keepState: true });

    service = await start();
    const done = await reached(service.url, id, ({ ended }) => ended !== null);
    expect(done).toMatchObject({ state: 'done', total: 40, done: 40, faults: 0, rejected: 0 });
    expect(await resultsOf(service.url, id)).toEqual(expected(40));
    await reached(service.url, later, ({ ended }) => ended !== null);
    expect(await resultsOf(service.url, later)).toEqual(expected(12));
  });

  const missing = redisMissing();
  it.skipIf(missing !== null)(
    `in Redis is ended by another service where one is killed${skipNote(missing)}`,
    async () => {
      const redis = await startRedis();
      try {
        const flags = { '--redis-url': redis.url };
        const [killed, left] = await Promise.all([start(flags), start(flags)]);
        await using _ = new AsyncDisposableStack();
        _.use(killed);
        _.use(left);
        const id = await create(killed.url, items(40));
        await reached(left.url, id, ({ done }) => done >= 6);
        killed.kill('SIGKILL');
        await killed.exited(LIMIT_MS);
        const done = await reached(left.url, id, ({ ended }) => ended !== null);
        expect(done).toMatchObject({ state: 'done', total: 40, done: 40, faults: 0 });
        expect(await resultsOf(left.url, id)).toEqual(expected(40));
      } finally {
        await redis.stop();
      }
    },
  );
});
