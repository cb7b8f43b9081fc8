/** Problems in the words of the judge's wire. */
import { describe, expect, it } from 'vitest';

import { parseExactJSON } from './decode/exact-json.ts';
import { ROWS } from './test-rows.ts';
import { toProblem } from './to-problem.ts';
import { toWire } from './to-wire.ts';

function wireOf(row: unknown, code?: string) {
  const result = toProblem(row);
  if (result.kind === 'rejection') throw new Error(`${result.path}: ${result.message}`);
  const [part, ...others] = toWire(result.problem, code);
  expect(others).toEqual([]);
  return part;
}

describe('toWire', () => {
  it('says a check as it is', () => {
    const { test, prompt } = ROWS.humaneval;
    expect(wireOf(ROWS.humaneval)).toEqual({
      positions: [0],
      body: { tests: { kind: 'check', code: test, entry: 'add', prompt }, limits: {} },
    });
  });

  it('says assert statements with what they call', () => {
    expect(wireOf(ROWS.mbpp)).toEqual({
      positions: [0, 1],
      body: {
        tests: { kind: 'asserts', cases: ROWS.mbpp.test_list, entry: ['similar'] },
        limits: {},
      },
    });
    const row = { ...ROWS.mbpp, test_setup_code: 'root = Node(1)' };
    expect(wireOf(row)?.body.tests).toMatchObject({ setup: 'root = Node(1)', level: 2 });
  });

  it('says pytest files', () => {
    expect(wireOf(ROWS.kodcode)).toEqual({
      positions: null,
      body: {
        tests: {
          kind: 'pytest',
          files: { 'test_solution.py': ROWS.kodcode.test },
          modules: ['solution'],
        },
        limits: { cpu_ms: 10_000 },
      },
    });
  });

  it('says stdin tests', () => {
    expect(wireOf(ROWS.codeforces)).toEqual({
      positions: [0, 1],
      body: {
        tests: {
          kind: 'stdio',
          cases: [
            { id: '1', stdin: '1 2\n', expected_stdout: '3\n' },
            { id: '2', stdin: '2 2\n', expected_stdout: '4\n' },
          ],
        },
        limits: { cpu_ms: 1500, memory_mb: 256 },
      },
    });
  });

  it('says checkers and groups', () => {
    expect(wireOf({ ...ROWS.codeforces, generated_checker: 'print(1)' })?.body.compare).toEqual({
      checker: { language: 'python', convention: 'python_file', code: 'print(1)' },
    });
    expect(wireOf(ROWS.ioi)?.body).toMatchObject({
      compare: {
        checker: {
          language: 'cpp',
          convention: 'cms',
          entry: 'checker/checker.cpp',
          files: { 'checker/checker.cpp': 'int main() {}\n' },
        },
      },
      scoring: { groups: { '01-equal': { points: 6, rule: 'min' } } },
      tests: { cases: [{ group: '01-equal' }, { group: '01-equal' }] },
    });
  });

  it('says what programs are built with', () => {
    expect(wireOf(ROWS.ioi)?.body.graders).toEqual({
      cpp: {
        entry: 'graders/grader.cpp',
        program: 'graders/nile.cpp',
        files: {
          'graders/grader.cpp': expect.stringContaining('main'),
          'graders/nile.h': expect.stringContaining('add'),
        },
      },
    });
    expect(wireOf({ ...ROWS.ioi, grader_files: [] })?.body).not.toHaveProperty('graders');
    expect(() =>
      wireOf({ ...ROWS.ioi, grader_files: [['graders/grader.cpp', 'int f();']] }),
    ).toThrow(/not one file with a main/);
  });

  it('rounds memory up, so that no right program gets less than its row gives', () => {
    expect(wireOf({ ...ROWS.ioi, memory_limit: 256 * 2 ** 20 + 1 })?.body.limits).toMatchObject({
      memory_mb: 257,
    });
  });
});

describe('calls on the wire', () => {
  const calls = (lists: string, extra: object = {}) => ({
    ...ROWS.nemo_gym,
    verifier_metadata: { unit_tests: parseExactJSON(lists) },
    ...extra,
  });

  it('keep every digit', () => {
    const row = calls(
      '{"fn_name": "f", "inputs": ["1.0\\n123456789012345678901234567890"], "outputs": ["[1e5, 2]"]}',
    );
    expect(JSON.stringify(wireOf(row)?.body.tests)).toBe(
      '{"kind":"function","entry":"f","cases":[{"id":"1","args":[1.0,123456789012345678901234567890],"kwargs":{},"expected":[1e5,2]}]}',
    );
  });

  it('enter what the program has, where it is known', () => {
    const row = calls('{"fn_name": "f", "inputs": ["1"], "outputs": ["1"]}');
    const entry = (code?: string, of: object = row) => wireOf(of, code)?.body.tests['entry'];
    expect(entry()).toBe('f');
    expect(entry('def f(x):\n    return x')).toBe('f');
    expect(entry('class Solution:\n    def f(self, x):\n        return x')).toBe('Solution().f');
    const method = { ...row, starter_code: 'class Solution:\n    def f(self, x):' };
    expect(entry(undefined, method)).toBe('Solution().f');
    expect(entry('x = 1', method)).toBe('Solution().f');
    expect(entry('def f(x):\n    return x', method)).toBe('f');
  });

  it('are statements where JSON has no form for their values', () => {
    const lists = {
      fn_name: 'f',
      inputs: [[{ '1': 'a' }, [true, null]]],
      outputs: [[{ '2': 1.5 }]],
    };
    const tests = wireOf({ ...ROWS.apps, input_output: lists, starter_code: 'class Solution:' })
      ?.body.tests;
    expect(tests).toMatchObject({
      kind: 'asserts',
      entry: 'Solution().f',
      cases: [
        'assert assay_same(Solution().f({1: "a"}, [True, None]), [{"2": 1.5}], {"2": 1.5}, {2: 1.5}, [{2: 1.5}])',
      ],
    });
    expect(tests?.['setup']).toContain('def assay_same(got, *expected):');
  });
});
