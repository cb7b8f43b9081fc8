/** Golden pairs from the wire to the domain. */
import { describe, expect, it } from 'vitest';

import type { StdioCase, Tests } from '../../domain/submission.ts';
import { DEFAULT_MAXIMA } from '../../domain/limits.ts';
import { RunRequest } from './schema/submission.ts';
import { parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';
import { toSubmission } from './to-submission.ts';

const MIB = 1024 * 1024;
const resolution = { maxima: DEFAULT_MAXIMA, id: 'run_x' };
const run = (body: object) =>
  toSubmission(RunRequest.parse({ language: 'python', ...body }), resolution);
const judge = (body: object) =>
  toJudgeSubmission(parseJudgeRequest({ language: 'python', code: '', ...body }), resolution);
const tests = (...cases: readonly object[]): object => ({
  kind: 'stdio',
  cases: cases.map((each) => ({ expected_stdout: '', ...each })),
});

describe('toSubmission', () => {
  it('fills in every default', () => {
    expect(run({ code: 'print(1)' })).toEqual({
      id: 'run_x',
      language: 'python',
      environment: null,
      program: { kind: 'single', code: 'print(1)', files: [] },
      args: [],
      env: {},
      limits: {
        cpuMs: 10_000,
        wallMs: 21_000,
        memoryBytes: 512 * MIB,
        outputBytes: 16 * MIB,
        processes: 64,
        diskBytes: 64 * MIB,
        openFiles: 256,
        compileCpuMs: 30_000,
        compileWallMs: 61_000,
      },
      clamped: [],
      seed: null,
      clock: null,
      wall: null,
      warm: true,
      labels: {},
      stdin: Buffer.alloc(0),
      collect: [],
    });
  });

  it('takes over everything that is asked for, in the units of the domain', () => {
    const submission = run({
      files: { 'src/main.py': 'é', data: { base64: '/wA=' }, notes: { text: 'x\r\n' } },
      entry: 'src/main.py',
      environment: 'python-numpy',
      args: ['-v'],
      env: { A_1: 'b' },
      stdin: { base64: 'gA==' },
      collect: ['out.txt'],
      seed: 7,
      wall: 'nsjail',
      id: 'mine',
      labels: { step: '12' },
      limits: {
        cpu_ms: 2000,
        memory_mb: 8192,
        output_kb: 1,
        processes: 2,
        disk_mb: 3,
        files: 9,
        compile_cpu_ms: 5,
      },
    });
    expect(submission).toMatchObject({
      id: 'mine',
      environment: 'python-numpy',
      program: {
        kind: 'files',
        entry: 'src/main.py',
        files: [
          { path: 'src/main.py', content: Buffer.from('é') },
          { path: 'data', content: Buffer.from([0xff, 0]) },
          { path: 'notes', content: Buffer.from('x\r\n') },
        ],
      },
      args: ['-v'],
      env: { A_1: 'b' },
      stdin: Buffer.from([0x80]),
      collect: ['out.txt'],
      seed: 7,
      wall: 'nsjail',
      labels: { step: '12' },
      limits: {
        cpuMs: 2000,
        wallMs: 5000,
        memoryBytes: 4096 * MIB,
        outputBytes: 1024,
        processes: 2,
        diskBytes: 3 * MIB,
        openFiles: 9,
        compileCpuMs: 5,
        compileWallMs: 1010,
      },
      clamped: ['memoryBytes'],
    });
  });

  it('keeps a completion as it is, with how to extract from it', () => {
    expect(run({ completion: 'text' }).program).toEqual({
      kind: 'completion',
      text: 'text',
      extract: { pick: 'last', languageMatch: true, stripThinking: true },
      files: [],
    });
    const extract = { pick: 'first', language_match: false, strip_thinking: false };
    expect(run({ completion: 'text', extract }).program).toMatchObject({
      extract: { pick: 'first', languageMatch: false, stripThinking: false },
    });
  });
});

function stdioCases(tests: Tests): readonly StdioCase[] {
  return tests.kind === 'stdio' ? tests.cases : [];
}

describe('toJudgeSubmission', () => {
  it('numbers cases from 1 and gives them the limits of the submission', () => {
    const { tests: built, limits } = judge({
      tests: tests({ stdin: '1' }, { weight: 2, group: 'a', args: ['x'] }),
    });
    expect(stdioCases(built)).toEqual([
      {
        id: '1',
        stdin: Buffer.from('1'),
        expectedStdout: Buffer.alloc(0),
        weight: 1,
        group: null,
        args: [],
        files: [],
        limits,
      },
      {
        id: '2',
        stdin: Buffer.alloc(0),
        expectedStdout: Buffer.alloc(0),
        weight: 2,
        group: 'a',
        args: ['x'],
        files: [],
        limits,
      },
    ]);
  });

  it('bases the limits of a case on those of the submission', () => {
    const built = judge({
      limits: { cpu_ms: 1000, memory_mb: 100 },
      tests: tests({ limits: { cpu_ms: 3000 } }, { limits: { processes: 9999 } }),
    });
    expect(stdioCases(built.tests)[0]?.limits).toMatchObject({
      cpuMs: 3000,
      wallMs: 7000,
      memoryBytes: 100 * MIB,
    });
    expect(stdioCases(built.tests)[1]?.limits).toMatchObject({
      cpuMs: 1000,
      wallMs: 3000,
      processes: 512,
    });
    expect(built.clamped).toEqual(['processes']);
  });

  it.each([
    [undefined, { kind: 'tokens' }],
    ['exact', { kind: 'exact' }],
    ['lines', { kind: 'lines' }],
    [{ float: {} }, { kind: 'float', abs: 1e-6, rel: 1e-6 }],
    [{ float: { abs: 0, rel: 0.5 } }, { kind: 'float', abs: 0, rel: 0.5 }],
    [{ unordered: 'tokens' }, { kind: 'unordered', by: 'tokens' }],
  ])('translates compare %j', (compare, expected) => {
    expect(
      judge({ tests: tests({}), ...(compare === undefined ? {} : { compare }) }).compare,
    ).toEqual(expected);
  });

  it.each([
    [{}, 'all', 'first_failure'],
    [{ scoring: 'fraction' }, 'fraction', 'never'],
    [{ scoring: 'weighted' }, 'weighted', 'never'],
    [{ stop: 'never' }, 'all', 'never'],
    [{ scoring: 'fraction', stop: 'first_failure' }, 'fraction', 'first_failure'],
  ])('chooses scoring and stop of %j', (parts, scoring, stop) => {
    expect(judge({ tests: tests({}), ...parts })).toMatchObject({ scoring, stop });
  });

  it('costs no more per case with 10,000 cases than with 100', () => {
    const body = (count: number) => ({
      language: 'python',
      code: '',
      tests: tests(
        ...Array.from({ length: count }, (_, i) => ({
          id: `case ${i}`,
          stdin: '1 2\n',
          expected_stdout: '3\n',
        })),
      ),
    });
    const perCase = (count: number): number => {
      const request = body(count);
      const times = Array.from({ length: 5 }, () => {
        const startedAt = performance.now();
        judge(request);
        return performance.now() - startedAt;
      });
      return Math.min(...times) / count;
    };
    perCase(100);
    // Anything quadratic is 100 times as dear; the rest is for a busy machine.
    expect(perCase(10_000)).toBeLessThan(20 * perCase(100));
  });
});
