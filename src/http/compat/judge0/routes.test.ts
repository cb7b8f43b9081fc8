/** Judge0's paths over a scripted service: shapes, statuses, tokens, fields, bad input, faults. */
import { describe, expect, it } from 'vitest';

import { Fault, type RejectionCode } from '../../../domain/errors.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aCase,
  aFault,
  aJudgeReport,
  anOutcome,
  bytes,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const ON = { surfaces: ['judge0'] } as const;
/** What ms-swift's reward sends. */
const SWIFT = { source_code: 'print(1)', language_id: 71, stdin: '', expected_output: '1' };
const WAIT = '/submissions/?wait=true';

type App = ReturnType<typeof createTestApp>['app'];

function anApp(script: Script = {}, clock = createFakeClock()) {
  return { app: createTestApp({ script, clock, config: ON }).app, clock };
}

async function ask(app: App, path: string, body?: unknown) {
  const response = await app.request(path, body === undefined ? {} : post(body));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, text };
}

const reporting = (parts: Parameters<typeof aJudgeReport>[0]): Script => ({
  judge: async () => aJudgeReport(parts),
});
const ending = (outcome: Parameters<typeof anOutcome>[0], verdict = 'runtime_error') =>
  reporting({
    verdict: 'runtime_error',
    reward: 0,
    cases: [
      aCase({
        verdict: verdict as 'runtime_error',
        score: verdict === 'accepted' ? 1 : 0,
        outcome: anOutcome(outcome),
      }),
    ],
  });

describe('a submission that is waited for', () => {
  it('answers 201 with the fields that Judge0 gives by default', async () => {
    const { app } = anApp();
    const answer = await ask(app, WAIT, SWIFT);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      stdout: '1\n',
      time: '0.003',
      memory: 8789,
      stderr: null,
      token: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      compile_output: null,
      message: null,
      status: { id: 3, description: 'Accepted' },
    });
  });

  it('is judged by Judge0’s rules and limits', async () => {
    const seen: JudgeSubmission[] = [];
    const { app } = anApp({
      async judge(submission) {
        seen.push(submission);
        return aJudgeReport();
      },
    });
    await ask(app, WAIT, { ...SWIFT, stdin: '1 2\n' });
    expect(seen[0]).toMatchObject({
      language: 'python',
      compare: { kind: 'grader', grader: 'trailing_stripped' },
      profile: { name: 'judge0' },
      limits: {
        cpuMs: 5000,
        wallMs: 10_000,
        memoryBytes: 125 * 1024 * 1024,
        processes: 60,
        outputBytes: 1024 * 1024,
      },
    });
    await ask(app, WAIT, {
      ...SWIFT,
      cpu_time_limit: 0.5,
      wall_time_limit: 2,
      memory_limit: 64_000,
      max_processes_and_or_threads: 4,
      max_file_size: 10,
      command_line_arguments: ' a  b ',
    });
    expect(seen[1]).toMatchObject({
      args: ['a', 'b'],
      limits: { cpuMs: 500, wallMs: 2000, processes: 4, outputBytes: 10 * 1024 },
    });
  });

  it.each<[string, Script, number, string, string | null]>([
    ['a wrong answer', ending({}, 'wrong_answer'), 4, 'Wrong Answer', null],
    [
      'a time-out',
      ending({ kind: 'time_limit', exitCode: null, limit: 'cpu' }),
      5,
      'Time Limit Exceeded',
      'Time limit exceeded',
    ],
    [
      'a segmentation fault',
      ending({ kind: 'signalled', exitCode: null, signal: 11 }),
      7,
      'Runtime Error (SIGSEGV)',
      'Caught fatal signal 11',
    ],
    [
      'too much output',
      ending({ kind: 'output_limit', exitCode: null, signal: 9 }),
      8,
      'Runtime Error (SIGXFSZ)',
      'File size limit exceeded',
    ],
    [
      'a division by zero',
      ending({ kind: 'signalled', exitCode: null, signal: 8 }),
      9,
      'Runtime Error (SIGFPE)',
      'Caught fatal signal 8',
    ],
    [
      'an abort',
      ending({ kind: 'signalled', exitCode: null, signal: 6 }),
      10,
      'Runtime Error (SIGABRT)',
      'Caught fatal signal 6',
    ],
    // Even with the right output.
    [
      'a non-zero exit',
      ending({ exitCode: 3 }),
      11,
      'Runtime Error (NZEC)',
      'Exited with error status 3',
    ],
    [
      'another signal',
      ending({ kind: 'signalled', exitCode: null, signal: 9 }),
      12,
      'Runtime Error (Other)',
      'Caught fatal signal 9',
    ],
    [
      'a memory limit',
      ending({ kind: 'memory_limit', exitCode: null, signal: 9 }),
      12,
      'Runtime Error (Other)',
      'Memory limit exceeded',
    ],
  ])('tells %s', async (_, script, id, description, message) => {
    const { body } = await ask(anApp(script).app, WAIT, SWIFT);
    expect(body).toMatchObject({ status: { id, description }, message });
  });

  it('tells a compile error with the compiler’s words', async () => {
    const outcome = anOutcome({ exitCode: 1, stdout: bytes(''), stderr: bytes('no;') });
    const compile = { ok: false, cached: false, warm: false, outcome };
    const script = reporting({ verdict: 'compile_error', reward: 0, cases: [], compile });
    const { body } = await ask(anApp(script).app, WAIT, { ...SWIFT, language_id: 54 });
    expect(body).toMatchObject({
      status: { id: 6, description: 'Compilation Error' },
      compile_output: 'no;',
      stdout: null,
      time: null,
      memory: null,
    });
  });

  it('accepts whatever ends well where no output is expected', async () => {
    const script = ending({}, 'wrong_answer');
    const { app } = anApp(script);
    const { expected_output: _, ...rest } = SWIFT;
    expect((await ask(app, WAIT, rest)).body).toMatchObject({ status: { id: 3 } });
    const none = await ask(app, WAIT, { ...rest, expected_output: null });
    expect(none.body).toMatchObject({ status: { id: 3 } });
    const failing = await ask(anApp(ending({ exitCode: 1 })).app, WAIT, rest);
    expect(failing.body).toMatchObject({ status: { id: 11 } });
  });

  it('has a status for output that is no UTF-8, and its bytes as base64', async () => {
    const script = ending({ stdout: Uint8Array.of(0xff, 0x31) }, 'wrong_answer');
    const { app } = anApp(script);
    expect((await ask(app, WAIT, SWIFT)).body).toMatchObject({
      stdout: '\uFFFD1',
      status: { id: 4 },
    });
    const encoded = {
      source_code: Buffer.from('print(1)').toString('base64'),
      language_id: 71,
      stdin: Buffer.from('1 2\n').toString('base64'),
      // As MIME breaks it.
      expected_output: `${Buffer.from('1').toString('base64')}\n`,
    };
    const answer = await ask(app, `${WAIT}&base64_encoded=true`, encoded);
    expect(answer.body).toMatchObject({
      stdout: Buffer.from([0xff, 0x31]).toString('base64'),
      status: { id: 4 },
    });
  });

  it('gives the fields that are asked for', async () => {
    const { app } = anApp();
    const some = await ask(app, `${WAIT}&fields=status_id,exit_code,language_id`, SWIFT);
    expect(some.body).toEqual({ status_id: 3, exit_code: 0, language_id: 71 });
    const all = await ask(app, `${WAIT}&fields=*`, SWIFT);
    expect(Object.keys(all.body)).toContain('finished_at');
    const odd = await ask(app, `${WAIT}&fields=stdout,source_code`, SWIFT);
    expect(odd).toMatchObject({
      status: 400,
      body: { error: 'invalid fields: [source_code]' },
    });
  });
});

describe('faults and capacity', () => {
  it('tries a fault again before it is a 13, which clients score like a wrong answer', async () => {
    let calls = 0;
    const faulty = aJudgeReport({ verdict: 'fault', reward: null, fault: aFault, cases: [] });
    const { app } = anApp({
      async judge() {
        calls += 1;
        return calls < 3 ? faulty : aJudgeReport();
      },
    });
    expect((await ask(app, WAIT, SWIFT)).body).toMatchObject({ status: { id: 3 } });
    expect(calls).toBe(3);
    calls = -10;
    expect((await ask(app, WAIT, SWIFT)).body).toMatchObject({
      status: { id: 13, description: 'Internal Error' },
      message: aFault.message,
    });
    expect(calls).toBe(-7);
  });

  it('waits for a place in the queue', async () => {
    let calls = 0;
    const { app, clock } = anApp({
      async judge() {
        calls += 1;
        if (calls < 4) throw rejection('queue_full', 200);
        return aJudgeReport();
      },
    });
    const answer = ask(app, WAIT, SWIFT);
    for (let turn = 0; turn < 30; turn += 1) {
      await settle();
      clock.advance(100);
    }
    expect((await answer).body).toMatchObject({ status: { id: 3 } });
  });

  it.each<[RejectionCode, number]>([
    ['draining', 503],
    ['deadline', 503],
  ])('%s is %i without a status, so no verdict', async (code, status) => {
    const { app } = anApp({
      async judge() {
        throw rejection(code);
      },
    });
    const answer = await ask(app, WAIT, SWIFT);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toHaveProperty('status');
  });

  it('hides what broke', async () => {
    const { app } = anApp({
      async judge() {
        throw new Fault('jail_died', '/secret');
      },
    });
    const answer = await ask(app, WAIT, SWIFT);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('/secret');
  });
});

describe('bad input', () => {
  it.each<[string, unknown, number, object]>([
    ['no program', { language_id: 71 }, 422, { source_code: ["can't be blank"] }],
    ['an empty program', { ...SWIFT, source_code: '' }, 422, { source_code: ["can't be blank"] }],
    ['no language', { source_code: 'SECRET' }, 422, { language_id: ["can't be blank"] }],
    [
      'an unknown language',
      { ...SWIFT, language_id: 150_000 },
      422,
      { language_id: ["language with id 150000 doesn't exist"] },
    ],
    [
      'a language that is not served',
      { ...SWIFT, language_id: 46 },
      422,
      { language_id: ["language with id 46 doesn't exist"] },
    ],
    [
      'too much time',
      { ...SWIFT, cpu_time_limit: 1000 },
      422,
      { cpu_time_limit: ['must be less than or equal to 120'] },
    ],
    ['no time', { ...SWIFT, cpu_time_limit: 0 }, 422, { cpu_time_limit: [expect.any(String)] }],
    [
      'a network',
      { ...SWIFT, enable_network: true },
      422,
      { enable_network: ['is never allowed'] },
    ],
    [
      'a callback',
      { ...SWIFT, callback_url: 'http://SECRET' },
      422,
      { callback_url: ['is not served: ask with the token'] },
    ],
    ['no JSON', '{"source_code": "SECRET" x', 400, { error: expect.any(String) }],
    [
      'a lone surrogate',
      '{"source_code": "SECRET\\ud800", "language_id": 71, "command_line_arguments": "\\ud800"}',
      422,
      {
        source_code: ['holds a lone surrogate, which is not Unicode text'],
        command_line_arguments: ['holds a lone surrogate, which is not Unicode text'],
      },
    ],
  ])('%s', async (_, body, status, expected) => {
    const answer = await ask(anApp().app, WAIT, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(expected);
    expect(answer.text).not.toContain('SECRET');
  });

  it('base64 that is none', async () => {
    const { app } = anApp();
    const answer = await ask(app, `${WAIT}&base64_encoded=true`, SWIFT);
    expect(answer).toMatchObject({
      status: 422,
      body: { source_code: ['is not valid base64'] },
    });
  });
});

it('lists the languages that there are, and the statuses', async () => {
  const { app } = anApp();
  const languages = (await ask(app, '/languages')).body as unknown as { id: number }[];
  // Bash is not available in this service.
  expect(languages.map(({ id }) => id)).toEqual([54, 63, 71]);
  const statuses = (await ask(app, '/statuses')).body as unknown as { id: number }[];
  expect(statuses).toHaveLength(14);
  expect(statuses[2]).toEqual({ id: 3, description: 'Accepted' });
});

it('is off unless it is switched on', async () => {
  const { app } = createTestApp();
  expect((await app.request(WAIT, post(SWIFT))).status).toBe(404);
});
