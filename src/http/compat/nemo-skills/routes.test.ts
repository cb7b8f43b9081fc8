/** NeMo-Skills' paths over a scripted service: shapes, statuses, cuts, what is not served, bad input, faults; sessions are in sessions.test.ts. */
import { describe, expect, it } from 'vitest';

import { Fault } from '../../../domain/errors.ts';
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

/** As the client sends it: numbers of Python's, and all fields. */
const body = (parts: object = {}) => ({
  generated_code: 'print(1)',
  timeout: 10,
  language: 'python3',
  std_input: '',
  max_output_characters: 1000,
  traceback_verbosity: 'Plain',
  ...parts,
});

async function ask(request: unknown, script: Script = {}, headers: Record<string, string> = {}) {
  const init = post(request);
  const { app } = createTestApp({ script });
  const response = await app.request('/execute', {
    ...init,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, text };
}

const ending = (parts: Parameters<typeof anOutcome>[0]): Script => ({
  run: async () => aRunReport({ outcome: anOutcome(parts) }),
});

const TIMED_OUT = { kind: 'time_limit', exitCode: null, limit: 'cpu' } as const;

describe('/execute', () => {
  it('runs Python with its input, and says what came', async () => {
    const seen: RunSubmission[] = [];
    const script: Script = {
      async run(submission) {
        seen.push(submission);
        return aRunReport();
      },
    };
    const answer = await ask(body({ std_input: '1 2\n', timeout: 4 }), script);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ process_status: 'completed', stdout: '1\n', stderr: '' });
    expect(seen[0]).toMatchObject({
      language: 'python',
      program: { kind: 'single', code: 'print(1)' },
      limits: { cpuMs: 4000, wallMs: 6000 },
    });
    expect(Buffer.from(seen[0]?.stdin ?? []).toString()).toBe('1 2\n');
    await ask(body({ language: 'shell', std_input: 'x' }), script);
    expect(seen[1]).toMatchObject({ language: 'bash' });
    expect(seen[1]?.stdin).toHaveLength(0);
  });

  it.each<[string, string, Parameters<typeof anOutcome>[0], string]>([
    ['python3', 'a non-zero exit', { exitCode: 1, stderr: bytes('no') }, 'completed'],
    ['python', 'a signal', { kind: 'signalled', exitCode: null, signal: 11 }, 'completed'],
    ['shell', 'a clean end', {}, 'completed'],
    ['shell', 'a non-zero exit', { exitCode: 2 }, 'error'],
    ['python3', 'a memory limit', { kind: 'memory_limit', exitCode: null, signal: 9 }, 'error'],
    ['shell', 'a full disk', { kind: 'disk_limit', exitCode: 1 }, 'error'],
  ])('%s: %s', async (language, _, outcome, status) => {
    const answer = await ask(body({ language }), ending(outcome));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ process_status: status, stdout: '1\n' });
    expect(Object.keys(answer.body)).toEqual(['process_status', 'stdout', 'stderr']);
  });

  it.each([
    ['10.0', '10.0'],
    ['10', '10'],
    ['2.50', '2.50'],
  ])('says of a time-out of %s what Python says', async (written, said) => {
    const text = JSON.stringify(body()).replace('"timeout":10', `"timeout": ${written}`);
    const answer = await ask(text, ending(TIMED_OUT));
    expect(answer.body).toEqual({
      process_status: 'timeout',
      stdout: '',
      stderr: `Execution timed out after ${said} seconds\n`,
    });
  });

  it.each([
    ['x'.repeat(10), 10, 'x'.repeat(10)],
    ['x'.repeat(11), 10, `${'x'.repeat(10)}<output cut>`],
    ['🙂'.repeat(10), 10, '🙂'.repeat(10)],
    ['🙂'.repeat(11), 10, `${'🙂'.repeat(10)}<output cut>`],
    ['abc', 0, '<output cut>'],
  ])('cuts %s to %i characters', async (stdout, most, expected) => {
    const script = ending({ stdout: bytes(stdout), stderr: bytes(stdout) });
    const answer = await ask(body({ max_output_characters: most }), script);
    expect(answer.body).toMatchObject({ stdout: expected, stderr: expected });
  });

  it('cuts at 1000 characters unless told otherwise', async () => {
    const { max_output_characters: _, ...rest } = body();
    const script = ending({ stdout: bytes('y'.repeat(1001)) });
    const answer = await ask(rest, script);
    expect(answer.body['stdout']).toBe(`${'y'.repeat(1000)}<output cut>`);
  });
});

describe('what is not served', () => {
  it.each<[string, object, Record<string, string>, string]>([
    ['a session without its header', { language: 'ipython' }, {}, 'X-Session-ID header required'],
    ['the default, which is a session', { language: undefined }, {}, 'ipython'],
    [
      'a name that is too long',
      { language: 'ipython' },
      { 'X-Session-ID': 'a'.repeat(257) },
      '256 characters',
    ],
    ['Lean', { language: 'lean4' }, {}, 'lean4 is not served'],
    ['PyPy', { language: 'pypy3' }, {}, 'pypy3 is not served'],
  ])('%s is said to be so, in a body that is a result', async (_, parts, headers, said) => {
    const answer = await ask(body(parts), {}, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ process_status: 'error', stdout: '' });
    expect(answer.body['stderr']).toContain(said);
    expect(answer.body['error']).toContain(said);
  });

  it('answers /health', async () => {
    const { app } = createTestApp({ config: { surfaces: ['nemo_skills'] } });
    expect(await (await app.request('/health')).json()).toEqual({
      status: 'healthy',
      worker: 'assay',
    });
  });
});

describe('what went wrong', () => {
  it.each<[string, unknown, number, string]>([
    ['no program', body({ generated_code: undefined }), 422, 'generated_code'],
    ['no time-out', body({ timeout: undefined }), 422, 'timeout'],
    ['a time-out of nothing', body({ timeout: 0 }), 422, 'timeout'],
    ['an unknown language', body({ language: 'SECRET' }), 422, 'language'],
    ['a size that is none', body({ max_output_characters: -1 }), 422, 'max_output_characters'],
    ['no JSON', '{"generated_code": "SECRET" x', 400, ''],
  ])('is told in a body that is a result: %s', async (_, request, status, field) => {
    const answer = await ask(request);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ process_status: 'error', stdout: '' });
    expect(answer.body['stderr']).toContain(field);
    expect(answer.text).not.toContain('SECRET');
  });

  it('tries faults again, and at last says that nothing was run', async () => {
    let calls = 0;
    const script: Script = {
      async run() {
        calls += 1;
        return aRunReport({ outcome: null, fault: aFault });
      },
    };
    const answer = await ask(body(), script);
    expect(calls).toBe(3);
    expect(answer).toMatchObject({ status: 500, body: { process_status: 'error' } });
    expect(answer.body['stderr']).toContain('not run');
    const hidden = await ask(body(), {
      async run() {
        throw new Fault('jail_died', '/secret');
      },
    });
    expect(hidden.status).toBe(500);
    expect(hidden.text).not.toContain('/secret');
  });

  it('waits for a place, and holds the client meanwhile', async () => {
    const clock = createFakeClock();
    let calls = 0;
    const script: Script = {
      async run() {
        calls += 1;
        if (calls < 6) throw rejection('queue_full', 5000);
        return aRunReport();
      },
    };
    const { app } = createTestApp({ script, clock });
    const asked = Promise.resolve(app.request('/execute', post(body({ timeout: 2 }))));
    const text = asked.then((response) => response.text());
    let isDone = false;
    void text.then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 60 && !isDone; turn += 1) {
      await settle();
      clock.advance(1000);
    }
    expect(await text).toMatch(/^ +\{/);
    expect(JSON.parse(await text)).toMatchObject({ process_status: 'completed' });
  });

  it('says so where the service is stopping', async () => {
    const answer = await ask(body(), {
      async run() {
        throw rejection('draining');
      },
    });
    expect(answer).toMatchObject({ status: 503, body: { process_status: 'error' } });
  });
});
