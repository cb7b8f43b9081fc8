/** Piston's `/connect` over a scripted service on a real loopback socket: messages, close codes, and who is let in. */
import { request } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { LiveTalk, LiveVoice } from '../../../judge/door.ts';
import { listen } from '../../server.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  type Script,
} from '../../test-support/scripted-service.ts';
import { pistonUpgrade } from './connect.ts';

const init = { type: 'init', language: 'python', version: '*', files: [{ content: 'x' }] };

async function serve(script: Script = {}) {
  const { app, deps } = createTestApp({ script });
  const address = { host: '127.0.0.1', port: 0 };
  const listening = await listen(app, address, pistonUpgrade(deps));
  onTestFinished(() => listening.close(AbortSignal.abort()));
  return listening;
}

/** Connects, sends, and tells all that came until the end. */
async function talk(port: number, messages: readonly unknown[], path = '/api/v2/connect') {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const heard: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
  client.addEventListener('open', () => {
    for (const message of messages)
      client.send(typeof message === 'string' ? message : JSON.stringify(message));
  });
  client.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))));
  client.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  return { heard, ...(await promise) };
}

/** A program that says what it is told, and ends at a signal. */
const echoing = (told: unknown[]): Script => ({
  async talk(_, { onStage, onOpen, onOutput }: LiveTalk) {
    const ended = Promise.withResolvers<number>();
    onStage('run');
    const voice: LiveVoice = {
      write: (data) => {
        told.push(Buffer.from(data).toString());
        return onOutput('stdout', data);
      },
      end: () => {},
      signal: (signal) => ended.resolve(signal),
    };
    // As a program that takes its time to start.
    setTimeout(() => onOpen(voice), 20);
    const signal = await ended.promise;
    return aRunReport({ outcome: anOutcome({ kind: 'signalled', exitCode: null, signal }) });
  },
});

describe('/connect', () => {
  it('talks with a program, in order, and passes its signal', async () => {
    const told: unknown[] = [];
    const { port } = await serve(echoing(told));
    const { heard, code, reason } = await talk(port, [
      init,
      { type: 'data', stream: 'stdin', data: 'one é\n' },
      { type: 'data', stream: 'stdin', data: 'two\n' },
      { type: 'signal', signal: 'SIGTERM' },
    ]);
    expect(heard).toEqual([
      { type: 'runtime', language: 'python', version: '1.0.0' },
      { type: 'stage', stage: 'run' },
      { type: 'data', stream: 'stdout', data: 'one é\n' },
      { type: 'data', stream: 'stdout', data: 'two\n' },
      {
        type: 'exit',
        stage: 'run',
        error: { message: 'Caught fatal signal 15' },
        code: null,
        signal: 'SIGTERM',
      },
    ]);
    expect(told).toEqual(['one é\n', 'two\n']);
    expect([code, reason]).toEqual([4999, 'Job Completed']);
  });

  it('joins a character that comes in two pieces', async () => {
    const script: Script = {
      async talk(_, { onOutput }) {
        const [first, second] = [bytes('é').subarray(0, 1), bytes('é').subarray(1)];
        for (const part of [first, second]) await onOutput('stderr', part);
        return aRunReport();
      },
    };
    const { port } = await serve(script);
    const { heard } = await talk(port, [init]);
    expect(heard).toContainEqual({ type: 'data', stream: 'stderr', data: 'é' });
    expect(JSON.stringify(heard)).not.toContain('\uFFFD');
  });

  it('tells of a compile step', async () => {
    const outcome = anOutcome({ exitCode: 1, stdout: bytes(''), stderr: bytes('no\n') });
    const compile = { ok: false, cached: false, warm: false, outcome };
    const script: Script = {
      async talk(_, { onStage, onCompiled }) {
        onStage('compile');
        onCompiled(compile);
        return aRunReport({ compile, outcome: { ...outcome, kind: 'compile_error' } });
      },
    };
    const { port } = await serve(script);
    const { heard, code } = await talk(port, [{ ...init, language: 'c++' }]);
    expect(heard.slice(1)).toEqual([
      { type: 'stage', stage: 'compile' },
      { type: 'data', stream: 'stderr', data: 'no\n' },
      { type: 'exit', stage: 'compile', code: 1, signal: null },
    ]);
    expect(code).toBe(4999);
  });

  it.each<[string, readonly unknown[], number, string | null]>([
    ['a second program', [init, init], 4000, null],
    ['nothing', [], 4001, null],
    ['input without a program', [{ type: 'data', stream: 'stdin', data: '' }], 4003, null],
    ['a signal without a program', [{ type: 'signal', signal: 'SIGINT' }], 4003, null],
    ['output', [init, { type: 'data', stream: 'stdout', data: '' }], 4004, null],
    ['a signal that is none', [init, { type: 'signal', signal: 'SIGNONE' }], 4005, null],
    ['text that is no JSON', ['{'], 4002, 'the text ends'],
    ['another type', [{ type: 'x' }], 4002, 'type must be init, data or signal'],
    ['a language that is not here', [{ ...init, language: 'x' }], 4002, 'x-* runtime is unknown'],
    [
      'a language that judges',
      [
        {
          ...init,
          language: 'cf_python3',
          files: [
            { name: 'a', content: '' },
            { name: 'input.txt', content: '' },
            { name: 'correct_output.txt', content: '' },
            { name: 'grader_config', content: 'TIME_LIMIT=1\nMEMORY_LIMIT=1' },
          ],
        },
      ],
      4002,
      'python3 judges, and cannot be talked with',
    ],
  ])('ends at %s', async (_, messages, expected, message) => {
    const { port } = await serve(echoing([]));
    const { heard, code } = await talk(port, messages);
    expect(code).toBe(expected);
    if (message !== null)
      expect(heard).toContainEqual({
        type: 'error',
        message: expect.stringContaining(message) as string,
      });
  });

  it('tells of a fault of ours', async () => {
    const script: Script = { talk: async () => aRunReport({ outcome: null, fault: aFault }) };
    const { port } = await serve(script);
    const { heard, code } = await talk(port, [init]);
    expect(heard.at(-1)).toEqual({ type: 'error', message: aFault.message });
    expect(code).toBe(4002);
  });

  it('ends the program of a client that has left', async () => {
    const left = Promise.withResolvers<void>();
    const script: Script = {
      talk: async (_, { onStage }, { signal }) => {
        onStage('run');
        return await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            left.resolve();
            reject(signal.reason as Error);
          });
        });
      },
    };
    const { port } = await serve(script);
    const client = new WebSocket(`ws://127.0.0.1:${port}/api/v2/connect`);
    client.addEventListener('open', () => client.send(JSON.stringify(init)));
    let count = 0;
    client.addEventListener('message', () => {
      count += 1;
      if (count === 2) client.close();
    });
    await left.promise;
  });

  it('lets in neither other paths nor pages of other sites', async () => {
    const { port } = await serve();
    const statusOf = async (path: string, origin: string | null) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        ...(origin === null ? {} : { origin }),
      };
      const asked = request({ port, path, headers });
      asked.on('response', ({ statusCode }) => resolve(statusCode));
      asked.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve(statusCode);
      });
      asked.on('error', reject);
      asked.end();
      return await promise;
    };
    expect(await statusOf('/api/v2/connect', null)).toBe(101);
    expect(await statusOf('/api/v2/piston/connect?a', `http://localhost:${port}`)).toBe(101);
    expect(await statusOf('/api/v2/connect', `http://localhost:${port + 1}`)).toBe(403);
    expect(await statusOf('/api/v2/connect', 'https://example.org')).toBe(403);
    expect(await statusOf('/api/v2/connect', 'null')).toBe(403);
    expect(await statusOf('/v1/run', null)).toBe(404);
  });
});
