/** Requests as a reader of the OpenAPI document may copy them. A test holds them to the schemas. */

export const EXAMPLES = {
  run: {
    language: 'python',
    code: 'print(sum(map(int, input().split())))',
    stdin: '1 2\n',
    limits: { cpu_ms: 2000, memory_mb: 256 },
  },
  judge: {
    language: 'cpp',
    completion:
      'Read both, print the sum.\n```cpp\n#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }\n```\n',
    tests: {
      kind: 'stdio',
      cases: [
        { id: 'small', stdin: '1 2\n', expected_stdout: '3\n' },
        {
          id: 'large',
          stdin: '2000000000 2000000000\n',
          expected_stdout: '4000000000\n',
          weight: 2,
        },
      ],
    },
    compare: 'tokens',
    scoring: 'weighted',
    reward_range: [-1, 1],
    detail: 'failures',
    limits: { cpu_ms: 2000, memory_mb: 256 },
    deadline_ms: 60_000,
    labels: { step: '120' },
  },
  reward: {
    dataset: 'auto',
    items: [
      {
        id: 'mbpp/1',
        row: {
          task_id: 1,
          text: 'Write a function to add two numbers.',
          code: 'def add(a, b):\n    return a + b',
          test_list: ['assert add(1, 2) == 3'],
          test_setup_code: '',
          challenge_test_list: [],
        },
        completions: ['```python\ndef add(a, b):\n    return a + b\n```', 'I do not know.'],
      },
    ],
    scoring: 'all',
    detail: 'summary',
    deadline_ms: 60_000,
  },
  execute: {
    language: 'python',
    version: '*',
    files: [{ name: 'main.py', content: 'print(input())' }],
    stdin: 'hello',
    run_timeout: 3000,
  },
  executeBatch: {
    scripts: ['1 + 1'],
    languages: ['python'],
    timeout: 30,
    request_timeout: 28,
  },
  runCode: {
    language: 'python',
    code: 'print(input())',
    stdin: 'hello',
    compile_timeout: 10,
    run_timeout: 10,
    memory_limit_MB: 1024,
    files: {},
    fetch_files: [],
  },
  runJupyter: { cells: ['a = 1', 'a + 1'], total_timeout: 10 },
  /** For every endpoint of data sets; each takes what it knows. */
  dataset: {
    dataset: 'sums',
    id: 1,
    completion: '```python\nprint(sum(map(int, input().split())))\n```',
    results: [{ accepted: true }],
    config: {
      dataset_type: 'CommonOJDataset',
      language: 'python',
      provided_data: {
        id: 1,
        content: 'Print the sum.',
        test: [{ input: { stdin: '1 2' }, output: { stdout: '3' } }],
      },
    },
  },
  testProgram: {
    program: 'def add(a, b):\n    return a + b',
    tests: ['assert add(1, 2) == 3'],
    max_execution_time: 1,
  },
  testProgramStdio: {
    program: 'print(sum(map(int, input().split())))',
    tests: [{ input: '1 2\n', output: '3\n' }],
    max_execution_time: 1,
  },
  getReward: {
    query: ['Add them.\n```python\ndef add(a, b):\n    return a + b\n```'],
    prompts: ['Add them.'],
    labels: [{ language: 'python', tests: { kind: 'asserts', cases: ['assert add(1, 2) == 3'] } }],
  },
  remoteRM: {
    prompt: 'Add them.',
    response: '```python\ndef add(a, b):\n    return a + b\n```',
    label: { language: 'python', tests: { kind: 'asserts', cases: ['assert add(1, 2) == 3'] } },
  },
  nemoSkills: { generated_code: 'print(1)', timeout: 10, language: 'python3' },
  judge0: {
    source_code: 'print(sum(map(int, input().split())))',
    language_id: 71,
    stdin: '1 2\n',
    expected_output: '3\n',
  },
  testset: {
    id: 'sums',
    problems: [
      {
        id: 'two',
        tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] },
        references: [{ language: 'python', code: 'print(sum(map(int, input().split())))' }],
      },
    ],
  },
} as const;
