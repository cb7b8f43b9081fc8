/** Sandbox Fusion's paths over a scripted service: statuses, shapes, and what happens at a client's deadline. */
import { describe, expect, it } from 'vitest';

import { Fault, type RejectionCode } from '../../../domain/errors.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import type { CallContext } from '../../../judge/door.ts';
import {
  aRunReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const verl = {
  compile_timeout: 10,
  run_timeout: 10,
  code: 'print(1)',
  stdin: null,
  memory_limit_MB: 1024,
  language: 'python',
  files: {},
  fetch_files: [],
};

const failing = (code: RejectionCode): Script => ({
  async run() {
    throw rejection(code);
  },
});

describe('/run_code', () => {
  it.each(['/run_code', '/faas/sandbox/run_code', '/run_code/run_code'])(
    'is served at %s',
    async (path) => {
      const response = await createTestApp().app.request(path, post(verl));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({
        status: 'Success',
        run_result: { stdout: '1\n' },
      });
    },
  );

  it('answers ping', async () => {
    const response = await createTestApp().app.request('/v1/ping');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('"pong"');
  });

  it('takes a request of code alone, and one without a content type', async () => {
    const { app } = createTestApp();
    expect((await app.request('/run_code', post({ code: '' }))).status).toBe(200);
    expect((await app.request('/run_code', post({ code: '' }, 'text/plain'))).status).toBe(200);
  });

  it.each<[string, unknown, number, object]>([
    [
      'an unknown language',
      { ...verl, language: 'klingon' },
      422,
      {
        detail: [
          {
            type: 'literal_error',
            loc: ['body', 'language'],
            ctx: { expected: expect.stringContaining("'cpp'") as string },
          },
        ],
      },
    ],
    [
      'a missing program',
      { language: 'python' },
      422,
      { detail: [{ type: 'missing', loc: ['body', 'code'], msg: 'Field required' }] },
    ],
    [
      'text that is no JSON',
      '{"code": "SECRET" x',
      422,
      { detail: [{ type: 'json_invalid', loc: ['body'] }] },
    ],
    ['a list', [], 422, { detail: [{ type: 'model_attributes_type', loc: ['body'] }] }],
    [
      'a lone surrogate',
      '{"code":"SECRET\\ud800"}',
      422,
      { detail: [{ type: 'value_error', loc: ['body', 'code'] }] },
    ],
    [
      'a file named __proto__',
      '{"code":"","files":{"__proto__":""}}',
      422,
      { detail: [{ loc: ['body', 'files.__proto__'] }] },
    ],
    [
      'bad base64',
      { ...verl, files: { a: 'SECRET!' } },
      422,
      { detail: [{ loc: ['body', 'files', 'a'] }] },
    ],
    [
      'an escape',
      { ...verl, files: { '../a': '' } },
      422,
      { detail: [{ loc: ['body', 'files', '../a'] }] },
    ],
    [
      'a language without a runner',
      { ...verl, language: 'sql' },
      200,
      { status: 'SandboxError', compile_result: null, run_result: null, files: {} },
    ],
  ])('answers %s', async (_, body, status, expected) => {
    const response = await createTestApp().app.request('/run_code', post(body));
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(JSON.parse(text)).toMatchObject(expected);
    expect(text).not.toContain('SECRET');
  });

  it('answers a body that is too large or encoded', async () => {
    const { app } = createTestApp({ config: { bodyMaxBytes: 10 } });
    const large = await app.request('/run_code', post(verl));
    expect([large.status, await large.json()]).toEqual([
      413,
      { detail: 'the body is longer than 10 bytes' },
    ]);
    const encoded = await app.request('/run_code', {
      ...post('{}'),
      headers: { 'content-encoding': 'gzip' },
    });
    expect(encoded.status).toBe(415);
  });

  it.each<RejectionCode>([
    'queue_full',
    'host_full',
    'draining',
    'not_ready',
    'deadline',
    'rate_limited',
    'request_timeout',
    'caller_gone',
  ])('answers %s with 504, the one status that verl tries again', async (code) => {
    const response = await createTestApp({ script: failing(code) }).app.request(
      '/run_code',
      post(verl),
    );
    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ detail: expect.any(String) as string });
  });

  it('calls a language that cannot be served a SandboxError', async () => {
    const response = await createTestApp({ script: failing('language_unavailable') }).app.request(
      '/run_code',
      post(verl),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'SandboxError',
      message: expect.any(String) as string,
    });
  });

  it.each([new Fault('jail_died', '/secret'), new TypeError('/secret')])(
    'calls %s a SandboxError, and hides it',
    async (error) => {
      const script: Script = {
        async run() {
          throw error;
        },
      };
      const { app, lines } = createTestApp({ script });
      const response = await app.request('/run_code', post(verl));
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        status: 'SandboxError',
        run_result: null,
        files: {},
      });
      expect(text).not.toContain('secret');
      expect(lines.map((line) => line.level)).toContain('error');
    },
  );
});

describe('the client’s deadline', () => {
  function waiting() {
    const contexts: CallContext[] = [];
    const answer = Promise.withResolvers<ReturnType<typeof aRunReport>>();
    const script: Script = {
      run(_, context) {
        contexts.push(context);
        context.signal.addEventListener('abort', () => answer.reject(rejection('caller_gone')));
        return answer.promise;
      },
    };
    const clock = createFakeClock();
    return { ...createTestApp({ script, clock }), contexts, answer, clock };
  }

  it('drops a job that has not begun, with 504', async () => {
    const { app, clock, contexts } = waiting();
    const response = app.request('/run_code', post(verl));
    await settle();
    clock.advance(28_999);
    expect(contexts[0]?.signal.aborted).toBe(false);
    clock.advance(1);
    expect((await response).status).toBe(504);
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('holds the client with white space while a job runs on, and answers it', async () => {
    const { app, clock, contexts, answer } = waiting();
    const pending = app.request('/run_code', post(verl));
    await settle();
    contexts[0]?.onStart?.();
    clock.advance(29_000);
    const response = await pending;
    expect(response.status).toBe(200);
    const text = response.text();
    await settle();
    clock.advance(6000);
    answer.resolve(aRunReport());
    expect(await text).toMatch(/^ {3}\{"status":"Success"/);
    expect(contexts[0]?.signal.aborted).toBe(false);
  });

  it('says SandboxError when a job that holds its client fails by us', async () => {
    const { app, clock, contexts, answer } = waiting();
    const pending = app.request('/run_code', post(verl));
    await settle();
    contexts[0]?.onStart?.();
    clock.advance(29_000);
    const response = await pending;
    answer.reject(rejection('draining'));
    expect(await response.json()).toMatchObject({ status: 'SandboxError', run_result: null });
  });

  it('ends the job when the client leaves while it is held', async () => {
    const { app, clock, contexts } = waiting();
    const pending = app.request('/run_code', post(verl));
    await settle();
    contexts[0]?.onStart?.();
    clock.advance(29_000);
    await (await pending).body?.cancel();
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('passes the client’s leaving on', async () => {
    const { app, contexts } = waiting();
    const controller = new AbortController();
    const pending = app.request('/run_code', { ...post(verl), signal: controller.signal });
    await settle();
    controller.abort();
    expect((await pending).status).toBe(504);
    expect(contexts[0]?.signal.aborted).toBe(true);
  });
});

describe('requests that ask for too much', () => {
  const detailOf = async (body: object): Promise<{ status: number; detail: unknown }> => {
    const { app } = createTestApp();
    const response = await app.request('/run_code', post({ code: '', ...body }));
    const { detail } = (await response.json()) as { detail: unknown };
    return { status: response.status, detail };
  };

  it('names fetch_files of more than 64 paths', async () => {
    const paths = Array.from({ length: 65 }, (_, i) => `f${i}`);
    expect((await detailOf({ fetch_files: paths })).detail).toMatchObject([
      { type: 'too_long', loc: ['body', 'fetch_files'] },
    ]);
  });

  it.each([
    ['code', { code: 'x'.repeat(64 * 1024 * 1024 + 1) }],
    ['files', { files: { a: Buffer.alloc(64 * 1024 * 1024 + 1).toString('base64') } }],
  ])('names %s beyond what a jail takes', { timeout: 60_000 }, async (name, body) => {
    const { status, detail } = await detailOf(body);
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ type: 'value_error', loc: ['body', name] }]);
  });

  it.each([
    ['files of the wrong type', { files: manyNames(100_000, 1) }],
    ['files that are no base64', { files: manyNames(100_000, '!') }],
  ])('tells of %s the first twenty', async (_, body) => {
    const since = process.cpuUsage();
    const { status, detail } = await detailOf(body);
    expect(status).toBe(422);
    expect(detail).toHaveLength(20);
    expect(process.cpuUsage(since).user / 1000).toBeLessThan(4000);
  });

  it.each([2_147_480, 1e10, '1e300'])(
    'waits for a slot with a run_timeout of %s',
    async (run_timeout) => {
      const clock = createFakeClock();
      const { app } = createTestApp({ clock, script: { run: () => new Promise(() => {}) } });
      let status: number | null = null;
      const body = { code: '', language: 'python', run_timeout, compile_timeout: 1 };
      void Promise.resolve(app.request('/run_code', post(body))).then((response) => {
        ({ status } = response);
      });
      await settle();
      clock.advance(100_000);
      await settle();
      expect(status).toBeNull();
      clock.advance(40_000);
      await settle();
      expect(status).toBe(504);
    },
  );
});

function manyNames(count: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));
}
