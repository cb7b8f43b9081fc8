/** A service whose Redis is not there at its start, comes, dies and comes again: what it does meanwhile, and what it says. */
import { expect, it } from 'vitest';
import { z } from 'zod';

import { aJudge } from '../support/builders.ts';
import { toProblem } from '../support/client.ts';
import { freePorts } from '../support/ports.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { waitFor, within } from '../support/wait.ts';

const missing = redisMissing();
const LIMIT_MS = 60_000;
/** Nobody is held for it, on a busy machine neither, ms. */
const AT_ONCE_MS = 20_000;

const Degraded = z.looseObject({ degraded: z.array(z.string()) });
const Job = z.looseObject({ id: z.string(), ended: z.string().nullable(), accepted: z.number() });

it.skipIf(missing !== null)(
  `judges, refuses jobs and says so while Redis is away, and takes them when it comes${missing === null ? '' : ` (skipped: ${missing})`}`,
  async () => {
    const [port = 0] = await freePorts(1);
    await using service = await startService({
      languages: ['python'],
      flags: {
        '--self-test': 'none',
        '--slots': '1',
        '--redis-url': `redis://127.0.0.1:${port}`,
        '--redis-timeout-ms': '2000',
      },
    });
    const { client, url } = service;
    const degraded = async (): Promise<readonly string[]> =>
      Degraded.parse((await client.get('/readyz')).body).degraded;
    const isAway = async (): Promise<void> => {
      const isSaid = async () => ((await degraded()).includes('jobs') ? true : null);
      await waitFor(isSaid, { what: 'word of it', timeoutMs: LIMIT_MS });
      expect((await client.get('/readyz')).status).toBe(200);
      const capabilities = Degraded.parse((await client.get('/v1/capabilities')).body);
      expect(capabilities.degraded).toContain('jobs');
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain('assay_degraded{part="jobs"} 1');
      const asked = client.post('/v1/jobs', { testset: 'any', samples: [{ code: '1' }] });
      const refused = await within(asked, { what: 'refusal', timeoutMs: AT_ONCE_MS });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(toProblem(refused)).toMatchObject({ code: 'jobs_away' });
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'away' };
      const judged = await client.post('/v1/judge', aJudge(), { headers });
      expect(judged.body).toMatchObject({ reward: 1 });
    };
    const isBack = async (): Promise<void> => {
      const all = async () => ((await degraded()).length === 0 ? true : null);
      await waitFor(all, { what: 'the end of it', timeoutMs: LIMIT_MS });
      const created = await fetch(`${url}/v1/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(aJudge()),
      });
      expect(created.status).toBe(202);
      const { id } = Job.parse(await created.json());
      const ended = async () => {
        const job = Job.parse((await client.get(`/v1/jobs/${id}`)).body);
        return job.ended === null ? null : job;
      };
      const job = await waitFor(ended, { what: 'its end', timeoutMs: LIMIT_MS });
      expect(job.accepted).toBe(1);
    };
    for (let time = 0; time < 2; time += 1) {
      await isAway();
      await using ends = new AsyncDisposableStack();
      ends.adopt(await startRedis({ port }), async (redis) => await redis.stop());
      await isBack();
    }
  },
);
