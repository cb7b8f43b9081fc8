/**
 * What holds at every endpoint, whichever there are: no compressed body is inflated, no body beyond the limit is read, no
 * inside is told, and a connection's headers are bounded. Endpoints are taken from the application itself.
 */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { SURFACES } from '../domain/surfaces.ts';
import { listen } from './server.ts';
import { createTestApp, type Script } from './test-support/scripted-service.ts';

const MIB = 1024 * 1024;
/** Some 16 KiB that become 16 MiB. */
const BOMB = gzipSync(Buffer.alloc(16 * MIB, ' '));

/** A service that must not be reached, and says so when it is. */
function createUntouched() {
  const reached: string[] = [];
  const touch = (name: string) => async (): Promise<never> => {
    reached.push(name);
    throw new Error('SECRET at /its-folder/path.ts:1:1');
  };
  const script: Script = {
    run: touch('run'),
    judge: touch('judge'),
    runCells: touch('runCells'),
  };
  const config = { bodyMaxBytes: MIB, surfaces: [...SURFACES] };
  return { ...createTestApp({ script, config }), reached };
}

/** What these are sent is not read. */
const BODILESS: ReadonlySet<string> = new Set(['/v1/jobs/x/cancel', '/v1/sessions/x/replay']);

/** Paths of an application that take bodies. */
function postPaths({ app }: ReturnType<typeof createUntouched>): string[] {
  const all = app.routes.filter(({ method, path }) => method === 'POST' && !path.includes('*'));
  const paths = new Set(all.map(({ path }) => path.replace(/:\w+/, 'x')));
  return [...paths].filter((path) => !BODILESS.has(path));
}

const PATHS = postPaths(createUntouched());
/** Those whose whole answer is lines; what is wrong with the body is told in them. */
const LINES = new Set(['/v1/judge/batch']);

function send(path: string, body: Uint8Array, headers: Record<string, string> = {}): RequestInit {
  const type = LINES.has(path) ? 'application/x-ndjson' : 'application/json';
  return {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: new Blob([new Uint8Array(body)]),
  };
}

/** Where that is of something: of one that is there. */
async function addressed(path: string, { app }: ReturnType<typeof createUntouched>) {
  if (!/^\/v1\/(?:sessions|snapshots)\/x/.test(path)) return path;
  const make = async (at: string, body: object): Promise<string> => {
    const response = await app.request(at, send(at, Buffer.from(JSON.stringify(body))));
    return z.object({ id: z.string() }).parse(await response.json()).id;
  };
  const session = await make('/v1/sessions', { language: 'python' });
  const id = path.startsWith('/v1/sessions')
    ? session
    : await make(`/v1/sessions/${session}/snapshots`, {});
  return path.replace('/x/', `/${id}/`);
}

describe('every endpoint', () => {
  it('is looked at', () => {
    expect(PATHS).toEqual(expect.arrayContaining(['/v1/judge', '/run_code', '/api/v2/execute']));
    expect(PATHS.length).toBeGreaterThan(15);
  });

  it.each(PATHS)('%s inflates no body, however small it is when packed', async (path) => {
    const untouched = createUntouched();
    const { app, reached, deps } = untouched;
    const at = await addressed(path, untouched);
    const response = await app.request(at, send(path, BOMB, { 'content-encoding': 'gzip' }));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(deps.service.stats().rejections).toEqual({ wrong_media_type: 1 });
    expect(reached).toEqual([]);
  });

  it.each(PATHS)('%s reads no body beyond the limit', async (path) => {
    const untouched = createUntouched();
    const { app, reached, deps } = untouched;
    const at = await addressed(path, untouched);
    const response = await app.request(at, send(path, Buffer.alloc(MIB + 1, ' ')));
    const text = await response.text();
    expect(deps.service.stats().rejections, text).toEqual({ too_large: 1 });
    expect(reached).toEqual([]);
  });

  it.each(PATHS)('%s tells nothing of the inside when the service breaks', async (path) => {
    const untouched = createUntouched();
    const { app } = untouched;
    const at = await addressed(path, untouched);
    const bodies = [
      { language: 'python', code: 'print(1)', tests: { kind: 'stdio', cases: [{ stdin: '' }] } },
      { language: 'python', version: '*', files: [{ content: 'print(1)' }] },
      { program: 'print(1)', tests: ['assert True'] },
      { generated_code: 'print(1)', language: 'python', timeout: 1 },
      { scripts: ['print(1)'], languages: ['python'] },
      { source_code: 'print(1)', language_id: 71 },
      { cells: ['1'], kernel: 'python3' },
      {},
      null,
    ];
    for (const body of bodies) {
      const raw = Buffer.from(`${JSON.stringify(body)}\n`);
      const text = await (await app.request(at, send(path, raw))).text();
      expect(text).not.toMatch(/SECRET|its-folder|\.ts:\d|node:internal|\bat \S+ \(/);
    }
  });
});

describe('a connection', () => {
  const serve = async (): Promise<number> => {
    const listening = await listen(createTestApp().app, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listening.close(AbortSignal.abort()));
    return listening.port;
  };
  const answer = async (text: string): Promise<string> => {
    const socket = connect(await serve(), '127.0.0.1');
    // Whoever is cut off while it writes is told so by an error as well.
    socket.on('error', () => {});
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.on('close', () => resolve());
    socket.write(text);
    await closed;
    return received;
  };

  it('may not have headers without end', async () => {
    const long = `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(MIB)}\r\n\r\n`;
    expect(await answer(long)).toMatch(/^(?:HTTP\/1\.1 431 |$)/);
  });

  it('may not be told two lengths of one body', async () => {
    const smuggled =
      'POST /v1/run HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    expect(await answer(smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('gets no page of what went wrong, and no name of what answers', async () => {
    const text = await answer('NONSENSE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).not.toMatch(/node|express|hono|server:|x-powered-by/i);
  });
});
