/** Golden pairs of Sandbox Fusion's wire: requests to submissions, reports to responses. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import type { RunReport } from '../../../domain/report.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createScriptedService,
} from '../../test-support/scripted-service.ts';
import { RunCodeRequest } from './schema.ts';
import { chooseLanguage, toResponse, toSubmission } from './translate.ts';

const MIB = 1024 * 1024;
const service = createScriptedService();
const lookUp = (name: string) => service.language(name);

const build = (body: object) =>
  toSubmission(RunCodeRequest.parse({ code: '', ...body }), {
    id: 'run_x',
    language: 'python',
    maxima: DEFAULT_MAXIMA,
    deadlineMs: 29_000,
  });

function submissionOf(body: object) {
  const result = build(body);
  if (!result.ok) throw new Error(JSON.stringify(result.details));
  return result.submission;
}

describe('toSubmission', () => {
  it('takes verl’s request', () => {
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
    expect(submissionOf(verl)).toMatchObject({
      id: 'run_x',
      language: 'python',
      program: { kind: 'single', code: 'print(1)', files: [] },
      stdin: Buffer.alloc(0),
      collect: [],
      limits: {
        cpuMs: 10_000,
        wallMs: 12_500,
        compileCpuMs: 10_000,
        compileWallMs: 12_500,
        memoryBytes: 1024 * MIB,
        outputBytes: DEFAULT_MAXIMA.outputBytes,
      },
      clamped: [],
    });
  });

  it.each([
    [{ memory_limit_MB: -1 }, DEFAULT_MAXIMA.memoryBytes],
    [{ memory_limit_MB: 0 }, DEFAULT_MAXIMA.memoryBytes],
    [{}, DEFAULT_MAXIMA.memoryBytes],
    [{ memory_limit_MB: '64' }, 64 * MIB],
  ])('takes memory of %j', (body, memoryBytes) => {
    expect(submissionOf(body).limits.memoryBytes).toBe(memoryBytes);
  });

  it.each([
    ['two seconds more', 0.25, 250, 2250],
    ['text', '5', 5000, 7000],
    ['under the 20 s that verl sleeps beyond 15', 15, 15_000, 18_750],
    ['no more than the client waits', 25, 25_000, 29_000],
    ['never less than the time-out', 40, 40_000, 40_000],
    ['the operator’s maxima', 1e9, DEFAULT_MAXIMA.cpuMs, DEFAULT_MAXIMA.wallMs],
  ])('takes run_timeout as CPU time, with a wall net: %s', (_, run_timeout, cpuMs, wallMs) => {
    expect(submissionOf({ run_timeout }).limits).toMatchObject({ cpuMs, wallMs });
  });

  it('adds ten seconds at most to a long time-out', () => {
    const request = RunCodeRequest.parse({ code: '', run_timeout: 100 });
    const made = toSubmission(request, {
      id: 'run_x',
      language: 'python',
      maxima: DEFAULT_MAXIMA,
      deadlineMs: 1e6,
    });
    expect(made.ok ? made.submission.limits : null).toMatchObject({
      cpuMs: 100_000,
      wallMs: 110_000,
    });
  });

  it('takes files, skipping nulls and ignored names', () => {
    const files = { 'a/b.txt': 'YQ==', none: null, x_IGNORE_THIS_FILE: '!' };
    expect(submissionOf({ files }).program).toMatchObject({
      files: [{ path: 'a/b.txt', content: Buffer.from('a') }],
    });
  });

  it.each([
    [{ files: { a: '!' } }, ['body', 'files', 'a'], 'base64'],
    [{ files: { '../x': '' } }, ['body', 'files', '../x'], 'must not leave'],
    [{ files: { '/x': '' } }, ['body', 'files', '/x'], 'must be relative'],
    [{ files: { a: '', 'a/b': '' } }, ['body', 'files'], 'both a file and a folder'],
    [{ fetch_files: ['a', '../x'] }, ['body', 'fetch_files', 1], 'must not leave'],
  ])('refuses %j', (body, loc, message) => {
    const result = build(body);
    expect(result.ok ? [] : result.details).toEqual([
      { type: 'value_error', loc, msg: expect.stringContaining(message) as string, input: null },
    ]);
  });
});

describe('chooseLanguage', () => {
  it.each([
    ['python', 'python'],
    ['python3', 'python'],
    ['py', 'python'],
    ['Python', 'python'],
    ['cpp', 'cpp'],
    ['c++', 'cpp'],
    ['nodejs', 'javascript'],
    ['js', 'javascript'],
    ['javascript', 'javascript'],
  ])('%s is %s', (name, id) => {
    expect(chooseLanguage(name, lookUp)).toMatchObject({ kind: 'known', language: { id } });
  });

  it.each(['sql', 'go_test', 'R', 'lean'])('%s is on the list and not served', (name) => {
    expect(chooseLanguage(name, lookUp)).toEqual({ kind: 'not_served' });
  });

  it.each(['klingon', '', '__proto__', 'constructor', 'PYTEST'])('%j is unknown', (name) => {
    const choice = chooseLanguage(name, lookUp);
    expect(choice).toMatchObject({
      kind: 'unknown',
      detail: { type: 'literal_error', loc: ['body', 'language'], input: null },
    });
    expect(choice.kind === 'unknown' ? choice.detail.ctx?.['expected'] : '').toMatch(
      /^'python', 'cpp', .* 'swift' or 'racket'$/,
    );
  });
});

describe('toResponse', () => {
  const respond = (report: Partial<RunReport>) => toResponse(aRunReport(report), null);
  const ended = (parts: Partial<Outcome>) => respond({ outcome: anOutcome(parts) });

  it('has all keys, and strings for outputs', () => {
    expect(respond({ phases: { ...aRunReport().phases, queueMs: 250 } })).toEqual({
      status: 'Success',
      message: '',
      compile_result: null,
      run_result: {
        status: 'Finished',
        execution_time: 0.004,
        return_code: 0,
        stdout: '1\n',
        stderr: '',
        cpu_time: 0.003,
        memory_bytes: 9_000_000,
        signal: null,
        truncated: false,
        memory_limit_exceeded: false,
        output_limit_exceeded: false,
      },
      executor_pod_name: null,
      files: {},
      queue_time: 0.25,
      clamped: [],
    });
  });

  it.each<[string, Partial<Outcome>, string, object]>([
    ['a non-zero exit', { exitCode: 3 }, 'Failed', { status: 'Finished', return_code: 3 }],
    [
      'a signal',
      { kind: 'signalled', exitCode: null, signal: 11 },
      'Failed',
      { status: 'Finished', return_code: -11, signal: 11 },
    ],
    [
      'a time-out',
      {
        kind: 'time_limit',
        exitCode: null,
        signal: 9,
        limit: 'wall',
        wallMs: 10_004,
        stdout: bytes('part'),
      },
      'Failed',
      {
        status: 'TimeLimitExceeded',
        return_code: null,
        stdout: 'part',
        stderr: '',
        execution_time: 10.004,
      },
    ],
    [
      'a memory limit',
      { kind: 'memory_limit', exitCode: null, signal: 9, limit: 'memory' },
      'Failed',
      { status: 'Finished', return_code: -9, memory_limit_exceeded: true },
    ],
    [
      'an output limit',
      { kind: 'output_limit', exitCode: null, signal: 9, stdoutTruncated: true },
      'Failed',
      { status: 'Finished', return_code: -9, truncated: true, output_limit_exceeded: true },
    ],
    [
      'a process limit that it survived',
      { kind: 'process_limit', exitCode: 0 },
      'Success',
      { return_code: 0 },
    ],
    ['a full disk', { kind: 'disk_limit', exitCode: 1 }, 'Failed', { return_code: 1 }],
    [
      'bytes that are not UTF-8',
      { stdout: Uint8Array.of(0xff, 0x61, 0xfe, 0xfe) },
      'Success',
      { stdout: '\ufffda\ufffd\ufffd' },
    ],
  ])('%s', (_, outcome, status, run) => {
    const response = ended(outcome);
    expect(response).toMatchObject({ status, message: '', compile_result: null, run_result: run });
  });

  it.each<[string, Partial<Outcome>, object]>([
    [
      'an error',
      { exitCode: 1, stderr: bytes('main.cpp:1') },
      { status: 'Finished', return_code: 1, stderr: 'main.cpp:1' },
    ],
    [
      'an error without an exit code',
      { exitCode: null, signal: 11 },
      { status: 'Finished', return_code: -11 },
    ],
    ['no program left', { exitCode: 0 }, { status: 'Finished', return_code: 1 }],
    [
      'a time-out',
      { kind: 'time_limit', exitCode: null, limit: 'cpu' },
      { status: 'TimeLimitExceeded', return_code: null },
    ],
  ])('tells of a compile step: %s', (_, parts, compile_result) => {
    const outcome = anOutcome({ kind: 'compile_error', ...parts });
    expect(
      respond({ compile: { ok: false, cached: false, warm: false, outcome }, outcome }),
    ).toMatchObject({
      status: 'Failed',
      message: '',
      compile_result,
      run_result: null,
    });
  });

  it('shows a compile step that went well', () => {
    const compile = {
      ok: true,
      cached: true,
      warm: false,
      outcome: anOutcome({ stdout: bytes('') }),
    };
    expect(respond({ compile })).toMatchObject({
      status: 'Success',
      compile_result: { status: 'Finished', return_code: 0 },
    });
  });

  it('calls a fault of ours SandboxError', () => {
    expect(respond({ outcome: null, fault: aFault })).toMatchObject({
      status: 'SandboxError',
      message: aFault.message,
      run_result: null,
      files: {},
    });
  });

  it('returns fetched files in base64, and leaves out what is missing', () => {
    const collected = [
      { path: 'a', status: 'ok', content: bytes('hi') },
      { path: 'b', status: 'missing', content: bytes('') },
    ] as const;
    expect(ended({ collected }).files).toEqual({ a: 'aGk=' });
  });

  it('names the limits that were lowered', () => {
    expect(respond({ clamped: ['cpuMs', 'wallMs', 'memoryBytes', 'outputBytes'] }).clamped).toEqual(
      ['run_timeout', 'memory_limit_MB'],
    );
  });

  it('carries the name of the pod', () => {
    expect(toResponse(aRunReport(), 'pod-1').executor_pod_name).toBe('pod-1');
  });
});
