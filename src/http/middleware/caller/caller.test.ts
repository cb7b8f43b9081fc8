/** Callers over HTTP: who is let in, how each surface says no, what limits look like, and where keys do not go. */
import { describe, expect, it } from 'vitest';

import { SURFACES } from '../../../domain/surfaces.ts';
import type { CallContext } from '../../../judge/door.ts';
import { aTenant } from '../../../judge/tenants/test-callers.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import { BatchLine } from '../../native/schema/report.ts';
import {
  aJudgeBody,
  aJudgeReport,
  anOutcome,
  aRunReport,
  createTestApp,
  post,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

type Options = NonNullable<Parameters<typeof createTestApp>[0]>;
type Policy = NonNullable<Parameters<typeof aTenant>[0]>;

const RUN = { language: 'python', code: 'print(1)' };

/** An app that takes nobody without the key of its one tenant. */
function create(policy: Policy = {}, options: Options = {}) {
  const { directory, key } = aTenant(policy);
  const made = createTestApp({
    ...options,
    config: { surfaces: SURFACES, ...options.config },
    tenants: { directory, anonymous: 'none' },
  });
  const ask = async (path: string, init: RequestInit = {}, headers: object = {}) =>
    await made.app.request(path, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': key, ...headers },
    });
  return { ...made, key, ask };
}

describe('what concerns all tenants', () => {
  it.each(['/metrics', '/dashboard/data'])('%s is for operators', async (path) => {
    expect((await create({}).ask(path)).status).toBe(403);
    expect((await create({ isOperator: true }).ask(path)).status).toBe(200);
  });

  it('so is a test of the walls', async () => {
    expect((await create({}).ask('/v1/selftest', { method: 'POST' })).status).toBe(403);
    const told = await create({ isOperator: true }).ask('/v1/selftest', { method: 'POST' });
    expect(await told.json()).toEqual({ holds: false, walls: [] });
  });
});

describe('without a key', () => {
  /** For whoever looks after the process, and for clients that only ask whether somebody is there. */
  const OPEN = new Set(['/healthz', '/readyz', '/health', '/v1/ping', '/openapi.json']);
  /** Pages that show nothing of this service. */
  const isPage = (path: string): boolean =>
    path.startsWith('/docs') || (path.startsWith('/dashboard') && path !== '/dashboard/data');

  it('nothing is served but signs of life', async () => {
    const { app } = create();
    const paths = new Set(
      app.routes.map(({ path }) => path.replace('/*', '/x').replaceAll(/:\w+/g, 'x')),
    );
    expect(paths.size).toBeGreaterThan(40);
    const open: string[] = [];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await app.request(path, { method });
        if (response.status !== 401 && !OPEN.has(path) && !isPage(path))
          open.push(`${method} ${path} ${response.status}`);
      }
    }
    expect(open.filter((each) => !each.endsWith(' 404') || each.includes('v2'))).toEqual([]);
  });

  it.each([
    [
      '/v1/run',
      RUN,
      { code: 'unknown_key', status: 401, title: 'The key is missing or not known' },
    ],
    ['/run_code', { code: '1', language: 'python' }, { detail: expect.any(String) }],
    ['/submit', {}, { detail: expect.any(String) }],
    ['/api/v2/execute', {}, { message: expect.any(String) }],
    ['/execute_batch', { scripts: ['1'], languages: ['python'] }, []],
    ['/test_program', {}, { detail: expect.any(String) }],
    ['/execute', {}, { process_status: 'error', stdout: '', stderr: expect.any(String) }],
    ['/get_reward', {}, { code: 'unknown_key' }],
    ['/remote_rm', {}, { code: 'unknown_key' }],
    ['/submissions', {}, null],
  ])('%s says so as its clients expect', async (path, body, expected) => {
    const response = await create().app.request(path, post(body));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="assay"');
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    if (expected === null || Array.isArray(expected)) expect(answer).toEqual(expected);
    else expect(answer).toMatchObject(expected);
  });

  it('this machine comes in, but not who was passed on by a proxy', async () => {
    const { directory } = aTenant();
    const { app } = createTestApp({ tenants: { directory } });
    // Without a socket the request is this process' own.
    expect((await app.request('/v1/run', post(RUN))).status).toBe(200);
    const incoming = { socket: { remoteAddress: '127.0.0.1' }, method: 'GET' };
    const from = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (
        await app.request(
          '/v1/languages',
          { headers },
          { incoming: { ...incoming, socket: { remoteAddress } } },
        )
      ).status;
    expect(await from('127.0.0.1')).toBe(200);
    expect(await from('::ffff:127.0.0.1')).toBe(200);
    expect(await from('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })).toBe(401);
    expect(await from('192.0.2.7')).toBe(401);
  });

  it('everybody comes in while nobody has one, whatever key they send', async () => {
    const { app } = createTestApp({ config: { isLoopback: false } });
    const init = {
      ...post(RUN),
      headers: { 'x-api-key': 'made up', 'content-type': 'application/json' },
    };
    expect((await app.request('/v1/run', init)).status).toBe(200);
  });
});

describe('a key', () => {
  it('is taken from where clients can put it', async () => {
    const { app, key } = create();
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const statusWith = async (headers: Record<string, string>) =>
      (await app.request('/v1/languages', { headers })).status;
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { authorization: key },
      { authorization: basic(`${key}:`) },
      { authorization: basic(`anyone:${key}`) },
      { 'x-api-key': key },
      { 'x-auth-token': key },
    ])
      expect(await statusWith(headers)).toBe(200);
    for (const headers of [
      { authorization: `Bearer ${key}x` },
      { authorization: 'Bearer' },
      { authorization: basic('a:b') },
      { 'x-api-key': key.slice(0, -1) },
    ])
      expect(await statusWith(headers)).toBe(401);
  });

  it('is in no log line and in no answer; its tenant is', async () => {
    const { ask, lines, key } = create({ requestsPerS: 1, burst: 1 });
    const answers = [
      await ask('/v1/run', post(RUN)),
      await ask('/v1/run', post(RUN)),
      await ask('/v1/run', post({ language: 7 })),
      await ask('/v1/languages', {}, { 'x-api-key': `${key}x` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 422, 401]);
    const texts = await Promise.all(answers.map(async (each) => await each.text()));
    const told = JSON.stringify([lines, texts]);
    expect(told).not.toContain(key.slice(30));
    expect(lines.map(({ fields }) => fields['tenant'])).toEqual([
      'team-a',
      'team-a',
      'team-a',
      undefined,
    ]);
  });
});

describe('limits on the native API', () => {
  it('refuse a single call at once, with the standard headers', async () => {
    const clock = createFakeClock();
    const { ask } = create({ requestsPerS: 0.5, burst: 2, concurrency: 9 }, { clock });
    const first = await ask('/v1/judge', post(aJudgeBody()));
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"rate";q=2;w=4, "concurrency";q=9;qu="concurrent-requests"',
    );
    expect(first.headers.get('ratelimit')).toBe('"rate";r=1;t=2, "concurrency";r=8');
    await ask('/v1/run', post(RUN));
    const refused = await ask('/v1/run', post(RUN));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('ratelimit')).toBe('"rate";r=0;t=4, "concurrency";r=9');
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retry_after_ms: 2000,
      detail: 'tenant team-a may send 0.5 submissions a second, 2 at once',
    });
    clock.advance(2000);
    expect((await ask('/v1/run', post(RUN))).status).toBe(200);
  });

  it('slow a batch, a submission a line, and refuse none of it', async () => {
    const clock = createFakeClock();
    const { ask } = create({ requestsPerS: 10, burst: 2 }, { clock });
    const lines = Array.from({ length: 6 }, (_, id) =>
      JSON.stringify(aJudgeBody({ id: String(id) })),
    );
    const response = await ask('/v1/judge/batch', post(lines.join('\n'), 'application/x-ndjson'));
    const text = response.text();
    let answer: string | null = null;
    void text.then((all) => {
      answer = all;
    });
    await settle();
    expect(answer).toBeNull();
    for (let step = 0; step < 20 && answer === null; step += 1) {
      clock.advance(100);
      await settle();
    }
    expect(clock.now()).toBeLessThanOrEqual(600);
    const told = (await text)
      .trimEnd()
      .split('\n')
      .map((line) => BatchLine.parse(JSON.parse(line)));
    expect(told.map((line) => ('id' in line ? line.id : 'end'))).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      'end',
    ]);
    expect(told.at(-1)).toEqual({ summary: { lines: 6, judged: 6, rejected: 0, faults: 0 } });
  });

  it('let a line of a batch wait no longer than its deadline', async () => {
    const clock = createFakeClock();
    const { ask } = create({ requestsPerS: 0.1, burst: 1 }, { clock });
    const lines = [aJudgeBody({ id: 'a' }), aJudgeBody({ id: 'b', deadline_ms: 500 })];
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const text = (await ask('/v1/judge/batch', post(body, 'application/x-ndjson'))).text();
    await settle();
    clock.advance(500);
    expect(await text).toContain('"code":"deadline"');
  });

  it('cost nothing where nothing was run, and nothing for a fault of ours', async () => {
    const fault = { code: 'jail_died', message: 'the jail ended', retryable: true };
    const script = { run: async () => aRunReport({ fault, outcome: null }) };
    const { ask } = create({ requestsPerS: 0.1, burst: 1 }, { script });
    expect((await ask('/v1/run', post(RUN))).status).toBe(200);
    expect((await ask('/v1/run', post(RUN))).status).toBe(200);
    const { ask: other } = create({ requestsPerS: 0.1, burst: 1 });
    const unknown = { ...RUN, language: 'cobol' };
    expect((await other('/v1/run', post(unknown))).status).toBe(422);
    expect((await other('/v1/run', post(RUN))).status).toBe(200);
  });

  it('charge CPU time', async () => {
    const script = { run: async () => aRunReport({ outcome: anOutcome({ cpuMs: 30 }) }) };
    const { ask } = create({ cpuSPerMinute: 0.03 }, { script, clock: createFakeClock() });
    expect((await ask('/v1/run', post(RUN))).status).toBe(200);
    const refused = await ask('/v1/run', post(RUN));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      detail: 'tenant team-a has used its 0.03 s of CPU time a minute',
    });
    expect(await (await ask('/v1/stats')).json()).toMatchObject({
      tenants: [{ id: 'team-a', submissions: 1, rate_limited: 1, running: 0, cpu_ms: 30 }],
      tenant_limits: { store: 'memory', degraded: false },
    });
  });
});

describe('limits on the other surfaces', () => {
  /** One submission is under way for as long as it is not let go. */
  function createHeld(clock = createFakeClock()) {
    const release = Promise.withResolvers<void>();
    const script = {
      async run(_: unknown, context: CallContext) {
        context.onStart?.();
        await release.promise;
        return aRunReport();
      },
      async judge(_: unknown, context: CallContext) {
        context.onStart?.();
        await release.promise;
        return aJudgeReport();
      },
    };
    const { ask } = create({ concurrency: 1 }, { clock, script });
    return { ask, clock, release };
  }

  it('Sandbox Fusion: 504 at the deadline of the client, which alone it tries again', async () => {
    const { ask, clock, release } = createHeld();
    const held = ask('/v1/run', post(RUN));
    await settle();
    const body = { code: 'print(1)', language: 'python', run_timeout: 5, compile_timeout: 5 };
    const waiting = ask('/run_code', post(body));
    await settle();
    clock.advance(30_000);
    expect((await waiting).status).toBe(504);
    release.resolve();
    expect((await held).status).toBe(200);
  });

  it.each([
    ['/run_code', { code: 'print(1)', language: 'python' }],
    ['/api/v2/execute', { language: 'python', version: '*', files: [{ content: 'print(1)' }] }],
    [
      '/execute_batch',
      { scripts: ['print(1)'], languages: ['javascript'], timeout: 5, request_timeout: 9 },
    ],
    ['/test_program', { program: 'x = 1', tests: ['assert x == 1'], max_execution_time: 1 }],
    ['/execute', { generated_code: 'print(1)', language: 'python', timeout: 5 }],
    ['/submissions?wait=true', { source_code: 'print(1)', language_id: 71 }],
    [
      '/remote_rm',
      {
        response: '```python\nprint(1)\n```',
        label: { language: 'python', tests: { kind: 'stdio', cases: [{ expected_stdout: '1' }] } },
      },
    ],
  ])('%s waits for its turn', async (path, body) => {
    const { ask, release, clock } = createHeld();
    const held = ask('/v1/run', post(RUN));
    await settle();
    let status: number | null = null;
    const waiting = ask(path, post(body)).then((response) => {
      ({ status } = response);
    });
    await settle();
    expect(status).toBeNull();
    release.resolve();
    await held;
    clock.advance(250);
    await waiting;
    expect([200, 201]).toContain(status);
  });
});

describe('what a tenant may', () => {
  it('names the languages; others are not offered', async () => {
    const { ask } = create({ languages: ['cpp'] });
    const refused = await ask('/v1/run', post(RUN));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: 'not_allowed',
      errors: [{ path: 'language', message: 'tenant team-a may not use python' }],
    });
    expect(await (await ask('/v1/languages')).json()).toMatchObject({
      languages: [{ id: 'python', available: false }, { id: 'cpp', available: true }, {}, {}],
    });
    const answer = await ask('/run_code', post({ code: '1', language: 'python' }));
    expect(answer.status).toBe(403);
  });

  it('lowers the largest limits, and says what was clamped', async () => {
    const { ask } = create({ maxima: { cpuMs: 2000 } });
    const answer = await ask('/v1/run', post({ ...RUN, limits: { cpu_ms: 5000 } }));
    expect(await answer.json()).toMatchObject({ limits: { cpu_ms: 2000 }, clamped: ['cpu_ms'] });
    expect(await (await ask('/v1/capabilities')).json()).toMatchObject({
      maxima: { cpu_ms: 2000 },
    });
  });

  it('reaches the queue and the cache as who pays, with a priority that is not above its own', async () => {
    const seen: CallContext[] = [];
    const script = {
      async run(_: unknown, context: CallContext) {
        seen.push(context);
        return aRunReport();
      },
    };
    const { ask } = create({ weight: 3, priorityMax: 5, sharesBuilds: true }, { script });
    await ask('/v1/run', post(RUN), { 'Assay-Priority': '50' });
    await ask('/v1/run', post(RUN), { 'Assay-Priority': '-7' });
    await ask('/v1/run', post(RUN), { 'Assay-Priority': 'urgent' });
    const payer = { tenant: 'team-a', weight: 3, builds: '*' };
    expect(seen.map((each) => each.payer)).toEqual([payer, payer, payer]);
    expect(seen.map(({ priority }) => priority)).toEqual([5, -7, 0]);
  });
});
