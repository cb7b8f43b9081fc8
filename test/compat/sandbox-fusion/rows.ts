/** Rows in the shapes of Sandbox Fusion's data sets, with right and wrong completions. */

export interface Submission {
  readonly dataset: string;
  readonly id: number | string;
  readonly completion: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export const fenced = (code: string, tag = 'python'): string =>
  `So:\n\`\`\`${tag}\n${code}\n\`\`\`\nDone.`;

const humanEval = {
  task_id: 'HumanEval/x',
  prompt:
    'from typing import List\n\n\ndef most(numbers: List[int]) -> int:\n    """The largest."""\n',
  canonical_solution: '    return max(numbers)\n',
  test: '\n\ndef check(candidate):\n    assert candidate([1, 3, 2]) == 3\n    assert candidate([-1]) == -1\n',
  entry_point: 'most',
};

const mbpp = {
  id: 7,
  content: 'Write a function that adds two numbers.',
  labels: '{"test_setup_code": "", "challenge_test_list": []}',
  test_list: '["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add(2, 2) == 4"]',
};

const autoEval = {
  id: 3,
  content: 'Read the number in data.txt with read().',
  labels: '{"programming_language": "python", "execution_language": "python"}',
  test: JSON.stringify({
    code: 'import math\n#<INSERT>\nassert read() == 42\nassert math.sqrt(read() - 6) == 6.0\n',
    asset: JSON.stringify({ 'data.txt': 'NDI=', 'none.txt': null }),
  }),
};

const autoEvalCpp = {
  id: 4,
  content: 'twice(n)',
  labels: { programming_language: 'cpp' },
  test: {
    code: '#include <cassert>\n#<INSERT>\nint main() {\n  assert(twice(2) == 4);\n  assert(twice(0) == 0);\n}\n',
  },
};

const sums = {
  id: 'sum',
  content: 'Add two numbers.',
  labels: {},
  test: [
    { input: { stdin: '1 2\n' }, output: { stdout: '3\n' } },
    { input: { stdin: '2 2\n' }, output: { stdout: '4.0' } },
    { input: { stdin: `3 4${' '.repeat(2000)}\n` }, output: { stdout: '7' } },
  ],
};

const calls = {
  id: 10,
  content: 'Count.',
  labels: '{}',
  test: JSON.stringify({
    input_output: JSON.stringify({
      fn_name: 'count',
      inputs: ['["a", "bb"]\n1', '[]\n0'],
      outputs: ['1', '0'],
    }),
  }),
};

/** base64(zlib(pickle({'input_output': '{"inputs": ["1\\n", "2\\n"], "outputs": ["2\\n", "3\\n"], "fn_name": null}'}))) */
const pickled = {
  id: 11,
  content: 'Next.',
  labels: '{}',
  test: 'eJxrYJkawwABtVN6eDLzCkpL4vNLS4DUlB63aiWwQLGSlUK0kmFMnpKOgpIRkIoF0hBFECkjiJQxVCotLz4vMTcVKJVXmpNTO6VYDwBdth/C',
};

const multiple = (language: string, prompt: string, tests: string, stop_tokens: string[]) => ({
  name: `x_${language}`,
  language,
  prompt,
  tests,
  stop_tokens,
});

const MULTIPLE = {
  cpp: multiple(
    'cpp',
    '#include<assert.h>\n#include<bits/stdc++.h>\n// Adds.\nlong add(long a, long b) {\n',
    '}\nint main() {\n    auto candidate = add;\n    assert(candidate((1), (2)) == (3));\n    assert(candidate((5), (5)) == (10));\n}\n',
    ['\n}'],
  ),
  js: multiple(
    'js',
    '//Adds.\nfunction add(a, b){\n',
    "const assert = require('node:assert');\n\n\nfunction test() {\n  let candidate = add;\n  assert.deepEqual(candidate(1, 2),3);\n  assert.deepEqual(candidate(5, 5),10);\n}\n\ntest();",
    ['\nfunction ', '\n/*', '\n//', '\nconsole.log'],
  ),
  ts: multiple(
    'ts',
    '//Adds.\nfunction add(a: number, b: number): number {\n',
    "declare var require: any;\nconst assert = require('node:assert');\n\n\nfunction test() {\n  let candidate = add;\n  assert.deepEqual(candidate(1, 2),3);\n}\n\ntest();",
    ['\nfunction ', '\nclass'],
  ),
  sh: multiple(
    'sh',
    '#!/bin/bash\n# Adds.\nadd() {\n',
    '}\n\ncandidate() {\n    add "$@"\n}\n\nset -e\nrun_test() {\n    [[ $(candidate "1" "2") = "3" ]]\n}\n\nrun_test',
    ['\n}'],
  ),
  go: multiple(
    'go_test.go',
    'package add_test\n\nimport (\n    "testing"\n    "fmt"\n)\n\n// Adds.\nfunc add(a int, b int) int {\n',
    'func TestAdd(t *testing.T) {\n  candidate := add\n\ttype test struct {\n\t\tactual   interface{}\n\t\texpected interface{}\n\t}\n   tests := []test{\n     { actual: candidate(1, 2), expected: 3 },\n     { actual: candidate(5, 5), expected: 10 },\n   }\n\n\tfor i, tc := range tests {\n\t\tt.Run(fmt.Sprintf("test num % d", i), func(t *testing.T) {\n\t\t\tif fmt.Sprintf("%v", tc.actual) != fmt.Sprintf("%v", tc.expected) {\n\t\t\t\tt.Errorf("expected \'%s\', got \'%s\'", tc.expected, tc.actual)\n\t\t\t}\n\t\t})\n\t}\n}\n',
    ['\nfunc', 'struct', '\n// '],
  ),
} as const;

export const of = (
  dataset: string,
  dataset_type: string | null,
  row: object,
  completion: string,
  config: object = {},
): Submission => ({
  dataset,
  id: 'x',
  completion,
  config: { dataset_type, provided_data: row, ...config },
});

const humanEvalOf = (completion: string, config: object = {}): Submission =>
  of('humaneval_python', null, humanEval, completion, config);
const mbppOf = (completion: string, config: object = {}): Submission =>
  of('mbpp', null, mbpp, completion, config);
/** A right answer to a row of MBPP. */
export const RIGHT = mbppOf(fenced('def add(a, b): return a + b'));
const ojOf = (completion: string, language: string, config: object = {}): Submission =>
  of('any', 'CommonOJDataset', sums, completion, { language, ...config });
const multipleOf = (language: keyof typeof MULTIPLE, completion: string): Submission =>
  of(`multiple_${language}`, null, MULTIPLE[language], completion);

const SUM = 'print(sum(map(int, input().split())))';

/** Name, what is submitted, whether it is accepted. */
export const SUBMISSIONS: readonly (readonly [string, Submission, boolean])[] = [
  ['HumanEval, the body alone', humanEvalOf('    return max(numbers)\n\nprint(most([1]))'), true],
  [
    'HumanEval, a whole function',
    humanEvalOf(fenced('def most(numbers):\n    return sorted(numbers)[-1]'), {
      extra: { is_freeform: true },
    }),
    true,
  ],
  ['HumanEval, a wrong body', humanEvalOf('    return min(numbers)\n'), false],
  ['HumanEval, an early exit', humanEvalOf('    import os\n    os._exit(0)\n'), false],
  ['HumanEval, nothing', humanEvalOf('', { extra: { is_freeform: true } }), false],
  ['MBPP', mbppOf(fenced('def add(a, b):\n    return a + b\n\nassert add(1, 1) == 3')), true],
  ['MBPP, a wrong function', mbppOf(fenced('def add(a, b):\n    return 3')), false],
  [
    'MBPP, an object that equals everything',
    mbppOf(
      fenced(
        'class Any:\n    def __eq__(self, other): return True\ndef add(a, b):\n    return Any()',
      ),
    ),
    false,
  ],
  [
    'MBPP, the last of few shots',
    mbppOf(fenced('def add(a, b):\n    return 4'), { is_fewshot: true }),
    true,
  ],
  [
    'AutoEval, with a file and a main of its own',
    of(
      'any',
      'AutoEvalDataset',
      autoEval,
      fenced(
        'def read():\n    return int(open("data.txt").read())\n\nif __name__ == "__main__":\n    exit(1)',
      ),
    ),
    true,
  ],
  [
    'AutoEval, a wrong one',
    of('any', 'AutoEvalV4Dataset', autoEval, fenced('def read(): return 1')),
    false,
  ],
  [
    'AutoEval in C++',
    of('any', 'AutoEvalDataset', autoEvalCpp, fenced('int twice(int n) { return 2 * n; }', 'cpp')),
    true,
  ],
  [
    'AutoEval in C++, an exit before the tests',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalCpp,
      fenced(
        '#include <cstdlib>\nstruct S { S() { std::_Exit(0); } } s;\nint twice(int) { return 0; }',
        'cpp',
      ),
    ),
    false,
  ],
  ['CommonOJ', ojOf(fenced(SUM), 'python'), true],
  ['CommonOJ, a wrong program', ojOf(fenced('print(3)'), 'python'), false],
  ['CommonOJ, an early exit', ojOf(fenced('exit()'), 'python'), false],
  [
    'CommonOJ in C++',
    ojOf(
      fenced(
        '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }',
        'cpp',
      ),
      'cpp',
    ),
    true,
  ],
  [
    'CommonOJ in JavaScript',
    ojOf(
      fenced(
        'const [a, b] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);\nconsole.log(a + b);',
        'javascript',
      ),
      'nodejs',
    ),
    true,
  ],
  [
    'LiveCodeBench, calls',
    of(
      'live_code_bench_v1',
      null,
      calls,
      fenced(
        'class Solution:\n    def count(self, words, length):\n        return sum(len(w) == length for w in words)',
      ),
    ),
    true,
  ],
  [
    'LiveCodeBench, calls of a wrong function',
    of('live_code_bench_v1', null, calls, fenced('def count(words, length): return 1')),
    false,
  ],
  [
    'LiveCodeBench, stdin in a pickle',
    of('any', 'LiveCodeBenchDataset', pickled, fenced('print(int(input()) + 1)')),
    true,
  ],
  [
    'LiveCodeBench, an exit',
    of('any', 'LiveCodeBenchDataset', pickled, fenced('import os\nos._exit(0)')),
    false,
  ],
  [
    'MultiPL-E in C++, the body alone',
    multipleOf('cpp', '    return a + b;\n}\n\nint main() { return 1; }'),
    true,
  ],
  ['MultiPL-E in C++, a wrong body', multipleOf('cpp', '    return a - b;\n}'), false],
  [
    'MultiPL-E in JavaScript',
    multipleOf(
      'js',
      fenced('function add(a, b) {\n  return a + b;\n}\nconsole.log(add(1, 1));', 'js'),
    ),
    true,
  ],
  [
    'MultiPL-E in JavaScript, an exit',
    multipleOf('js', fenced('function add() {}\nprocess.exit(0);', 'js')),
    false,
  ],
  ['MultiPL-E in TypeScript', multipleOf('ts', '    return a + b;\n}\n\nadd(1, 2);'), true],
  ['MultiPL-E in Bash', multipleOf('sh', '    echo $(($1 + $2))\n}\necho more'), true],
  ['MultiPL-E in Bash, an exit', multipleOf('sh', '    exit 0\n}\nexit 0'), false],
];

/** The same for a toolchain that a host may lack. */
export const GO_SUBMISSIONS: typeof SUBMISSIONS = [
  ['MultiPL-E in Go', multipleOf('go', '    return a + b\n}\n\nfunc more() {}'), true],
  [
    'MultiPL-E in Go, an exit',
    multipleOf(
      'go',
      fenced(
        'package main\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc add(a int, b int) int { return 0 }',
        'go',
      ),
    ),
    false,
  ],
];

export const ROWS = { humanEval, mbpp, autoEval, sums, calls } as const;
