/** Piston v2's wire against the whole service: real programs in real jails, an independent client, and raw requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { startService, type RunningService } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';
import { askPiston, getPistonClients } from './client.ts';

const found = await getPistonClients();
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

const TIMEOUT_MS = 120_000;
/** More than a megabyte, and soon full. */
const OUTPUT_KB = 4096;

const StageWire = z.looseObject({
  stdout: z.string(),
  stderr: z.string(),
  output: z.string(),
  code: z.int().nullable(),
  signal: z.string().nullable(),
  message: z.string().nullable(),
  status: z.enum(['RE', 'SG', 'TO', 'OL', 'EL', 'XX']).nullable(),
  memory: z.int().nullable(),
  cpu_time: z.int(),
  wall_time: z.int(),
});
const ExecuteWire = z.strictObject({
  run: StageWire,
  compile: StageWire.optional(),
  language: z.string(),
  version: z.string(),
});

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    languages: ['python', 'cpp', 'java', 'bash'],
    flags: { '--max-output-kb': String(OUTPUT_KB) },
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
}, TIMEOUT_MS);

async function execute(language: string, content: string, parts: object = {}) {
  const { status, body } = await service.client.post('/api/v2/execute', {
    language,
    version: '*',
    files: [{ content }],
    ...parts,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return ExecuteWire.parse(body);
}

async function runOf(language: string, content: string, parts: object = {}) {
  return (await execute(language, content, parts)).run;
}

describe('programs', () => {
  it.each([
    ['python', 'import os; print("OK", os.environ["PISTON_LANGUAGE"])', 'OK python'],
    ['c++', '#include <iostream>\nint main() { std::cout << "OK"; }', 'OK'],
    [
      'java',
      'class Hello { public static void main(String[] a) { System.out.print("OK"); } }',
      'OK',
    ],
    ['bash', 'echo OK "$@"', 'OK a b'],
  ])('run in %s', { timeout: TIMEOUT_MS }, async (language, code, said) => {
    const { run, compile, ...rest } = await execute(language, code, { args: ['a', 'b'] });
    expect(run).toMatchObject({ stdout: expect.stringContaining(said) as string, code: 0 });
    expect(rest.language).toBe(language);
    expect(compile?.code).toBe(language === 'c++' || language === 'java' ? 0 : undefined);
  });

  it.each<[string, string, object, object]>([
    ['an exit code', 'exit(3)', {}, { code: 3, signal: null, status: 'RE' }],
    [
      'a signal',
      'import os; os.kill(os.getpid(), 11)',
      {},
      { code: null, signal: 'SIGSEGV', status: 'SG' },
    ],
    [
      'computing too long',
      'while True: pass',
      { run_timeout: 300 },
      { code: null, signal: 'SIGKILL', status: 'TO' },
    ],
    [
      'sleeping too long',
      'import time; time.sleep(30)',
      { run_timeout: 300.0, run_cpu_time: 200 },
      { signal: 'SIGKILL', status: 'TO', message: 'Time limit exceeded (wall clock)' },
    ],
    [
      'a group that stops itself',
      'import os, signal\nos.kill(0, signal.SIGSTOP)',
      { run_timeout: 500 },
      { code: null, signal: 'SIGKILL', status: 'TO' },
    ],
    [
      'too much memory',
      'x = bytearray(2**30)',
      { run_memory_limit: 64 * 2 ** 20 },
      { code: null, signal: 'SIGKILL', message: 'Memory limit exceeded' },
    ],
  ])('are told of by %s', { timeout: TIMEOUT_MS }, async (_, code, limits, end) => {
    expect(await runOf('py', code, limits)).toMatchObject(end);
  });

  it('get a megabyte of output through, and of more than the limit its beginning', async () => {
    const text = 'é'.repeat(500_000);
    expect((await runOf('python', `print(${JSON.stringify('é')} * 500_000, end='')`)).stdout).toBe(
      text,
    );
    const flood = await runOf('python', `import sys\nwhile True: sys.stdout.write('x' * 65536)`);
    expect(flood).toMatchObject({
      status: 'OL',
      signal: 'SIGKILL',
      message: 'stdout length exceeded',
    });
    expect(flood.stdout.length).toBe(OUTPUT_KB * 1024);
  });

  it.each(['1\n2', '1\n2\n'])('get the last line of %j', async (stdin) => {
    const code = 'import sys\nprint([line for line in sys.stdin])';
    expect((await runOf('python', code, { stdin })).stdout).toBe("['1\\n', '2\\n']\n");
  });

  it.each([
    ['5 MB', 5_000_000, ''],
    ['50 MB, by a slow reader', 50_000_000, 'time.sleep(0.3)'],
  ])('get input of %s byte for byte', { timeout: TIMEOUT_MS }, async (_, length, wait) => {
    const stdin = `${'0123456789'.repeat(length / 10 - 1)}012345678\n`;
    const code = `import hashlib, sys, time\n${wait}\nprint(len(d := sys.stdin.buffer.read()), hashlib.sha256(d).hexdigest())`;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stdin));
    const { stdout } = await runOf('python', code, { stdin, run_timeout: 20_000 });
    expect(stdout).toBe(`${length} ${Buffer.from(digest).toString('hex')}\n`);
  });

  it('get inputs with quotes and backslashes as they are, emoji, and a megabyte of source', async () => {
    const stdin = `"'\`$HOME\\n$(id) \u{1f600}\n`;
    const code = `# ${'x'.repeat(1_000_000)}\nprint(input(), '\u{1f600}')`;
    expect((await runOf('python', code, { stdin })).stdout).toBe(`${stdin.trimEnd()} \u{1f600}\n`);
  });

  it(
    'are all Java and all right under a small limit, ten in a row',
    { timeout: TIMEOUT_MS },
    async () => {
      const code =
        'public class Main { public static void main(String[] a) { System.out.println(new int[1000].length); } }';
      const ends = [];
      for (let i = 0; i < 10; i += 1) {
        const run = await runOf('java', code, { run_memory_limit: 64_000_000 });
        ends.push(`${run.signal} ${run.stdout}`);
      }
      expect(new Set(ends)).toEqual(new Set(['null 1000\n']));
    },
  );

  it('end when their client leaves, and leave their slot', { timeout: TIMEOUT_MS }, async () => {
    const gone = new AbortController();
    const body = { language: 'python', version: '*', files: [{ content: 'while True: pass' }] };
    const asked = service.client.post('/api/v2/execute', body, { signal: gone.signal });
    await waitFor(async () => ((await service.client.stats()).slots.busy > 0 ? true : null), {
      what: 'a busy slot',
      timeoutMs: 10_000,
    });
    gone.abort();
    await expect(asked).rejects.toThrow('abort');
    await waitFor(async () => ((await service.client.stats()).slots.busy === 0 ? true : null), {
      what: 'a free slot',
      timeoutMs: 5000,
    });
  });

  it('are answered with white space where they take long', { timeout: TIMEOUT_MS }, async () => {
    const response = await fetch(`${service.url}/api/v2/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        language: 'python',
        version: '*',
        files: [{ content: 'import time; time.sleep(8.5); print("late")' }],
        run_timeout: 60_000,
      }),
    });
    const text = await response.text();
    expect(text).toMatch(/^ +\{/);
    expect(JSON.parse(text)).toMatchObject({ run: { stdout: 'late\n' } });
  });
});

/** Sends `first`, then an answer to each text that comes, and tells all that came. */
async function talk(first: object, answers: Readonly<Record<string, object>> = {}) {
  const client = new WebSocket(`${service.url.replace('http', 'ws')}/api/v2/connect`);
  const heard: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<number>();
  client.addEventListener('open', () => client.send(JSON.stringify({ type: 'init', ...first })));
  client.addEventListener('message', ({ data }) => {
    const message = z.looseObject({ data: z.string().optional() }).parse(JSON.parse(String(data)));
    heard.push(message);
    const answer = answers[message.data ?? ''];
    if (answer !== undefined) client.send(JSON.stringify(answer));
  });
  client.addEventListener('close', ({ code }) => resolve(code));
  return { code: await promise, heard };
}

describe('/connect', () => {
  const input = (data: string) => ({ type: 'data', stream: 'stdin', data });

  it('talks with a program', { timeout: TIMEOUT_MS }, async () => {
    const content = 'print("name?", flush=True)\nprint("hello", input())\nexit(3)';
    const first = { language: 'python', version: '*', files: [{ content }] };
    const { code, heard } = await talk(first, { 'name?\n': input('Ada é\n') });
    expect(code).toBe(4999);
    expect(heard).toEqual([
      { type: 'runtime', language: 'python', version: expect.any(String) as string },
      { type: 'stage', stage: 'run' },
      { type: 'data', stream: 'stdout', data: 'name?\n' },
      { type: 'data', stream: 'stdout', data: 'hello Ada é\n' },
      {
        type: 'exit',
        stage: 'run',
        error: { message: 'Exited with error status 3' },
        code: 3,
        signal: null,
      },
    ]);
  });

  it('passes signals to it', { timeout: TIMEOUT_MS }, async () => {
    const content =
      'import time\ntry:\n  print("ready", flush=True)\n  time.sleep(60)\nexcept KeyboardInterrupt:\n  print("stopped", flush=True)\ntime.sleep(60)';
    const first = { language: 'python', version: '*', files: [{ content }] };
    const { heard } = await talk(first, {
      'ready\n': { type: 'signal', signal: 'SIGINT' },
      'stopped\n': { type: 'signal', signal: 'SIGTERM' },
    });
    expect(heard.slice(2)).toMatchObject([
      { data: 'ready\n' },
      { data: 'stopped\n' },
      { type: 'exit', stage: 'run', code: null, signal: 'SIGTERM' },
    ]);
  });

  it('compiles first, and ends at a limit', { timeout: TIMEOUT_MS }, async () => {
    const content = '#include <unistd.h>\nint main() { for (;;) pause(); }';
    const first = { language: 'c++', version: '*', files: [{ content }], run_timeout: 300 };
    const { code, heard } = await talk(first);
    expect(code).toBe(4999);
    expect(heard.slice(1)).toMatchObject([
      { type: 'stage', stage: 'compile' },
      { type: 'exit', stage: 'compile', code: 0, signal: null },
      { type: 'stage', stage: 'run' },
      { type: 'exit', stage: 'run', code: null, signal: 'SIGKILL' },
    ]);
  });
});

describe.skipIf(found.kind === 'unreachable')(`an independent client${note}`, () => {
  if (found.kind === 'unreachable') return;

  it('lists, runs and is told what went wrong', { timeout: TIMEOUT_MS }, async () => {
    const file = { content: 'import sys; print(input(), sys.argv[1:])' };
    const run = { call: 'execute', version: '*', run_timeout: 3000.0 };
    const [runtimes, packages, ...answers] = await askPiston(found, service.url, [
      { call: 'runtimes' },
      { call: 'packages' },
      { ...run, language: 'py', file, stdin: 'hello', args: ['a'] },
      { ...run, language: 'c++', file: { content: 'int main() { return x; }' } },
      { ...run, language: 'cobol', file },
      { ...run, language: 'python', version: '2.7.18', file },
      { call: 'install', language: 'codeforces', version: '1.0.0' },
      { call: 'install', language: 'cobol', version: '*' },
      { call: 'uninstall', language: 'codeforces', version: '1.0.0' },
    ]);
    const names = z
      .array(z.looseObject({ language: z.string(), version: z.string() }))
      .parse(runtimes);
    expect(names.map(({ language }) => language)).toEqual(
      expect.arrayContaining(['python', 'c++', 'java', 'bash', 'c++17', 'python3', 'cms']),
    );
    expect(packages).toContainEqual({
      language: 'cms_ioi',
      language_version: '1.0.0',
      installed: true,
    });
    expect(answers).toMatchObject([
      {
        language: 'python',
        run: { stdout: "hello ['a']\n", code: 0, signal: null },
        compile: null,
      },
      { language: 'c++', run: { code: 1 }, compile: { code: 1, stdout: '' } },
      'BadRequestError',
      'BadRequestError',
      'InternalServerError',
      'NotFoundError',
      'UnexpectedStatusError',
    ]);
  });
});
