/** Piston's paths over a scripted service: statuses, bodies, and white space while a job takes long. */
import { describe, expect, it } from 'vitest';

import { Fault, type RejectionCode } from '../../../domain/errors.ts';
import type { RunSubmission } from '../../../domain/submission.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const hello = { language: 'python', version: '*', files: [{ content: 'print(1)' }] };

async function ask(path: string, init: RequestInit, script: Script = {}) {
  const response = await createTestApp({ script }).app.request(path, init);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as unknown };
}

const execute = async (body: unknown, script: Script = {}) =>
  await ask('/api/v2/execute', post(body), script);

const failing = (code: RejectionCode): Script => ({
  async run() {
    throw rejection(code);
  },
});

describe('/api/v2', () => {
  it.each(['/api/v2/runtimes', '/api/v2/runtimes/', '/api/v2/piston/runtimes'])(
    'lists at %s what really runs',
    async (path) => {
      const { status, body } = await ask(path, {});
      expect(status).toBe(200);
      expect(body).toEqual([
        {
          language: 'python',
          version: '1.0.0',
          aliases: ['py', 'py3', 'python3', 'python1.0'],
        },
        {
          language: 'javascript',
          version: '1.0.0',
          aliases: ['node-javascript', 'node-js', 'js'],
          runtime: 'node',
        },
        { language: 'c++', version: '1.0.0', aliases: ['cpp', 'g++'], runtime: 'gcc' },
        {
          language: 'python3',
          version: '1.0.0',
          aliases: ['Python 3', 'cf_python3'],
          runtime: 'codeforces',
        },
      ]);
    },
  );

  it('lists packages, which are all installed and stay', async () => {
    expect((await ask('/api/v2/packages', {})).body).toContainEqual({
      language: 'codeforces',
      language_version: '1.0.0',
      installed: true,
    });
    const codeforces = { language: 'codeforces', version: '1.0.0' };
    expect(await ask('/api/v2/packages', post(codeforces))).toMatchObject({
      status: 500,
      body: { message: 'Already installed' },
    });
    expect(await ask('/api/v2/packages', post({ language: 'cobol', version: '*' }))).toMatchObject({
      status: 404,
      body: { message: 'Requested package cobol-* does not exist' },
    });
    expect(await ask('/api/v2/packages', { ...post(codeforces), method: 'DELETE' })).toMatchObject({
      status: 403,
    });
  });

  it.each<[string, unknown, number, string]>([
    ['no language', { ...hello, language: undefined }, 400, 'language is required as a string'],
    ['no version', { ...hello, version: 3 }, 400, 'version is required as a string'],
    ['no files', { ...hello, files: {} }, 400, 'files is required as an array'],
    [
      'a file without content',
      { ...hello, files: [{ content: '' }, { name: 'a' }] },
      400,
      'files[1].content is required as a string',
    ],
    ['a list', [], 400, 'language is required as a string'],
    ['an unknown language', { ...hello, language: 'cobol' }, 400, 'cobol-* runtime is unknown'],
    [
      'a version that is not here',
      { ...hello, version: '2.x' },
      400,
      'python-2.x runtime is unknown',
    ],
    [
      'a selector that is none',
      { ...hello, version: 'latest?' },
      400,
      'python-latest? runtime is unknown',
    ],
    [
      'no files at all',
      { ...hello, files: [] },
      400,
      'files must include at least one utf8 encoded file',
    ],
    [
      'no utf8 file',
      { ...hello, files: [{ content: '00', encoding: 'hex' }] },
      400,
      'files must include at least one utf8 encoded file',
    ],
    [
      'a limit that is no number, before one that is too large',
      { ...hello, run_memory_limit: 1e15, compile_memory_limit: '1' },
      400,
      'If specified, compile_memory_limit must be a number',
    ],
    [
      'too long a time-out',
      { ...hello, run_timeout: 300_001 },
      400,
      'run_timeout cannot exceed the configured limit of 300000',
    ],
    [
      'a negative time-out',
      { ...hello, run_cpu_time: -1 },
      400,
      'run_cpu_time must be non-negative',
    ],
    [
      'a way out of the work folder',
      { ...hello, files: [{ name: '../a', content: '' }] },
      400,
      'files[0].name is not accepted: a path must not leave the work folder (".." is not allowed)',
    ],
    ['args that are none', { ...hello, args: [{}] }, 400, 'args must be an array of strings'],
  ])('refuses %s in Piston’s words', async (_, body, status, message) => {
    expect(await execute(body)).toMatchObject({ status, body: { message } });
  });

  it('refuses text that is no JSON, and anything that does not say it is JSON', async () => {
    expect(await execute('{"SECRET": x')).toMatchObject({
      status: 400,
      body: { message: expect.any(String) as string, stack: expect.any(String) as string },
    });
    expect((await execute('{"SECRET": x')).text).not.toContain('SECRET');
    expect(await ask('/api/v2/execute', post(hello, 'text/plain'))).toMatchObject({
      status: 415,
      body: { message: 'requests must be of type application/json' },
    });
    expect(await ask('/api/v2/nothing', {})).toMatchObject({
      status: 404,
      body: { message: 'Not Found' },
    });
  });

  it.each<[string, Script, number]>([
    ['a service that stops', failing('draining'), 503],
    ['a fault of ours', { run: async () => aRunReport({ outcome: null, fault: aFault }) }, 500],
    [
      'an error that nobody foresaw',
      {
        async run() {
          throw new Fault('internal', 'SECRET');
        },
      },
      500,
    ],
  ])('answers %s with a status that is tried again', async (_, script, status) => {
    const answer = await execute(hello, script);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ message: expect.any(String) as string });
    expect(answer.text).not.toContain('SECRET');
  });

  it('waits for a place in a queue that is full', async () => {
    const clock = createFakeClock();
    let calls = 0;
    const script: Script = {
      async run() {
        calls += 1;
        if (calls < 3) throw rejection('queue_full', 1000);
        return aRunReport();
      },
    };
    const { app } = createTestApp({ script, clock });
    const response = app.request('/api/v2/execute', post(hello));
    for (let i = 0; i < 4; i += 1) {
      await settle();
      clock.advance(1000);
    }
    expect((await response).status).toBe(200);
    expect(calls).toBe(3);
  });

  it('sends white space while a job takes long, at least every 8 s, and then the answer', async () => {
    const clock = createFakeClock();
    const done = Promise.withResolvers<ReturnType<typeof aRunReport>>();
    const { app } = createTestApp({ script: { run: async () => await done.promise }, clock });
    const asked = app.request('/api/v2/execute', post(hello));
    await settle();
    clock.advance(8000);
    const response = await asked;
    const reader = response.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(response.status).toBe(200);
    expect(await next()).toBe(' ');
    for (let i = 0; i < 20; i += 1) {
      const beat = next();
      await settle();
      clock.advance(3000);
      expect(await beat).toBe(' ');
    }
    done.resolve(aRunReport());
    let text = '';
    for (let part = await next(); part !== ''; part = await next()) text += part;
    expect(JSON.parse(text)).toMatchObject({ run: { stdout: '1\n' } });
  });

  it('says null where a job that was held open should be tried again', async () => {
    const clock = createFakeClock();
    const done = Promise.withResolvers<never>();
    const { app } = createTestApp({ script: { run: async () => await done.promise }, clock });
    const asked = app.request('/api/v2/execute', post(hello));
    await settle();
    clock.advance(8000);
    const response = await asked;
    done.reject(rejection('draining'));
    expect(await response.json()).toBe(null);
  });

  it('ends the job of a client that has left', async () => {
    const clock = createFakeClock();
    const left = Promise.withResolvers<void>();
    const script: Script = {
      run: async (_, { signal }) =>
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            left.resolve();
            reject(rejection('caller_gone'));
          });
        }),
    };
    const { app } = createTestApp({ script, clock });
    const asked = app.request('/api/v2/execute', post(hello));
    await settle();
    clock.advance(8000);
    await (await asked).body?.cancel();
    await left.promise;
  });
});

describe('a request to run', () => {
  const submissionOf = async (body: object): Promise<RunSubmission> => {
    let seen: RunSubmission | null = null;
    const script: Script = {
      async run(submission) {
        seen = submission;
        return aRunReport();
      },
    };
    const { status, text } = await execute({ ...hello, ...body }, script);
    expect(status, text).toBe(200);
    if (seen === null) throw new Error('nothing was asked');
    return seen;
  };

  it('becomes a submission: names, encodings, the last line', async () => {
    const submission = await submissionOf({
      language: 'py3',
      files: [
        { name: 'data.bin', content: 'AP8=', encoding: 'base64' },
        { name: './lib//main.py', content: '', encoding: null },
        { content: '00ff', encoding: 'hex' },
        { name: 'latin.txt', content: 'é', encoding: 'latin1' },
      ],
      stdin: '1\n2',
      args: ['a', 2],
    });
    expect(submission).toMatchObject({
      language: 'python',
      program: {
        kind: 'files',
        entry: 'lib/main.py',
        files: [
          { path: 'data.bin', content: Buffer.from([0, 255]) },
          { path: 'lib/main.py', content: Buffer.alloc(0) },
          { path: 'file2.code', content: Buffer.from([0, 255]) },
          { path: 'latin.txt', content: Buffer.from('é') },
        ],
      },
      args: ['a', '2'],
      env: { PISTON_LANGUAGE: 'python' },
      stdin: Buffer.from('1\n2\n'),
      warm: true,
    });
  });

  it.each<[string, object, object]>([
    ['none', {}, { cpuMs: 10_000, wallMs: 21_000, compileCpuMs: 30_000 }],
    ['a time-out', { run_timeout: 3000.0 }, { cpuMs: 3000, wallMs: 5000 }],
    ['a long time-out', { run_timeout: 100_000 }, { cpuMs: 100_000, wallMs: 110_000 }],
    ['both times', { run_timeout: 5000, run_cpu_time: 1000.5 }, { cpuMs: 1001, wallMs: 5000 }],
    ['no limit', { run_timeout: 0 }, { cpuMs: 120_000, wallMs: 300_000 }],
    ['null', { run_timeout: null }, { cpuMs: 10_000, wallMs: 21_000 }],
    ['bytes', { run_memory_limit: 64_000_000 }, { memoryBytes: 64_000_000 }],
    ['no memory limit', { run_memory_limit: -1 }, { memoryBytes: 4096 * 1024 * 1024 }],
    [
      'the compiler’s',
      { compile_timeout: 60_000 },
      { compileCpuMs: 60_000, compileWallMs: 70_000 },
    ],
  ])('has the limits of %s', async (_, body, limits) => {
    expect((await submissionOf(body)).limits).toMatchObject(limits);
  });

  it.each<[string, ReturnType<typeof anOutcome>, object]>([
    ['a good end', anOutcome(), { code: 0, signal: null, message: null, status: null }],
    [
      'an exit code',
      anOutcome({ exitCode: 3 }),
      { code: 3, signal: null, message: 'Exited with error status 3', status: 'RE' },
    ],
    [
      'a signal',
      anOutcome({ kind: 'signalled', exitCode: null, signal: 6 }),
      { code: null, signal: 'SIGABRT', message: 'Caught fatal signal 6', status: 'SG' },
    ],
    [
      'a wall limit',
      anOutcome({ kind: 'time_limit', exitCode: null, limit: 'wall' }),
      { code: null, signal: 'SIGKILL', message: 'Time limit exceeded (wall clock)', status: 'TO' },
    ],
    [
      'a CPU limit',
      anOutcome({ kind: 'time_limit', exitCode: null, limit: 'cpu' }),
      { code: null, signal: 'SIGKILL', message: 'Time limit exceeded', status: 'TO' },
    ],
    [
      'a memory limit',
      anOutcome({ kind: 'memory_limit', exitCode: null, limit: 'memory' }),
      { code: null, signal: 'SIGKILL', message: 'Memory limit exceeded', status: 'SG' },
    ],
    [
      'too much output, with its beginning',
      anOutcome({ kind: 'output_limit', limit: 'output', stdoutTruncated: true }),
      { stdout: '1\n', signal: 'SIGKILL', message: 'stdout length exceeded', status: 'OL' },
    ],
    [
      'too much on stderr',
      anOutcome({ kind: 'output_limit', limit: 'output', stderrTruncated: true }),
      { code: null, message: 'stderr length exceeded', status: 'EL' },
    ],
  ])('is told of %s', async (_, outcome, run) => {
    const script: Script = { run: async () => aRunReport({ outcome }) };
    expect((await execute(hello, script)).body).toMatchObject({
      run: { ...run, memory: 9_000_000, cpu_time: 3, wall_time: 4 },
      language: 'python',
      version: '1.0.0',
    });
  });

  it('has the compile stage twice where the program does not compile', async () => {
    const outcome = anOutcome({
      kind: 'exited',
      exitCode: 1,
      stdout: bytes(''),
      stderr: bytes('no\n'),
    });
    const compile = { ok: false, cached: false, warm: false, outcome };
    const report = aRunReport({ compile, outcome: { ...outcome, kind: 'compile_error' } });
    const { body } = await execute({ ...hello, language: 'cpp' }, { run: async () => report });
    const stage = { stdout: '', stderr: 'no\n', output: 'no\n', code: 1, status: 'RE' };
    expect(body).toMatchObject({ run: stage, compile: stage, language: 'c++' });
  });
});
