/**
 * What operators see of a real service under work: metrics, traces, log, dashboard and API page, in a real browser where
 * there is one; and that neither they nor a jail get what is not theirs. One service for all, in the order of its life.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumMissing, startChromium, type Browser } from '../support/chromium.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

/** What must never be seen outside of answers, and what must never be seen inside of jails. */
const CODE = 'the-code-of-the-caller';
const STDIN = 'the-input-of-the-caller';
const EXPECTED = 'the-expected-output';
const KEY = 'a-key-of-the-service';

/** A checker that fails, and says what it should not be heard to say. */
const TELLTALE = 'import sys; sys.stderr.write(open(sys.argv[3]).read()); sys.exit(3)';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector: takes OTLP over HTTP in JSON and keeps it. */
async function startCollector() {
  const bodies: string[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['authorization']}`);
    void text(request).then((body) => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    text: () => bodies.join('\n'),
    exports: () => bodies.map((body) => JSON.parse(body) as Export),
    close: () => server.close(),
  };
}

const missing = chromiumMissing();
const note = missing === null ? '' : ` (left out: ${missing})`;
const PROMTOOL = 'promtool';
const withoutPromtool = spawnSync(PROMTOOL, ['--version']).status !== 0;

describe('a service that is seen', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let service: RunningService;
  let browser: Browser | null = null;
  const page = () => {
    if (browser === null) throw new Error('no browser');
    return browser.page;
  };
  const ask = async (path: string, init?: RequestInit) => await fetch(service.url + path, init);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const type = path.endsWith('batch') ? 'application/x-ndjson' : 'application/json';
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    const init = { method: 'POST', headers: { 'content-type': type, ...headers }, body: raw };
    return await (await ask(path, init)).text();
  };
  const aJudge = (code = `print(input()) # ${CODE}`) => ({
    language: 'python',
    code,
    tests: { kind: 'stdio', cases: [{ stdin: `${STDIN}\n`, expected_stdout: `${STDIN}\n` }] },
  });
  const metrics = async () => (await (await ask('/metrics')).text()).split('\n');

  beforeAll(async () => {
    collector = await startCollector();
    service = await startService({
      languages: ['python', 'bash', 'javascript'],
      flags: { '--log-level': 'info' },
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${KEY}`,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        REDIS_URL: `redis://:${KEY}@127.0.0.1:1`,
      },
    });
    if (missing === null) browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service.stop();
    collector.close();
  });

  it.skipIf(missing !== null)(`shows an empty dashboard with what to do first${note}`, async () => {
    await page().resize(1280, 900);
    await page().open(`${service.url}/dashboard`);
    await page().until(`document.body.dataset.state === 'ready'`);
    await page().until(`!document.querySelector('#empty').hidden`);
    expect(await page().evaluate(`document.querySelector('#example').textContent`)).toContain(
      `curl -s ${service.url}/v1/judge`,
    );
    expect(await page().evaluate(`document.querySelector('#tenants').textContent`)).toBe(
      'Nobody yet.',
    );
  });

  it('counts what it is asked for', async () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    const report = await post('/v1/judge', aJudge(), { traceparent });
    expect(report).toContain('"accepted"');
    const wrong = {
      ...aJudge(),
      tests: { kind: 'stdio', cases: [{ stdin: STDIN, expected_stdout: EXPECTED }] },
    };
    await post('/v1/judge/batch', [aJudge(), wrong].map((each) => JSON.stringify(each)).join('\n'));
    await post('/run_code', { code: `# ${CODE}`, language: 'python' });
    await post('/v1/judge', { ...aJudge(), cod: CODE });
    const broken = { language: 'python', convention: 'testlib', code: TELLTALE };
    await post('/v1/judge', { ...aJudge(), compare: { checker: broken } });
    const lines = await metrics();
    expect(lines).toEqual(
      expect.arrayContaining([
        'assay_http_requests_total{surface="native",route="/v1/judge",method="POST",status="200"} 2',
        'assay_http_requests_total{surface="native",route="/v1/judge/batch",method="POST",status="200"} 1',
        'assay_http_requests_total{surface="sandbox_fusion",route="/run_code",method="POST",status="200"} 1',
        'assay_submissions_total{kind="judge",language="python",result="accepted",class="passed"} 2',
        'assay_submissions_total{kind="judge",language="python",result="wrong_answer",class="failed"} 1',
        'assay_submissions_total{kind="judge",language="python",result="fault",class="fault"} 1',
        'assay_tenant_submissions_total{tenant="anonymous",class="passed"} 3',
        'assay_faults_total{code="checker_failed"} 1',
        'assay_rejections_total{code="invalid"} 1',
        'assay_queue_wait_seconds_count 5',
        'assay_ready 1',
      ]),
    );
  });

  it('writes metrics in the format of Prometheus', async (context) => {
    context.skip(withoutPromtool, 'promtool is not on PATH (Debian: apt-get install prometheus)');
    const checked = spawnSync(PROMTOOL, ['check', 'metrics'], {
      input: (await metrics()).join('\n'),
    });
    expect(String(checked.stderr)).toBe('');
    expect(checked.status).toBe(0);
  });

  it.skipIf(missing !== null)(
    `shows all that on the dashboard, also on a phone${note}`,
    async () => {
      await page().until(`document.querySelector('#empty').hidden`);
      await page().until(`document.querySelector('#tenants').textContent.includes('anonymous')`);
      await page().until(`document.querySelector('#results').textContent.includes('wrong answer')`);
      await page().until(
        `document.querySelector('#fault-list').textContent.includes('checker_failed')`,
      );
      await page().until(`document.querySelector('#rejections').textContent.includes('invalid')`);
      await page().until(`document.querySelector('#p95').textContent.endsWith('s')`);
      await page().until(`document.querySelectorAll('#latency tr').length === 6`);
      const languages = String(
        await page().evaluate(`document.querySelector('#languages').textContent`),
      );
      expect(languages).toMatch(/Python 3available/);
      expect(languages).toMatch(/Gonot available: not served/);
      // Pictures say in words what they show; headings, tables and regions have names.
      const unnamed = `[...document.querySelectorAll('svg, section, [role=region]')]
      .filter((each) => !each.getAttribute('aria-label') && !each.getAttribute('aria-labelledby') && each.id !== 'empty').length`;
      expect(await page().evaluate(unnamed)).toBe(0);
      for (const [width, scheme] of [
        [375, 'dark'],
        [1280, 'light'],
      ] as const) {
        await page().prefer(scheme);
        await page().resize(width, 800);
        await page().until(`innerWidth === ${width}`);
        expect(await page().evaluate(`document.documentElement.scrollWidth`)).toBe(width);
        const dark = await page().evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);
        expect(dark).toBe(scheme === 'dark');
        const ground = await page().evaluate(`getComputedStyle(document.body).backgroundColor`);
        expect(ground).toBe(scheme === 'dark' ? 'rgb(16, 19, 24)' : 'rgb(244, 245, 247)');
      }
      expect((await page().picture()).length).toBeGreaterThan(10_000);
    },
  );

  it('gives jails nothing of its environment', async () => {
    const programs = [
      ['python', 'import os; print(dict(os.environ), open("/proc/self/environ").read())'],
      ['bash', 'env; cat /proc/*/environ; cat /proc/*/cmdline'],
      ['javascript', 'console.log(JSON.stringify(process.env), process.argv)'],
      [
        'javascript',
        'require("fs"); console.log(JSON.stringify(process.env), require("child_process").execSync("cat /proc/*/environ").toString())',
      ],
    ];
    for (const [language, code] of programs) {
      const answer = JSON.parse(await post('/v1/run', { language, code })) as {
        readonly outcome: { readonly stdout: string; readonly exit_code: number } | null;
      };
      expect(answer.outcome?.stdout, code).toMatch(/PATH/);
      expect(answer.outcome?.stdout, code).not.toMatch(/OTEL|REDIS|ASSAY/);
      expect(answer.outcome?.stdout, code).not.toContain(KEY);
    }
  });

  it.skipIf(missing !== null)(`shows its API, with nothing from elsewhere${note}`, async () => {
    const { complaints, requested } = page();
    expect(complaints, 'the dashboard').toEqual([]);
    await page().open(`${service.url}/docs`);
    await page().until(`document.querySelectorAll('.opblock').length > 20`);
    // One with a small answer: what is unfolded is worked out then.
    const health = `[...document.querySelectorAll('.opblock')].find((each) => each.textContent.includes('/healthz'))`;
    await page().evaluate(`${health}.querySelector('.opblock-summary-control').click()`);
    await page().until(`document.querySelector('.opblock.is-open .responses-wrapper')`);
    expect(complaints, 'the API page').toEqual([]);
    const elsewhere = requested.filter((url) => !url.startsWith(`${service.url}/`));
    expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
    await page().open(`${service.url}/dashboard`);
    await page().until(`document.body.dataset.state === 'ready'`);
  });

  it('ends, and the dashboard says so', async () => {
    // Sent every five seconds; whatever is left goes at the end.
    await waitFor(() => (collector.text().includes('/v1/judge/batch') ? true : null), {
      what: 'spans',
      timeoutMs: 60_000,
    });
    const log = service.output();
    service.kill('SIGTERM');
    await service.exited();
    if (missing === null) {
      await page().until(`document.body.dataset.state === 'disconnected'`);
      const said = await page().evaluate(`document.querySelector('#disconnected').textContent`);
      expect(said).toContain('The service cannot be reached');
    }
    expect(log).toContain('"route":"/v1/judge"');
    expect(log).toContain(`"trace_id":"${TRACE}"`);
    expect(log).not.toMatch(/"route":"\/(?:readyz|healthz|metrics|dashboard\/data)"/);
    for (const secret of [CODE, STDIN, EXPECTED, KEY]) expect(log).not.toContain(secret);
  });

  it('has sent its traces: requests, submissions and their phases', () => {
    expect(collector.requests[0]).toBe(`POST /v1/traces ${KEY}`);
    const exports = collector.exports().flatMap(({ resourceSpans }) => resourceSpans);
    const resource = JSON.stringify(exports[0]?.resource.attributes);
    expect(resource).toContain('{"key":"service.name","value":{"stringValue":"assay"}}');
    expect(resource).toContain('deployment.environment.name');
    const spans = exports.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));
    const children = (of: Span | undefined) =>
      spans.filter((each) => each.parentSpanId === of?.spanId);

    const [request, ...more] = spans
      .filter(({ traceId }) => traceId === TRACE)
      .filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(more).toEqual([]);
    expect(request?.name).toBe('POST /v1/judge');
    const [submission] = children(request);
    expect(submission?.name).toBe('judge');
    const attributes = JSON.stringify(submission?.attributes);
    expect(attributes).toContain('{"key":"assay.verdict","value":{"stringValue":"accepted"}}');
    expect(attributes).toContain('{"key":"assay.tenant","value":{"stringValue":"anonymous"}}');
    expect(children(submission).map(({ name }) => name)).toEqual([
      'queue',
      'acquire',
      'run',
      'verify',
    ]);
    for (const phase of children(submission)) {
      expect(BigInt(phase.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(phase.endTimeUnixNano));
    }

    const batch = spans.find(({ name }) => name === 'POST /v1/judge/batch');
    expect(children(batch).map(({ name }) => name)).toEqual(['judge', 'judge']);
    // Nobody's: self-tests and polls.
    expect(spans.filter(({ name }) => /readyz|metrics/.test(name))).toEqual([]);
    const roots = spans.filter(({ parentSpanId }) => (parentSpanId ?? '') === '');
    expect(roots.filter(({ name }) => !/^(?:GET|POST) /.test(name))).toEqual([]);
    for (const secret of [CODE, STDIN, EXPECTED, KEY])
      expect(collector.text()).not.toContain(secret);
  });
});
