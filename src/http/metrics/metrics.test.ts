/** `/metrics` as a scraper sees it: names, labels of a closed set, and figures of the service. */
import { describe, expect, it } from 'vitest';

import { aJudgeBody, createTestApp, post } from '../test-support/scripted-service.ts';

type App = ReturnType<typeof createTestApp>['app'];

async function scrape(app: App): Promise<string[]> {
  const response = await app.request('/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await response.text()).split('\n');
}

describe('GET /metrics', () => {
  it('counts requests by surface, pattern of the route, method and status', async () => {
    const { app } = createTestApp();
    await app.request('/v1/judge', post(aJudgeBody()));
    await app.request('/v1/judge', post('{'));
    await app.request('/v1/testsets/what-somebody-asks-for');
    await app.request('/no/such/path/4711');
    await app.request('/api/v2/runtimes');
    await app.request('/run_code', post({ code: 'print(1)', language: 'python' }));
    const requests = (await scrape(app)).filter((line) =>
      line.startsWith('assay_http_requests_total'),
    );
    const label = (surface: string, route: string, method: string, status: number) =>
      `assay_http_requests_total{surface="${surface}",route="${route}",method="${method}",status="${status}"} 1`;
    expect(requests).toEqual([
      label('native', '/v1/judge', 'POST', 200),
      label('native', '/v1/judge', 'POST', 400),
      label('native', '/v1/testsets/:id', 'GET', 404),
      label('own', '*', 'GET', 404),
      label('piston', '/api/v2/runtimes', 'GET', 200),
      label('sandbox_fusion', '/run_code', 'POST', 200),
    ]);
  });

  it('tells what the service counts itself', async () => {
    const { app } = createTestApp();
    await app.request('/v1/judge', post('{'));
    expect(await scrape(app)).toEqual(
      expect.arrayContaining([
        'assay_ready 1',
        'assay_slots 2',
        'assay_queue_limit 10',
        'assay_rejections_total{code="malformed_json"} 1',
        'assay_run_outcomes_total{environment="python",outcome="exited"} 1',
        'assay_jails{pool="python",state="ready"} 2',
        'assay_jail_memory_bytes{kind="idle"} 2048',
        'assay_host_free_bytes{resource="disk"} 4096',
        'assay_host_used_ratio{resource="disk"} 0.255',
        'assay_host_full{resource="disk"} 0',
        'assay_language_available{language="python"} 1',
        'assay_language_available{language="bash"} 0',
        'assay_body_bytes 0',
        'assay_event_loop_delay_seconds{percentile="99"} 0.003',
      ]),
    );
  });

  it('says the same twice, but for what has happened meanwhile', async () => {
    const { app } = createTestApp();
    const first = await scrape(app);
    const second = await scrape(app);
    const steady = (lines: string[]) =>
      lines.filter((line) => !/^(?:process_|nodejs_|assay_http_)/.test(line));
    expect(steady(second)).toEqual(steady(first));
  });

  it('describes each metric once, and has units that Prometheus knows', async () => {
    const { app } = createTestApp();
    const lines = await scrape(app);
    const described = lines.flatMap((line) => /^# HELP (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(described).size).toBe(described.length);
    expect(described.length).toBeGreaterThan(30);
    for (const name of described) expect(name).toMatch(/^(?:assay|process|nodejs)_[a-z_]+$/);
    expect(described.filter((name) => /_(?:ms|millis|mb|kb)(?:_|$)/.test(name))).toEqual([]);
  });

  it('has no other methods', async () => {
    const { app } = createTestApp();
    expect((await app.request('/metrics', { method: 'POST' })).status).toBe(405);
  });
});

describe('the log', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/dashboard/data'])(
    'tells of looks at %s only when asked for everything',
    async (path) => {
      const { app, lines } = createTestApp();
      await app.request(path);
      expect(lines.map(({ level }) => level)).toEqual(['debug']);
    },
  );

  it('is not filled by looks at a service that is not ready', async () => {
    const { app, lines } = createTestApp({ script: { ready: false } });
    expect((await app.request('/readyz')).status).toBe(503);
    expect(lines.map(({ level }) => level)).toEqual(['debug']);
  });
});
