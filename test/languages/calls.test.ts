/**
 * Tests of the kind `function` in languages without a test runner of their own: right answers are accepted whatever their
 * shape, wrong ones refused, and no exit, print or forged line passes one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    flags: { '--slots': '2', '--languages': 'javascript,typescript,cpp,java,go' },
    startTimeoutMs: 120_000,
  });
});
afterAll(async () => await service.stop());

type Tests = JudgeRequestBody['tests'];
const judge = async (
  language: string,
  code: string,
  tests: object,
  more: Partial<JudgeRequestBody> = {},
) =>
  await service.client.judge(
    aJudge({ language, code, tests: { kind: 'function', ...tests } as Tests, ...more }),
  ); // the kinds' union is checked by the service

const isThere = async (language: string): Promise<string | null> => {
  const languages = await service.client.languages();
  const found = languages.find(({ id }) => id === language);
  return found?.available === true ? null : (found?.reason ?? 'not known');
};

/** Sum of a list and a length, as a program of each language defines it. */
const SUM = {
  cases: [
    { args: [[1, 2, 3], 'ab'], expected: 8 },
    { args: [[], ''], expected: 0 },
  ],
};
/** Something of everything. */
const SHAPES = {
  cases: [
    {
      args: [[[1, 2], [3]], 'x"\\ü', true, 0.5],
      expected: [[[1, 2], [3]], 'x"\\ü', true, 0.5].slice(0, 1)[0],
    },
  ],
};

const PROGRAMS: Record<
  string,
  { entry: string; sum: string; wrong: string; shapes: string; exits: string; prints: string }
> = {
  javascript: {
    entry: 'f',
    sum: 'const f = (list, text) => list.reduce((a, b) => a + b, 0) + text.length;',
    wrong: 'var f = () => 7;',
    shapes:
      'function f(lists, text, yes, half) { if (text !== "x\\"\\\\ü" || yes !== true || half !== 0.5) throw 1; return lists; }',
    exits: 'process.exit(0);',
    prints:
      'function f(list, text) { console.log("8"); process.stdout.write("8\\n"); require("fs").writeSync(1, "\\n8\\n"); process.exit(0); }',
  },
  typescript: {
    entry: 'Solution().f',
    sum: 'export class Solution { f(list: number[], text: string): number { return list.reduce((a, b) => a + b, 0) + text.length; } }',
    wrong: 'class Solution { f(): number { return 7; } }',
    shapes:
      'enum E { A } class Solution { f(lists: number[][], text: string, yes: boolean, half: number) { if (text !== "x\\"\\\\ü" || yes !== true || half !== 0.5) throw E.A; return lists; } }',
    exits: 'process.exit(0);',
    prints: 'class Solution { f() { console.log(8); process.exit(0); } }',
  },
  cpp: {
    entry: 'Solution().f',
    sum: 'class Solution { public: long long f(vector<int>& list, string text) { return accumulate(list.begin(), list.end(), 0LL) + (long long)text.size(); } };',
    wrong: 'struct Solution { int f(const vector<int>&, const string&) const { return 7; } };',
    shapes:
      'struct Solution { vector<vector<int>> f(vector<vector<int>> lists, string text, bool yes, double half) { if (text != "x\\"\\\\\\u00fc" || !yes || half != 0.5) abort(); return lists; } };',
    exits:
      'struct Early { Early() { _Exit(0); } } early; struct Solution { int f(vector<int> l, string t) { return 0; } };',
    prints:
      'struct Solution { int f(vector<int> l, string t) { cout << "8\\n" << flush; _Exit(0); } };',
  },
  java: {
    entry: 'Solution().f',
    sum: 'import java.util.*; class Solution { int f(int[] list, String text) { return Arrays.stream(list).sum() + text.length(); } }',
    wrong: 'class Solution { static int f(int[] list, String text) { return 7; } }',
    shapes:
      'import java.util.*; public class Solution { public List<List<Integer>> f(List<List<Integer>> lists, String text, boolean yes, double half) { if (!text.equals("x\\"\\\\\\u00fc") || !yes || half != 0.5) throw new Error(text); return lists; } }',
    exits:
      'class Solution { static { System.exit(0); } int f(int[] list, String text) { return 0; } }',
    prints:
      'class Solution { int f(int[] list, String text) { System.out.println(8); Runtime.getRuntime().halt(0); return 0; } }',
  },
  go: {
    entry: 'f',
    sum: 'package main\nfunc f(list []int, text string) int { s := len(text); for _, n := range list { s += n }; return s }',
    wrong: 'package main\nfunc f(list []int, text string) int { return 7 }',
    shapes:
      'package main\nfunc f(lists [][]int, text string, yes bool, half float64) [][]int { if text != "x\\"\\\\ü" || !yes || half != 0.5 { panic(text) }; return lists }',
    exits:
      'package main\nimport "os"\nfunc init() { os.Exit(0) }\nfunc f(list []int, text string) int { return 0 }',
    prints:
      'package main\nimport ("fmt"; "os")\nfunc f(list []int, text string) int { fmt.Println(8); os.Exit(0); return 0 }',
  },
};
const USING = '#include <bits/stdc++.h>\nusing namespace std;\n';

describe.each(Object.entries(PROGRAMS))('%s', (language, programs) => {
  const { entry } = programs;
  const code = (text: string): string => (language === 'cpp' ? USING + text : text);

  it('judges calls', async (context) => {
    const reason = await isThere(language);
    context.skip(reason !== null, reason ?? '');
    const sum = await judge(language, code(programs.sum), { entry, ...SUM });
    expect(sum).toMatchObject({ verdict: 'accepted', reward: 1, passed: 2, mode: 'split' });
    const shapes = await judge(language, code(programs.shapes), { entry, ...SHAPES });
    expect(shapes.cases.map(({ message }) => message)).toEqual(['']);
    const wrong = await judge(language, code(programs.wrong), { entry, ...SUM });
    expect(wrong).toMatchObject({ verdict: 'wrong_answer', reward: 0 });
    expect(wrong.cases[0]?.message).toBe('expected 8, got 7');
  });

  it('rewards no exit and no print', async (context) => {
    const reason = await isThere(language);
    context.skip(reason !== null, reason ?? '');
    for (const text of [programs.exits, programs.prints, '']) {
      const report = await judge(language, code(text), { entry, ...SUM });
      expect(report.reward).toBe(0);
      expect(report.verdict).not.toBe('fault');
    }
  });
});

describe('arguments that a program of C++ cannot take', () => {
  const two: [string, string, string][] = [
    ['fewer', 'int f(int a) { return a; }', 'takes another number of arguments'],
    ['of other types', 'int f(int a, int b) { return a; }', 'an argument of another type'],
  ];
  it.each(two)('%s: a compile error that says so', async (_name, program, message) => {
    const tests = { entry: 'f', cases: [{ args: [1, 'x'], expected: 1 }] };
    const report = await judge('cpp', program, tests);
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0 });
    expect(report.compile?.stderr).toContain(message);
  });

  it('deeper down: told on stderr', async () => {
    const tests = { entry: 'f', cases: [{ args: [['x']], expected: 1 }] };
    const report = await judge('cpp', `${USING}int f(vector<int> a) { return 1; }`, tests);
    expect(report).toMatchObject({ verdict: 'runtime_error', reward: 0 });
    expect(report.cases[0]?.stderr).toContain('the tests pass text where');
  });

  it('beyond its types: told on stderr, and nothing wraps around', async () => {
    const program = `${USING}double f(vector<int> a, float b) { return a[0]; }`;
    const given: [number, number][] = [
      [3_000_000_000, 1],
      [-1e30, 1],
      [1, 1e39],
      [0.5, 1],
    ];
    const tests = {
      entry: 'f',
      cases: [
        { args: [[-(2 ** 31)], 0.5], expected: -(2 ** 31) },
        ...given.map(([whole, half]) => ({ args: [[whole], half], expected: 1 })),
      ],
    };
    const report = await judge('cpp', program, tests, { stop: 'never', scoring: 'fraction' });
    expect(report).toMatchObject({ verdict: 'runtime_error', passed: 1 });
    const said = report.cases.slice(1).map(({ stderr }) => stderr);
    const beyond = expect.stringMatching(/^the tests pass a number that .* does not hold\n$/);
    const fraction = expect.stringContaining('a fraction');
    expect(said).toEqual([beyond, beyond, beyond, fraction]);
  });
});

describe('what a caller cannot do', () => {
  const bad: [string, object, string][] = [
    ['kwargs', { entry: 'f', cases: [{ kwargs: { a: 1 }, expected: 1 }] }, 'arguments by name'],
    ['prompt', { entry: 'f', prompt: 'x', cases: [{ expected: 1 }] }, 'prompt'],
    ['kind', { kind: 'asserts', cases: ['f()'] }, 'for Python only'],
  ];
  it.each(bad)('%s is a 422', async (_name, tests, message) => {
    await expect(judge('javascript', '', tests)).rejects.toThrow(message);
  });

  it('a main that an old standard cannot compile is not held against the program', async () => {
    const tests = { entry: 'f', cases: [{ expected: 1 }] };
    await expect(judge('c++11', 'int f() { return 1; }', tests)).rejects.toThrow('in cpp11');
  });
});
