/** The application as a whole: health, unknown paths, errors, headers, the log. */
import { describe, expect, it } from 'vitest';

import { REJECTION_CODES, REJECTIONS } from '../domain/errors.ts';
import { aJudgeBody, createTestApp, post, rejection } from './test-support/scripted-service.ts';

const body = { language: 'python', code: 'SECRET', stdin: 'SECRET' };

describe('the server', () => {
  it('says that it lives, and whether it is ready', async () => {
    const { app } = createTestApp();
    expect(await (await app.request('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await app.request('/readyz')).json()).toEqual({
      ready: true,
      reasons: [],
      degraded: [],
    });
    const unready = await createTestApp({ script: { ready: false } }).app.request('/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.json()).toEqual({
      ready: false,
      reasons: ['no environment serves'],
      degraded: [],
    });
  });

  it.each(['/', '/v1', '/v1/runs', '/submits', '/v1/judge/batch/', '/run_code/', '/%00'])(
    'answers %s aloud as unknown',
    async (path) => {
      const response = await createTestApp().app.request(path, post({}));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'no_such_endpoint', status: 404 });
    },
  );

  it.each([
    ['GET', '/v1/run', 'POST'],
    ['DELETE', '/v1/judge', 'POST'],
    ['PUT', '/v1/judge/batch', 'POST'],
    ['GET', '/run_code', 'POST'],
    ['POST', '/v1/languages', 'GET, HEAD'],
    ['POST', '/readyz', 'GET, HEAD'],
    ['OPTIONS', '/v1/run', 'POST'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const response = await createTestApp().app.request(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('counts every refusal by its code, wherever it was made', async () => {
    const script = {
      async judge(): Promise<never> {
        throw rejection('queue_full');
      },
    };
    const { app, deps } = createTestApp({ script, config: { bodyMaxBytes: 1000 } });
    const ndjson = 'application/x-ndjson';
    const requests: readonly (readonly [string, RequestInit])[] = [
      ['/v1/nowhere', post({})],
      ['/v1/run', { method: 'GET' }],
      ['/v1/run', post('{')],
      ['/v1/run', post({ language: 'python', code: '1', sauce: 1 })],
      ['/v1/run', post('x', 'text/plain')],
      ['/v1/run', post({ language: 'python', code: '1'.repeat(2000) })],
      ['/v1/run', post({ language: 'cobol', code: '1' })],
      ['/v1/judge', post(aJudgeBody())],
      ['/v1/judge/batch', post(`{\n${JSON.stringify(aJudgeBody())}\n`, ndjson)],
      ['/run_code', post('{')],
      ['/run_code', post({ language: 'cobol', code: '1' })],
      ['/run_code', post({ language: 'rust', code: '1' })],
      ['/run_code', post({ language: 'python' })],
      // Not refused.
      ['/run_code', post({ language: 'python', code: '1' })],
      ['/healthz', { method: 'GET' }],
    ];
    for (const [path, init] of requests) await (await app.request(path, init)).text();
    expect(deps.service.stats().rejections).toEqual({
      no_such_endpoint: 1,
      method_not_allowed: 1,
      malformed_json: 3,
      invalid: 2,
      wrong_media_type: 1,
      too_large: 1,
      unknown_language: 2,
      queue_full: 2,
      language_unavailable: 1,
    });
  });

  it.each(REJECTION_CODES)('answers the rejection %s with its status and advice', async (code) => {
    const script = {
      async run(): Promise<never> {
        throw rejection(code, 2500);
      },
    };
    const response = await createTestApp({ script }).app.request('/v1/run', post(body));
    const { status, title, retryable } = REJECTIONS[code];
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryable ? '3' : null);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      code,
      title,
      status,
      detail: title,
      errors: [],
      ...(retryable ? { retry_after_ms: 2500 } : {}),
    });
  });

  it('hides what broke from the caller and logs it with the request’s id', async () => {
    const script = {
      async run(): Promise<never> {
        throw new Error('/hidden/path');
      },
    };
    const { app, lines } = createTestApp({ script });
    const response = await app.request('/v1/run', {
      ...post(body),
      headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' },
    });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'fault', status: 500 });
    expect(text).not.toContain('hidden');
    expect(lines[0]).toMatchObject({
      level: 'error',
      fields: { request_id: 'r-1', fault_detail: 'Error: /hidden/path' },
    });
    expect(lines[1]).toMatchObject({ level: 'error', fields: { route: '/v1/run', status: 500 } });
  });

  it('gives every request an id, and takes no harmful one', async () => {
    const { app } = createTestApp();
    const idOf = async (given: string): Promise<string | null> =>
      (await app.request('/healthz', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idOf('trace-1.2')).toBe('trace-1.2');
    expect(await idOf('<script>')).toMatch(/^req_[\w-]{22}$/);
    expect(await idOf('x'.repeat(129))).toMatch(/^req_/);
  });

  it('keeps browsers from guessing and framing, also on errors', async () => {
    const { app } = createTestApp();
    for (const path of ['/healthz', '/nowhere']) {
      const { headers } = await app.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('logs one line a request, by route pattern, without content', async () => {
    const { app, lines } = createTestApp();
    await app.request('/v1/run?q=SECRET', post(body));
    await app.request('/v1/judge', post(aJudgeBody({ id: 'mine', code: 'SECRET' })));
    await app.request('/SECRET');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      level: 'info',
      fields: {
        route: '/v1/run',
        status: 200,
        language: 'python',
        outcome: 'exited',
        request_bytes: JSON.stringify(body).length,
      },
    });
    expect(lines[1]?.fields).toMatchObject({
      submission_id: 'mine',
      verdict: 'accepted',
      reward: 1,
      cases: 1,
      attempts: 1,
    });
    expect(lines[2]).toMatchObject({
      level: 'warn',
      fields: { route: '*', status: 404, error_code: 'no_such_endpoint' },
    });
    expect(JSON.stringify(lines)).not.toContain('SECRET');
  });

  it('reads out languages, capabilities and stats', async () => {
    const { app } = createTestApp();
    expect(await (await app.request('/v1/languages')).json()).toMatchObject({
      languages: [
        { id: 'python', aliases: ['py', 'python3'], available: true },
        { id: 'cpp' },
        { id: 'javascript' },
        { id: 'bash', reason: 'no bash here' },
      ],
    });
    expect(await (await app.request('/v1/capabilities')).json()).toMatchObject({
      slots: 2,
      maxima: { memory_mb: 4096, files: 4096 },
    });
    expect(await (await app.request('/v1/stats')).json()).toMatchObject({
      queue: { length_max: 10 },
      event_loop_delay_ms: { p99: 3 },
    });
  });

  it('makes ids that do not repeat', async () => {
    const { app } = createTestApp();
    const ids = await Promise.all(
      Array.from(
        { length: 100 },
        async () =>
          ((await (await app.request('/v1/run', post(body))).json()) as { id: string }).id,
      ),
    );
    expect(new Set(ids).size).toBe(100);
    expect(ids.every((id) => /^run_[\w-]{22}$/.test(id))).toBe(true);
  });

  it('passes the deadline on', async () => {
    const seen: (number | null)[] = [];
    const script = {
      async run(_: unknown, { deadlineMs }: { deadlineMs: number | null }): Promise<never> {
        seen.push(deadlineMs);
        throw rejection('deadline');
      },
    };
    const { app } = createTestApp({ script });
    expect((await app.request('/v1/run', post({ ...body, deadline_ms: 500 }))).status).toBe(504);
    await app.request('/v1/run', post(body));
    expect(seen).toEqual([500, null]);
  });
});
