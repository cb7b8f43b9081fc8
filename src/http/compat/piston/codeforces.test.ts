/** The package `codeforces` over a scripted service: what is judged, and how its verdict is told. */
import { describe, expect, it } from 'vitest';

import type { JudgeSubmission } from '../../../domain/submission.ts';
import {
  aCase,
  aFault,
  aJudgeReport,
  anOutcome,
  bytes,
  createTestApp,
  post,
  type Script,
} from '../../test-support/scripted-service.ts';

async function execute(body: unknown, script: Script = {}) {
  const { app } = createTestApp({ script });
  const response = await app.request('/api/v2/execute', post(body));
  return { status: response.status, body: await response.json() };
}

const cf = {
  language: 'cf_python3',
  version: '*',
  run_timeout: 12_500.5,
  files: [
    { name: 'main.python', content: 'print(3)' },
    { name: 'input.txt', content: '1 2\r\n' },
    { name: 'correct_output.txt', content: '3\r\n' },
    { name: 'grader_config', content: 'TIME_LIMIT=2.5\nMEMORY_LIMIT=256.0\nINPUT_MODE=stdio' },
  ],
};

describe('the package codeforces', () => {
  it('keeps everything but the program from where the program runs', async () => {
    let seen: JudgeSubmission | null = null;
    const script: Script = {
      async judge(submission) {
        seen = submission;
        return aJudgeReport();
      },
    };
    const checker = { name: 'checker.py', content: 'print(1)' };
    await execute({ ...cf, files: [...cf.files, checker] }, script);
    expect(seen).toMatchObject({
      language: 'python',
      program: { kind: 'files', entry: 'main.python', files: [{ path: 'main.python' }] },
      limits: { cpuMs: 2500, wallMs: 6000, memoryBytes: 256 * 1024 * 1024 },
      tests: {
        kind: 'stdio',
        cases: [{ stdin: Buffer.from('1 2\n'), expectedStdout: Buffer.from('3\n'), files: [] }],
      },
      compare: {
        kind: 'checker',
        checker: { convention: 'python_file', limits: { cpuMs: 10_000 } },
      },
      scoring: 'all',
    });
  });

  it('has the program read and write files where the problem says so', async () => {
    let seen: JudgeSubmission | null = null;
    const script: Script = {
      async judge(submission) {
        seen = submission;
        return aJudgeReport();
      },
    };
    const files = cf.files.map((file) =>
      file.name === 'grader_config'
        ? { ...file, content: file.content.replace('stdio', 'file') }
        : file,
    );
    await execute({ ...cf, files }, script);
    expect(seen).toMatchObject({
      tests: {
        cases: [{ stdin: bytes(''), files: [{ path: 'input.txt' }], outputFile: 'output.txt' }],
      },
      compare: { kind: 'answers' },
    });
  });

  const compile = {
    stdout: 'Skipping compile - python3\n',
    code: 0,
    signal: null,
    status: null,
  };
  const signalled = anOutcome({ kind: 'signalled', exitCode: null, signal: 11 });

  it.each<[string, ReturnType<typeof aCase>, object]>([
    ['accepted', aCase(), { stdout: '1\n', stderr: '', code: 0, status: null }],
    [
      'a wrong answer that prints what would be right',
      aCase({ verdict: 'wrong_answer', score: 0, outcome: anOutcome({ stdout: bytes('1\n') }) }),
      { stdout: '0\n', stderr: "Output isn't correct\n", code: 0 },
    ],
    [
      'a time limit',
      aCase({ verdict: 'time_limit', score: 0 }),
      { stdout: '0\n', stderr: 'Time limit exceeded (2.5s)\n', code: 124, status: 'RE' },
    ],
    [
      'a memory limit',
      aCase({ verdict: 'memory_limit', score: 0 }),
      { stdout: '0\n', stderr: 'Memory limit exceeded\n', code: 134 },
    ],
    [
      'an exit code',
      aCase({ verdict: 'runtime_error', score: 0, outcome: anOutcome({ exitCode: 7 }) }),
      { stdout: '0\n', stderr: 'Runtime error with exit code 7\n', code: 7 },
    ],
    [
      'a signal',
      aCase({ verdict: 'runtime_error', score: 0, outcome: signalled }),
      { stdout: '0\n', stderr: 'Runtime error with exit code 139\n', code: 139, signal: null },
    ],
  ])('tells of %s as the package does', async (_, judged, run) => {
    const script: Script = { judge: async () => aJudgeReport({ cases: [judged] }) };
    const { status, body } = await execute(cf, script);
    expect(status).toBe(200);
    expect(body).toMatchObject({ run, compile, language: 'python3', version: '1.0.0' });
  });

  it('has no stages for a fault, from which the client makes no reward', async () => {
    const fault = { ...aFault, message: 'the checker failed: case 1: exit code 3' };
    const script: Script = {
      judge: async () => aJudgeReport({ verdict: 'fault', reward: null, fault, cases: [] }),
    };
    expect(await execute(cf, script)).toMatchObject({
      status: 200,
      body: { message: fault.message },
    });
    expect((await execute(cf, script)).body).toEqual({ message: fault.message });
  });

  it.each<[string, (file: { name: string; content: string }) => object | null, string]>([
    [
      'no input',
      (file) => (file.name === 'input.txt' ? null : file),
      'files must include input.txt',
    ],
    [
      'no expected output',
      (file) => (file.name === 'correct_output.txt' ? null : file),
      'files must include correct_output.txt',
    ],
    [
      'no limits',
      (file) => (file.name === 'grader_config' ? null : file),
      'files must include grader_config',
    ],
    [
      'a limit that is none',
      (file) => ({ ...file, content: file.content.replace('2.5', 'None') }),
      'grader_config must give TIME_LIMIT as a number above 0',
    ],
    [
      'another way of input',
      (file) => ({ ...file, content: file.content.replace('stdio', 'socket') }),
      'INPUT_MODE of grader_config must be stdio or file',
    ],
  ])('refuses %s', async (_, change, message) => {
    const files = cf.files.map(change).filter((file) => file !== null);
    expect(await execute({ ...cf, files })).toMatchObject({ status: 400, body: { message } });
  });
});
