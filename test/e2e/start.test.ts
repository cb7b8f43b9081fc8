/** The first minute of a newcomer: the start says what to try, that works as pasted, and the next start is quick. */
import { rm } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { command } from '../support/command.ts';
import { startService, temporaryFolder } from '../support/service.ts';

/** The promise is 2 s on a machine of its own; this one may be shared. */
const SECOND_START_MAX_MS = 5000;

describe('npm start', () => {
  it('prints a request to try that works when pasted', async () => {
    await using service = await startService();
    const pasted = service
      .output()
      .split('\n')
      .find((line) => line.trimStart().startsWith('curl '));
    expect(pasted).toBeDefined();
    const { code, stdout } = await command(['/bin/sh', '-c', pasted ?? '']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'accepted', reward: 1 });
  });

  it('serves at once the second time', async ({ annotate }) => {
    const stateDir = await temporaryFolder();
    const first = await startService({ stateDir });
    await first.stop({ keepState: true });
    const second = await startService({ stateDir });
    const figures = [first, second].map(
      ({ servedAfterMs, readyAfterMs }) =>
        `served ${Math.round(servedAfterMs)} ms, ready ${Math.round(readyAfterMs)} ms`,
    );
    await annotate(`first start: ${figures[0]}; second: ${figures[1]}`);
    expect(second.servedAfterMs).toBeLessThan(SECOND_START_MAX_MS);
    await second.stop();
  });

  it('offers every language and counts no submission, however short the queue is', async () => {
    await using service = await startService({ flags: { '--slots': '1', '--queue-length': '0' } });
    const { client } = service;
    const failed = (await client.languages()).filter(({ reason }) => reason?.includes('self-test'));
    expect(failed).toEqual([]);
    const { body } = await client.get('/v1/stats');
    expect(body).toMatchObject({
      submissions: { run: 0, judged: 0, faults: 0 },
      rejections: {},
    });
  });

  it('answers what it is and what it can do', async () => {
    await using service = await startService();
    const { client } = service;
    expect((await client.get('/healthz')).status).toBe(200);
    expect((await client.get('/readyz')).status).toBe(200);
    const capabilities = await client.get('/v1/capabilities');
    const Shown = z.looseObject({
      walls: z.array(z.looseObject({ wall: z.string(), available: z.boolean() })),
      cgroup: z.enum(['v2', 'v1', 'none']),
    });
    expect(Shown.parse(capabilities.body).walls[0]).toMatchObject({
      wall: 'nsjail',
      available: true,
    });
    // Never a weaker wall than was asked for.
    const wish = { language: 'python', code: 'print(1)', wall: 'gvisor' };
    const refused = await client.post('/v1/run', wish);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: 'wall_unavailable', errors: [{ path: 'wall' }] });
    const openapi = await client.get('/openapi.json');
    expect(openapi.body).toMatchObject({
      paths: { '/v1/run': {}, '/v1/judge': {}, '/v1/judge/batch': {} },
    });
  });

  it('is quiet about programs: neither code nor input is logged', async () => {
    const stateDir = await temporaryFolder();
    const service = await startService({ stateDir, flags: { '--log-level': 'debug' } });
    const secret = 'k7-do-not-log';
    await service.client.run({
      language: 'python',
      code: `print("${secret}", input())`,
      stdin: secret,
    });
    await service.client.run({ language: 'python', code: `raise ValueError("${secret}")` });
    await service.stop({ keepState: true });
    expect(service.output()).not.toContain(secret);
    // One line a request says it all.
    const lines = service.output().split('\n');
    const requests = lines.filter((line) => line.includes('"route":"/v1/run"'));
    expect(requests.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual([
      'exited',
      'exited',
    ]);
    expect(lines.filter((line) => line.includes('"msg":"submission"'))).toEqual([]);
    await rm(stateDir, { recursive: true });
  });
});
