/** What a decoder of rows has to get right whatever the data set: one test for each line of the checklist. */
import { describe, expect, it } from 'vitest';

import { LISTS, PAIRS, ROWS } from './test-rows.ts';
import { toProblem } from './to-problem.ts';
import { toWire } from './to-wire.ts';

/** The judge's body, as JSON would carry it. */
function bodyOf(row: unknown): unknown {
  const result = toProblem(row);
  if (result.kind === 'rejection') throw new Error(`${result.path}: ${result.message}`);
  return JSON.parse(JSON.stringify(toWire(result.problem)));
}

function rejectionOf(row: unknown): unknown {
  const result = toProblem(row);
  return result.kind === 'rejection' ? [result.code, result.path] : result.kind;
}

describe('pickles', () => {
  it('that call a function are refused', () => {
    // base64(zlib(pickle)) of an object whose __reduce__ is os.system('true').
    const evil = 'eJxrYJkqzwABPawF+cWZFVN62Iori0tSc6dMntLDUlJUmjqldUrQFD0AA2gOlA==';
    const result = toProblem({ ...ROWS.livecodebench, private_test_cases: evil });
    expect(result).toMatchObject({ code: 'invalid', path: 'private_test_cases' });
    expect(JSON.stringify(result)).toContain('opcode 0x93, which is no plain data');
  });
});

describe('kinds of tests', () => {
  it.each([[{}], [{ fn_name: null }], [{ fn_name: '' }]])(
    'read stdin with the function name %j',
    (name) => {
      const tests = PAIRS.map((pair) => ({ ...pair, ...name }));
      expect(bodyOf({ ...ROWS.deepcoder, tests })).toMatchObject([
        { body: { tests: { kind: 'stdio' } } },
      ]);
      const lists = { ...LISTS, ...name };
      expect(bodyOf({ ...ROWS.apps, input_output: lists })).toMatchObject([
        { body: { tests: { kind: 'stdio' } } },
      ]);
    },
  );

  it.each([
    ['type', 'stdin_stdout', 'stdio'],
    ['testtype', 'stdin', 'stdio'],
    ['testtype', 'stdin_stdout', 'stdio'],
    ['type', 'function_call', 'function'],
    ['testtype', 'functional', 'function'],
  ])('are told by %s: %s', (field, said, kind) => {
    const tests = [{ input: '1', output: '2', fn_name: 'f', [field]: said }];
    expect(bodyOf({ ...ROWS.deepcoder, tests })).toMatchObject([{ body: { tests: { kind } } }]);
  });

  it('refuse a kind that nobody knows', () => {
    const tests = [{ input: '1', output: '2', type: 'telepathy' }];
    expect(rejectionOf({ ...ROWS.deepcoder, tests })).toEqual(['invalid', 'tests[0].type']);
  });

  it('are told test by test in a mixed row, places kept', () => {
    const tests = [
      { input: '1\n', output: '2\n', type: 'stdin_stdout' },
      { input: [1], output: 2, type: 'function_call', fn_name: 'f' },
      { input: '3\n', output: '4\n', type: 'stdin_stdout' },
      { input: [1], output: 2, type: 'function_call', fn_name: 'g' },
    ];
    expect(bodyOf({ ...ROWS.deepcoder, tests })).toMatchObject([
      { positions: [0, 2], body: { tests: { kind: 'stdio', cases: [{ id: '1' }, { id: '3' }] } } },
      { positions: [1], body: { tests: { kind: 'function', entry: 'f', cases: [{ id: '2' }] } } },
      { positions: [3], body: { tests: { kind: 'function', entry: 'g', cases: [{ id: '4' }] } } },
    ]);
  });
});

describe('rows that cannot be judged', () => {
  it('are refused where inputs and outputs differ in number, not cut', () => {
    const lists = { inputs: ['1', '2'], outputs: ['1'] };
    expect(rejectionOf({ ...ROWS.apps, input_output: lists })).toEqual([
      'invalid',
      'input_output.outputs',
    ]);
    expect(rejectionOf({ ...ROWS.nemo_gym, verifier_metadata: { unit_tests: lists } })).toEqual([
      'invalid',
      'verifier_metadata.unit_tests.outputs',
    ]);
    expect(
      rejectionOf({ ...ROWS.code_contests, public_tests: { input: ['1'], output: [] } }),
    ).toEqual(['invalid', 'public_tests.output']);
  });

  it.each([
    ['humaneval', { test: '' }, 'test'],
    ['humaneval', { test: null, base_input: [[1]] }, 'test'],
    ['leetcode', { test: ' ' }, 'test'],
    ['mbpp', { test_list: [] }, 'test_list'],
    ['verifiable', { verification_info: '' }, 'verification_info'],
    [
      'verifiable',
      { verification_info: { language: 'python', test_cases: [] } },
      'verification_info.test_cases',
    ],
    ['verifiable', { verification_info: { language: 'python' } }, 'verification_info.test_cases'],
    ['apps', { input_output: '' }, 'input_output'],
    ['apps', { input_output: null }, 'input_output'],
    ['apps', { input_output: { inputs: [], outputs: [] } }, 'input_output'],
    ['taco', { input_output: '{}' }, 'input_output'],
    ['code_contests', { public_tests: null, generated_tests: null }, 'public_tests'],
    ['deepcoder', { tests: '[]' }, 'tests'],
    ['rllm', { ground_truth: '' }, 'ground_truth'],
    ['livecodebench', { public_test_cases: '[]', private_test_cases: '' }, 'public_test_cases'],
    ['skyrl', { reward_spec: { ground_truth: null } }, 'reward_spec.ground_truth'],
    ['kodcode', { test: 'import solution\n' }, 'test'],
    ['acecode', { test_cases: [] }, 'test_cases'],
    ['codeforces', { official_tests: [] }, 'official_tests'],
    ['ioi', { test_cases: null }, 'test_cases'],
    ['open_instruct', { ground_truth: '' }, 'ground_truth'],
    ['nemo_gym', { verifier_metadata: { unit_tests: null } }, 'verifier_metadata.unit_tests'],
    ['stdin', { unit_tests: {} }, 'unit_tests'],
    ['verl', { reward_model: { ground_truth: '' } }, 'reward_model.ground_truth'],
    ['apps', { input_output: { inputs: ['1', ''], outputs: ['', ' \n'] } }, 'tests'],
    ['columns', { tests: [{ input: '', output: '' }] }, 'tests'],
  ] as const)('have no tests: %s with %j', (name, change, path) => {
    expect(rejectionOf({ ...ROWS[name], ...change })).toEqual(['no_tests', path]);
  });

  it.each([
    ['apps', { input_output: 'what is this' }, 'input_output'],
    ['verifiable', { verification_info: `{'test_cases': evil()}` }, 'verification_info'],
    ['livecodebench', { private_test_cases: 'eJxrYJlawgABPQXR1Uq' }, 'private_test_cases'],
    ['skyrl', { reward_spec: { ground_truth: '5' } }, 'reward_spec.ground_truth'],
    ['apps', { input_output: { inputs: 5, outputs: [] } }, 'input_output.inputs'],
    ['apps', { input_output: { inputs: [5], outputs: [{}] } }, 'input_output.outputs[0]'],
    ['mbpp', { test_list: ['assert f() == 1', ' '] }, 'test_list[1]'],
    ['deepcoder', { tests: [{ input: '1' }] }, 'tests[0]'],
    ['deepcoder', { tests: [PAIRS[0], 7] }, 'tests[1]'],
    ['deepcoder', { tests: [{ input: '1', output: '2', type: 'function_call' }] }, 'tests[0]'],
    [
      'deepcoder',
      { tests: [{ input: {}, output: 2, type: 'function_call', fn_name: 'f' }] },
      'tests[0].input',
    ],
  ] as const)('cannot be decoded: %s with %j', (name, change, path) => {
    expect(rejectionOf({ ...ROWS[name], ...change })).toEqual(['invalid', path]);
  });

  it('hold a lone surrogate in a test', () => {
    const broken = { input: 'a\ud83d', output: '' };
    expect(rejectionOf({ ...ROWS.deepcoder, tests: [PAIRS[0], broken] })).toEqual([
      'invalid',
      'tests[1].input',
    ]);
    expect(rejectionOf({ ...ROWS.acecode, test_cases: ['assert f("\ude00") == 1'] })).toEqual([
      'invalid',
      'test_cases[0]',
    ]);
    expect(
      rejectionOf({
        ...ROWS.apps,
        input_output: { fn_name: 'f', inputs: [[{ 'a\ud83d': 1 }]], outputs: [1] },
      }),
    ).toEqual(['invalid', 'input_output.inputs[0]']);
    expect(rejectionOf({ ...ROWS.mbpp, test_list: ['assert "\ud83d"'] })).toEqual([
      'invalid',
      'test_list[0]',
    ]);
    expect(
      rejectionOf({ ...ROWS.ioi, test_cases: { '1-01': ['\ud83d', ''], '1-02': ['', ''] } }),
    ).toEqual(['invalid', 'test_cases["1-01"]']);
    expect(
      rejectionOf({ ...ROWS.livecodebench, private_test_cases: [{ input: '\ud83d', output: '' }] }),
    ).toEqual(['invalid', 'private_test_cases[0].input']);
    expect(bodyOf({ ...ROWS.deepcoder, tests: [{ input: '😀', output: 'é' }] })).toMatchObject([
      { body: { tests: { cases: [{ stdin: '😀', expected_stdout: 'é' }] } } },
    ]);
  });

  it('hold NUL in code; in data it is data', () => {
    expect(rejectionOf({ ...ROWS.humaneval, test: 'def check(c):\n    pass\0' })).toEqual([
      'invalid',
      'test',
    ]);
    expect(bodyOf({ ...ROWS.deepcoder, tests: [{ input: '\0', output: '\0' }] })).toMatchObject([
      { body: { tests: { cases: [{ stdin: '\0' }] } } },
    ]);
  });

  it('leave the other rows of a batch alone', () => {
    const batch = [ROWS.apps, { ...ROWS.apps, input_output: '' }, null, ROWS.mbpp].map((row) =>
      toProblem(row),
    );
    expect(batch.map(({ kind }) => kind)).toEqual(['problem', 'rejection', 'rejection', 'problem']);
  });

  it('say where and why, and nothing of the tests', () => {
    const result = toProblem({
      ...ROWS.apps,
      input_output: `{"inputs": ["top secret"], "outputs": [`,
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(toProblem({ ...ROWS.apps, input_output: '' })).toEqual({
      kind: 'rejection',
      code: 'no_tests',
      path: 'input_output',
      message: 'holds no tests: nothing can be rewarded',
    });
  });

  it('say of a test set that is named in the place of tests where those are judged', () => {
    const told = { kind: 'rejection', code: 'unsupported', path: 'testset' };
    for (const schema of ['auto', 'columns']) {
      const result = toProblem({ testset: 'sums/two', language: 'python' }, schema);
      expect(result).toMatchObject(told);
      expect(JSON.stringify(result)).toContain('/v1/judge');
    }
    // A column of that name is no reference where there are tests.
    expect(toProblem({ ...ROWS.apps, testset: 'a' }).kind).toBe('problem');
    expect(toProblem({ ...ROWS.apps, input_output: '{', testset: 'a' })).not.toMatchObject(told);
  });
});

describe('bounds', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_none, at) => ({ input: `${at}`, output: '1' }));
  const kindOf = (row: unknown) => toProblem(row).kind;

  it('take 10,000 tests and no more, in one list and in several', () => {
    expect(kindOf({ ...ROWS.deepcoder, tests: many(10_000) })).toBe('problem');
    expect(rejectionOf({ ...ROWS.deepcoder, tests: many(10_001) })).toEqual(['invalid', 'tests']);
    const tests = { public_tests: many(5000), generated_tests: many(5001), private_tests: [] };
    expect(rejectionOf({ ...ROWS.code_contests, ...tests })).toEqual(['invalid', 'tests']);
  });

  it('take names of 256 bytes and no longer', () => {
    const named = (id: string) => ({ ...ROWS.deepcoder, tests: [{ id, input: '', output: '1' }] });
    expect(kindOf(named('é'.repeat(128)))).toBe('problem');
    expect(rejectionOf(named(`${'é'.repeat(128)}x`))).toEqual(['invalid', 'tests[0].id']);
  });

  it('take rows nested 100 deep and no deeper, native ones too', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(kindOf({ ...ROWS.deepcoder, extra: nested(99) })).toBe('problem');
    expect(rejectionOf({ ...ROWS.deepcoder, extra: nested(100) })).toEqual(['invalid', '']);
    expect(rejectionOf({ ...ROWS.deepcoder, extra: nested(100_000) })).toEqual(['invalid', '']);
  });
});

describe('limits', () => {
  it.each(['verifiable', 'taco', 'code_contests', 'codeforces', 'ioi'] as const)(
    'are the same however they are written: %s',
    (name) => {
      expect(bodyOf(ROWS[name])).toMatchObject([
        { body: { limits: { cpu_ms: 1500, memory_mb: 256 } } },
      ]);
    },
  );

  it('that cannot be read are left to the default, with a note', () => {
    const result = toProblem({ ...ROWS.taco, time_limit: '0.5 - 1.5 seconds' });
    expect(result).toMatchObject({
      problem: {
        limits: { cpuMs: null, memoryBytes: 268435456 },
        notes: ['the time limit was not understood: the default is used'],
      },
    });
  });
});

describe('order and names', () => {
  it('of tests survive', () => {
    expect(bodyOf(ROWS.ioi)).toMatchObject([
      {
        positions: [0, 1],
        body: {
          tests: {
            cases: [
              { id: '1-01', stdin: '1 2\n' },
              { id: '1-02', stdin: '2 2\n' },
            ],
          },
        },
      },
    ]);
    const tests = PAIRS.map((pair, index) => ({ ...pair, id: `case-${9 - index}` }));
    expect(bodyOf({ ...ROWS.deepcoder, tests })).toMatchObject([
      {
        body: {
          tests: {
            cases: [
              { id: 'case-9', stdin: '1 2\n' },
              { id: 'case-8', stdin: '2 2\n' },
            ],
          },
        },
      },
    ]);
  });

  it('that are not unique give way to numbers', () => {
    const tests = PAIRS.map((pair) => ({ ...pair, id: 'same' }));
    expect(bodyOf({ ...ROWS.deepcoder, tests })).toMatchObject([
      { body: { tests: { cases: [{ id: '1' }, { id: '2' }] } } },
    ]);
  });
});

describe('hostile text', () => {
  const many = (text: string) => text.repeat(200_000 / text.length);
  it.each([
    ['spaces in base64', { ...ROWS.apps, input_output: `eJw${many(' ')}!` }],
    ['padding in base64', { ...ROWS.apps, input_output: `eJw${many('=')}!` }],
    ['spaces in an assert', { ...ROWS.acecode, test_cases: [`assert${many(' ')}x`] }],
    ['parentheses in an assert', { ...ROWS.acecode, test_cases: [`assert ${many('(')}x`] }],
    ['names in asserts', { ...ROWS.mbpp, test_list: [many('a')], code: many('def ') }],
    ['spaces in set-up', { ...ROWS.mbpp, test_setup_code: `from${many(' ')}x` }],
    ['blank lines in tests', { ...ROWS.kodcode, test: many('\n') }],
    ['fences', { ...ROWS.verifiable, gold_standard_solution: many('```\n') }],
    ['mains', { ...ROWS.ioi, grader_files: [['graders/grader.cpp', many('int main(')]] }],
    ['includes', { ...ROWS.ioi, grader_files: [['graders/grader.cpp', many('#include <')]] }],
    [
      'definitions',
      { ...ROWS.humaneval, prompt: many('def add'), canonical_solution: many('def add ') },
    ],
    ['classes', { ...ROWS.apps, starter_code: many('class ') }],
    [
      'lines',
      {
        ...ROWS.nemo_gym,
        verifier_metadata: { unit_tests: { fn_name: 'f', inputs: [many('1\n')], outputs: ['1'] } },
      },
    ],
  ])('of %s takes linear time', (_name, row) => {
    const start = performance.now();
    toProblem(row);
    expect(performance.now() - start).toBeLessThan(2500);
  });
});
