/** Each schema: a row of it is recognised, and read to what its own grader would judge. */
import { describe, expect, it } from 'vitest';

import { parseExactJSON } from './decode/exact-json.ts';
import { rowsOfColumns } from './rows.ts';
import { RowError } from './row-error.ts';
import { ROWS } from './test-rows.ts';
import { detect, schemaNames, toProblem } from './to-problem.ts';
import type { Problem } from './problem.ts';

function problemOf(row: unknown, schema?: string): Problem {
  const result = toProblem(row, schema);
  if (result.kind === 'rejection') throw new Error(`${result.path}: ${result.message}`);
  return result.problem;
}

const PROGRAM = 'print(sum(map(int, input().split())))\n';

describe('detect', () => {
  it.each(Object.entries(ROWS))('recognises %s', (name, row) => {
    expect(detect(row)).toEqual({ kind: 'schema', name });
    expect(problemOf(row)).toEqual(problemOf(row, name));
    expect(problemOf(row).schema).toBe(name);
  });

  it('has a row here for every schema', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual([...schemaNames()].toSorted());
  });

  it('says what it looked for', () => {
    const detection = detect({ prompt: 'x' });
    expect(detection).toMatchObject({ kind: 'unknown' });
    for (const name of schemaNames()) expect(JSON.stringify(detection)).toContain(`${name}: `);
    expect(toProblem({ prompt: 'x' })).toMatchObject({ code: 'invalid', path: '' });
    expect(toProblem(ROWS.apps, 'nonsense')).toMatchObject({ kind: 'rejection', path: '' });
    for (const row of [null, [], 'x', 7])
      expect(toProblem(row)).toMatchObject({ kind: 'rejection' });
  });

  it.each(schemaNames().map((name) => [name]))('refuses a row of nothing as %s', (name) => {
    expect(toProblem({}, name)).toMatchObject({ kind: 'rejection' });
  });
});

describe('ids, statements and references', () => {
  it.each([
    ['humaneval', 'HumanEval/53', 'python'],
    ['leetcode', 'two-sum', 'python'],
    ['mbpp', '2', 'python'],
    ['verifiable', 'vcp_1', 'python'],
    ['apps', '0', 'python'],
    ['taco', null, 'python'],
    ['code_contests', '1_A. Theatre', null],
    ['deepcoder', null, 'python'],
    ['livecodebench', 'abc301_a', 'python'],
    ['kodcode', 'Prefill_1_I', 'python'],
    ['acecode', 'oss_1', 'python'],
    ['codeforces', '4/A', null],
    ['ioi', 'Nile/01-equal', 'cpp'],
    ['nemo_gym', 'h-1', 'python'],
    ['stdin', 's-1', 'python'],
  ] as const)('%s has the id %s', (name, id, language) => {
    expect(problemOf(ROWS[name])).toMatchObject({ id, language });
  });

  it.each(['verifiable', 'apps', 'taco', 'code_contests', 'deepcoder'] as const)(
    '%s has a whole program for its reference',
    (name) => {
      const { reference } = problemOf(ROWS[name]);
      expect(reference?.language).toBe('python');
      expect(reference?.code.trim()).toBe(PROGRAM.trim());
    },
  );

  it('statements are found wherever they are', () => {
    for (const name of [
      'apps',
      'taco',
      'skyrl',
      'verl',
      'open_instruct',
      'nemo_gym',
      'stdin',
      'columns',
      'acecode',
      'livecodebench',
    ] as const)
      expect(problemOf(ROWS[name]).prompt, name).toContain('Add');
  });
});

describe('HumanEval', () => {
  it('is a check, with the prompt for both sides and a whole reference', () => {
    const { prompt, test, canonical_solution: solution } = ROWS.humaneval;
    expect(problemOf(ROWS.humaneval)).toMatchObject({
      tests: { kind: 'check', code: test, entry: 'add', prompt },
      entry: 'add',
      reference: { language: 'python', code: prompt + solution },
    });
  });
});

describe('MBPP', () => {
  it('calls what the reference defines, also by a name of Python', () => {
    const row = {
      ...ROWS.mbpp,
      code: 'def sum(a, b):\n    return 1\n\ndef helper():\n    pass\n',
      test_list: ['assert sum(10, 15) == 6'],
    };
    expect(problemOf(row).tests).toMatchObject({ kind: 'asserts', entry: ['sum'] });
  });

  it('sanitized has its imports for set-up', () => {
    const row = {
      source_file: 'x',
      task_id: 2,
      prompt: 'Write …',
      code: 'def f():\n    pass\n',
      test_imports: ['import math', 'import re'],
      test_list: ['assert f() is None'],
    };
    expect(problemOf(row)).toMatchObject({
      prompt: 'Write …',
      tests: { setup: 'import math\nimport re', usesObjects: false },
    });
  });

  it('with set-up that makes objects says so', () => {
    const row = { ...ROWS.mbpp, test_setup_code: 'root = Node(1)\r\nroot.left = Node(2)' };
    expect(problemOf(row).tests).toMatchObject({ usesObjects: true, setup: row.test_setup_code });
  });

  it('plus judges with its whole program of tests too', () => {
    const row = { ...ROWS.mbpp, test: 'for x in [1]:\n    assert similar([x], [x]) == {x}\n' };
    expect(problemOf(row).tests).toMatchObject({ cases: [...ROWS.mbpp.test_list, row.test] });
  });
});

describe('calls', () => {
  const functional = (extra: object) => ({
    ...ROWS.livecodebench,
    starter_code: 'class Solution:\n    def add(self, a, b):\n',
    metadata: '{"func_name": "add"}',
    private_test_cases: '',
    ...extra,
  });

  it('of LiveCodeBench are one value a line, exact', () => {
    const tests = [
      {
        input: '[1, 2.0]\n"a b"\n123456789012345678901',
        output: '{"x": 1.0}',
        testtype: 'functional',
      },
    ];
    const problem = problemOf(functional({ public_test_cases: JSON.stringify(tests) }));
    expect(problem).toMatchObject({
      entry: 'Solution().add',
      tests: { kind: 'function', name: 'add' },
    });
    expect(JSON.stringify(problem.tests)).toContain(
      '"args":[[1,2.0],"a b",123456789012345678901],"kwargs":{},"expected":{"x":1.0}',
    );
  });

  it('of LiveCodeBench that are no JSON are refused', () => {
    const bad = (test: object) =>
      toProblem(functional({ public_test_cases: [{ testtype: 'functional', ...test }] }));
    expect(bad({ input: '1\nwhat', output: '1' })).toMatchObject({
      path: 'public_test_cases[0].input',
      message: 'line 2 is no value in JSON',
    });
    expect(bad({ input: '1', output: 'what' })).toMatchObject({
      path: 'public_test_cases[0].output',
    });
  });

  it('without arguments have none', () => {
    const tests = [{ input: '', output: '1', testtype: 'functional' }];
    expect(problemOf(functional({ public_test_cases: tests })).tests).toMatchObject({
      cases: [{ args: [], expected: 1 }],
    });
  });

  it.each([
    ['a list', [[1, 2], 'x'], 3, [[1, 2], 'x'], 3],
    ['a JSON text of the list', '[[1, 2], "x"]', '3', [[1, 2], 'x'], 3],
    ['a Python literal of the list', `[[1, 2], 'x']`, 'True', [[1, 2], 'x'], true],
    ['a text, with a result that is no JSON', '["x"]', 'x y', ['x'], 'x y'],
  ])('of verifiable problems are %s', (_name, input, output, args, expected) => {
    const info = {
      language: 'python',
      test_cases: [{ type: 'function_call', fn_name: 'f', input, output }],
    };
    const row = { ...ROWS.verifiable, verification_info: info };
    expect(problemOf(row).tests).toMatchObject({
      kind: 'function',
      entry: 'f',
      cases: [{ args, expected }],
    });
  });

  it('of APPS may have results in a list of their own, and had integer keys', () => {
    const lists = {
      fn_name: 'f',
      inputs: [[{ '1': 2 }], [{ a: 1 }]],
      outputs: [[{ '3': 4 }], [[1]]],
    };
    const { tests } = problemOf({ ...ROWS.apps, input_output: lists });
    expect(tests).toMatchObject({
      cases: [
        {
          args: [{ entries: [[1, 2]] }],
          expected: [{ '3': 4 }],
          alternatives: [{ '3': 4 }, { entries: [[3, 4]] }, [{ entries: [[3, 4]] }]],
        },
        { args: [{ a: 1 }], expected: [[1]], alternatives: [[1]] },
      ],
    });
  });

  it('of a LiveCodeBench sample are taken as they are', () => {
    const row = {
      input_output: JSON.stringify({ inputs: ['[1]\n2'], outputs: ['[3]'], fn_name: 'f' }),
    };
    expect(problemOf(row).tests).toMatchObject({
      cases: [{ args: [[1], 2], expected: [3], alternatives: [] }],
    });
  });

  it('take the row’s function name where the test has none', () => {
    const tests = [
      { input: '1', output: '2', testtype: 'functional', metadata: { func_name: null } },
    ];
    const row = { ...ROWS.deepcoder, tests, metadata: { func_name: 'g' } };
    expect(problemOf(row).entry).toBe('g');
  });
});

describe('stdin', () => {
  it('may be lines, and values that are no text', () => {
    const lists = { inputs: [['1 2', '3'], '\r\nx'], outputs: [['a', 1.5], parseExactJSON('1.0')] };
    expect(problemOf({ ...ROWS.apps, input_output: lists }).tests).toMatchObject({
      cases: [
        { stdin: '1 2\n3', expectedStdout: 'a\n1.5' },
        { stdin: '\r\nx', expectedStdout: '1.0' },
      ],
    });
  });

  it('may lie in two lists of a row', () => {
    expect(problemOf({ id: 'x', inputs: ['1'], outputs: ['2'] })).toMatchObject({
      schema: 'stdin',
      tests: { cases: [{ stdin: '1' }] },
    });
  });
});

describe('CodeContests', () => {
  it('reads messages as it reads lists, public tests first', () => {
    const messages = {
      ...ROWS.code_contests,
      public_tests: [{ input: '1 2\n', output: '3\n' }],
      private_tests: [],
      generated_tests: [{ input: '2 2\n', output: '4\n' }],
      solutions: [{ language: 'PYTHON3', solution: PROGRAM }],
    };
    expect(problemOf(messages)).toEqual(problemOf(ROWS.code_contests));
  });

  it('refuses programs that read named files', () => {
    expect(toProblem({ ...ROWS.code_contests, input_file: 'in.txt' })).toMatchObject({
      code: 'unsupported',
      path: 'input_file',
    });
  });
});

describe('Codeforces', () => {
  it('has a Python checker where the row has one', () => {
    const { compare } = problemOf({ ...ROWS.codeforces, generated_checker: 'print(1)' });
    expect(compare).toMatchObject({
      convention: 'python_file',
      language: 'python',
      code: 'print(1)',
    });
  });

  it('refuses interactive problems and named files, and says so', () => {
    expect(toProblem({ ...ROWS.codeforces, interaction_format: 'Print a query.' })).toMatchObject({
      code: 'unsupported',
      path: 'interaction_format',
    });
    expect(toProblem({ ...ROWS.codeforces, input_mode: 'file' })).toMatchObject({
      code: 'unsupported',
      path: 'input_mode',
    });
  });

  it('notes that official tests are incomplete, unless others are there', () => {
    const short = { ...ROWS.codeforces, official_tests_complete: false };
    expect(problemOf(short).notes).toHaveLength(1);
    expect(problemOf({ ...short, test_cases: [{ input: '5 5\n', output: '10\n' }] })).toMatchObject(
      { notes: [], tests: { cases: [{}, {}, { stdin: '5 5\n' }] } },
    );
  });
});

describe('IOI', () => {
  it('is one group worth its points, with the checker of the task', () => {
    expect(problemOf(ROWS.ioi)).toMatchObject({
      scoring: { groups: { '01-equal': { points: 6 } } },
      compare: { convention: 'cms', entry: 'checker/checker.cpp' },
      tests: {
        cases: [
          { id: '1-01', group: '01-equal' },
          { id: '1-02', group: '01-equal' },
        ],
      },
    });
  });

  it('takes tests as a list beside their names, and refuses another number', () => {
    const list = [['1 2\n', '3\n'], { test_input: '2 2\n', test_output: '4\n' }];
    expect(problemOf({ ...ROWS.ioi, test_cases: list }).tests).toEqual(problemOf(ROWS.ioi).tests);
    expect(toProblem({ ...ROWS.ioi, test_cases: [list[0]] })).toMatchObject({
      code: 'invalid',
      path: 'test_cases',
    });
    expect(toProblem({ ...ROWS.ioi, test_cases: { '1-01': ['', ''] } })).toMatchObject({
      path: 'test_cases["1-02"]',
    });
  });

  it('refuses tasks with a manager, and graders without a main', () => {
    expect(
      toProblem({ ...ROWS.ioi, grader_files: [['graders/manager.cpp', 'int main(){}']] }),
    ).toMatchObject({ code: 'unsupported', path: 'grader_files' });
    expect(
      toProblem({ ...ROWS.ioi, grader_files: [['graders/grader.cpp', 'int f(){}']] }),
    ).toMatchObject({ code: 'unsupported', path: 'grader_files' });
    expect(toProblem({ ...ROWS.ioi, grader_files: [['x']], test_cases: {} })).toMatchObject({
      path: 'test_cases["1-01"]',
    });
  });
});

describe('open-instruct', () => {
  it('refuses data sets that hold no code', () => {
    expect(toProblem({ ...ROWS.open_instruct, dataset: 'gsm8k' })).toMatchObject({
      code: 'unsupported',
      path: 'dataset',
    });
  });

  it('reads a pickle of assert statements, also in a list of one', () => {
    const pickled = 'eJxrYJmqzQABsVM0egQSi4tTi0oU0jQMNRVsbRWMpiAJGYGFjKek6gEAcjEOXw==';
    for (const truth of [pickled, [pickled]]) {
      const row = { ...ROWS.open_instruct, ground_truth: truth, dataset: ['code'] };
      expect(problemOf(row).tests).toMatchObject({
        kind: 'asserts',
        cases: ['assert f(1) == 2', 'assert f(2) == 3'],
      });
    }
  });
});

describe('KodCode', () => {
  it('is a file of pytest, with time for each of its functions', () => {
    expect(problemOf(ROWS.kodcode)).toMatchObject({
      tests: {
        kind: 'pytest',
        files: { 'test_solution.py': ROWS.kodcode.test },
        modules: ['solution'],
      },
      limits: { cpuMs: 10_000 },
    });
    const { test, test_info: _info, ...older } = ROWS.kodcode;
    expect(problemOf({ ...older, test_code: test, test_entry_point: 'add' }).tests).toEqual(
      problemOf(ROWS.kodcode).tests,
    );
  });
});

describe('rowsOfColumns', () => {
  it('turns columns into rows and leaves out what is no list', () => {
    const columns = { prompts: ['a', 'b'], tests: [[1], [2]], trainer_state: { step: 1 } };
    expect(rowsOfColumns(columns)).toEqual([
      { prompts: 'a', tests: [1] },
      { prompts: 'b', tests: [2] },
    ]);
    expect(rowsOfColumns({})).toEqual([]);
  });

  it('refuses columns of different lengths', () => {
    expect(() => rowsOfColumns({ a: [1, 2], b: [1] })).toThrow(RowError);
  });
});
