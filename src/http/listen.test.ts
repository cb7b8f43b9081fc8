/** The server on a real loopback socket: what `app.request()` cannot show. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { bind, listen } from './server.ts';
import {
  aJudgeBody,
  aJudgeReport,
  aRunReport,
  createTestApp,
  rejection,
  type Script,
} from './test-support/scripted-service.ts';

async function serve(options: Parameters<typeof createTestApp>[0] = {}) {
  const made = createTestApp(options);
  const listening = await listen(made.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close(AbortSignal.abort()));
  return { ...made, ...listening, listening };
}

const body = JSON.stringify({ language: 'python', code: '1' });
const json = { 'content-type': 'application/json' };

/** A service that never answers, and tells when a call came and when it was given up. */
function hanging() {
  const came = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const wait = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      came.resolve();
      signal.addEventListener('abort', () => {
        left.resolve();
        reject(rejection('caller_gone'));
      });
    });
  const script: Script = {
    run: (_, { signal }) => wait(signal),
    judge: (_, { signal }) => wait(signal),
  };
  return { script, came: came.promise, left: left.promise };
}

describe('listen', () => {
  it.each(['/v1/run', '/run_code', '/v1/judge'])(
    'gives up the work of a client that hangs up on %s',
    async (path) => {
      const { script, came, left } = hanging();
      const { port } = await serve({ script });
      const text = path === '/v1/judge' ? JSON.stringify(aJudgeBody()) : body;
      const client = request({ port, path, method: 'POST', headers: json });
      client.on('error', () => {});
      client.end(text);
      await came;
      client.destroy();
      await left;
    },
  );

  it('gives up the work of a client that hangs up on a batch', async () => {
    const { script, came, left } = hanging();
    const { port } = await serve({ script });
    const client = request({
      port,
      path: '/v1/judge/batch',
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    client.on('error', () => {});
    client.write(`${JSON.stringify(aJudgeBody())}\n`);
    await came;
    client.destroy();
    await left;
  });

  it('answers 413 to a client that still sends, in chunks', async () => {
    const { url } = await serve({ config: { bodyMaxBytes: 1000 } });
    const chunk = new Uint8Array(10_000).fill(0x20);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 20) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = { method: 'POST', headers: json, body: stream, duplex: 'half' } as RequestInit;
    const response = await fetch(`${url}/v1/run`, init);
    expect(response.status).toBe(413);
  });

  it('takes a body of 50 MB whole', { timeout: 30_000 }, async () => {
    let seen = 0;
    const script: Script = {
      async run({ stdin }) {
        seen = stdin.byteLength;
        return aRunReport();
      },
    };
    const { url } = await serve({ script });
    const large = JSON.stringify({ language: 'python', code: '', stdin: 'x'.repeat(50_000_000) });
    const response = await fetch(`${url}/v1/run`, { method: 'POST', headers: json, body: large });
    expect([response.status, seen]).toEqual([200, 50_000_000]);
  });

  it('answers while the batch is still being sent', async () => {
    const script: Script = {
      async judge({ id }) {
        return aJudgeReport({ id });
      },
    };
    const { port } = await serve({ script });
    const client = request({
      port,
      path: '/v1/judge/batch',
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    client.write(`${JSON.stringify(aJudgeBody({ id: 'a' }))}\n`);
    const [response] = (await once(client, 'response')) as [AsyncIterable<Buffer>];
    const chunks = response[Symbol.asyncIterator]();
    const first = await chunks.next();
    expect(String(first.value)).toContain('"id":"a"');
    client.end(`${JSON.stringify(aJudgeBody({ id: 'b' }))}\n`);
    let rest = '';
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      rest += String(next.value);
    expect(rest).toContain('"id":"b"');
    expect(rest).toMatch(/\{"summary":\{"lines":2,"judged":2,"rejected":0,"faults":0\}\}\n$/);
  });

  it('takes a batch from a client that sends everything before it reads', async () => {
    const { port } = await serve();
    const count = 3000;
    const text = `${JSON.stringify(aJudgeBody())}\n`.repeat(count);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.pause();
    const head = `POST /v1/judge/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${text.length}\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head + text, () => resolve()));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toContain(
      `"summary":{"lines":${count},"judged":${count},"rejected":0,"faults":0}`,
    );
  });

  it('answers many connections at once', async () => {
    const { url } = await serve();
    const responses = await Promise.all(
      Array.from({ length: 300 }, () =>
        fetch(`${url}/run_code`, {
          method: 'POST',
          headers: { ...json, connection: 'close' },
          body,
        }),
      ),
    );
    expect(responses.every((response) => response.status === 200)).toBe(true);
    await Promise.all(responses.map((response) => response.text()));
  }, 60_000);

  it('lets a running request end when it closes, and cuts what is left when told', async () => {
    const { script, came, left } = hanging();
    const { url, listening } = await serve({ script });
    const pending = fetch(`${url}/v1/run`, { method: 'POST', headers: json, body });
    const outcome = pending.then(
      () => 'answered',
      () => 'cut',
    );
    await came;
    const controller = new AbortController();
    const closed = listening.close(controller.signal);
    const isRefused = (): Promise<boolean> =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused, { timeout: 5000 }).toBe(true);
    controller.abort();
    await closed;
    await left;
    expect(await outcome).toBe('cut');
  });

  it('is closed soon after the last running request, though the client keeps its connection', async () => {
    const came = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const script: Script = {
      async run() {
        came.resolve();
        await gate.promise;
        return aRunReport();
      },
    };
    const { url, listening } = await serve({ script });
    const pending = fetch(`${url}/v1/run`, { method: 'POST', headers: json, body });
    await came.promise;
    const closed = listening.close();
    gate.resolve();
    expect((await pending).status).toBe(200);
    await closed;
  });

  it('answers what was on its way when the end began', async () => {
    const { port, url, listening } = await serve();
    const early = connect(port, '127.0.0.1');
    await once(early, 'connect');
    await (await fetch(`${url}/healthz`)).text();
    const closed = listening.close();
    const late = connect(port, '127.0.0.1');
    for (const socket of [early, late]) socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    for (const socket of [early, late]) {
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
      expect(String(answer)).toMatch(/^connection: close\r$/im);
    }
    await closed;
  });

  it('is closed soon, though a client has connected and sent nothing', async () => {
    const { port, listening } = await serve();
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const { url } = listening;
    // Answered after the other connection was accepted, so both are known to the server.
    await (await fetch(`${url}/healthz`)).text();
    const ended = once(idle, 'close');
    await listening.close();
    await ended;
  });

  it.each([
    ['sends nothing', ''],
    ['never ends its headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
  ])('cuts off a client that %s, however it trickles', async (_, head) => {
    const { app } = createTestApp();
    const listening = await listen(app, { host: '127.0.0.1', port: 0, headersMs: 400 });
    onTestFinished(() => listening.close(AbortSignal.abort()));
    const socket = connect(listening.port, '127.0.0.1');
    // What is written to a closed connection fails, and that may be told before its end is.
    socket.on('error', () => {});
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    socket.on('close', () => resolve());
    socket.resume();
    socket.write(head);
    const trickle = setInterval(() => {
      if (head !== '') socket.write('X-A: b\r\n');
    }, 50);
    await ended;
    clearInterval(trickle);
  });

  it('answers HTTP/1.0 without a Host', async () => {
    const { port } = await serve();
    const socket = connect({ port, host: '127.0.0.1' });
    socket.end('GET /no/such HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toContain('404');
    expect(text).toContain('"code":"no_such_endpoint"');
  });

  it('says so when the port is taken', async () => {
    const { app, port } = await serve();
    await expect(listen(app, { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  });
});

describe('bind', () => {
  it('keeps a request waiting until there is an application', async () => {
    const bound = await bind({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => bound.close(AbortSignal.abort()));
    const early = fetch(`${bound.url}/healthz`);
    bound.serve(createTestApp().app, (_, socket) => socket.destroy());
    expect((await early).status).toBe(200);
    expect((await fetch(`${bound.url}/healthz`)).status).toBe(200);
  });
});
