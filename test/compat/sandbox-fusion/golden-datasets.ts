/** Golden requests and answers of the data-set endpoints, in the manner of `golden.ts`. */
import { command, refusal, run, SOME, type Golden } from './golden.ts';
import { RIGHT, ROWS } from './rows.ts';

const oj = {
  dataset: 'mine',
  id: 7,
  config: { dataset_type: 'CommonOJDataset', language: 'python', provided_data: ROWS.sums },
};
const { sums } = ROWS;
const stdio = (at: number, stdout: string, passed = true) => ({
  passed,
  exec_info: run({ run_result: command({ stdout }) }),
  test_info: sums.test[at],
});
const result = (parts: object) => ({
  id: 7,
  full_code: null,
  test_code: null,
  extracted_type: 'fenced',
  extra: null,
  ...parts,
});
const prompt = {
  id: 'sum',
  prompt:
    'Add two numbers.\n\nWrite a complete program in python that reads its input from standard input and writes its output to standard output.',
  labels: {},
};
const bad = (detail: string) => ({ status: 400, answer: { detail } });

export const GOLDEN_DATASETS: readonly Golden[] = [
  {
    name: 'a wrong program: the first case, as it is, and no more',
    path: '/submit',
    request: { ...oj, completion: '```python\nprint(4)\n```' },
    status: 200,
    answer: result({
      accepted: false,
      extracted_code: 'print(4)',
      tests: [stdio(0, '4\n', false)],
    }),
  },
  {
    name: 'a program that is right at first, all cases being run',
    path: '/submit',
    request: {
      ...oj,
      completion: '```python\nprint(3)\n```',
      config: {
        ...oj.config,
        provided_data: { ...sums, test: sums.test.slice(0, 2) },
        extra: { run_all_cases: true },
      },
    },
    status: 200,
    answer: result({
      accepted: false,
      extracted_code: 'print(3)',
      tests: [stdio(0, '3\n'), stdio(1, '3\n', false)],
    }),
  },
  {
    name: 'a program that crashes',
    path: '/submit',
    request: { ...oj, completion: '```python\n1 / 0\n```' },
    status: 200,
    answer: result({
      accepted: false,
      extracted_code: '1 / 0',
      tests: [
        {
          passed: false,
          exec_info: run({
            status: 'Failed',
            run_result: command({ return_code: 1, stderr: SOME }),
          }),
          test_info: sums.test[0],
        },
      ],
    }),
  },
  {
    name: 'assert statements that hold',
    path: '/submit',
    request: { ...RIGHT, id: 7 },
    status: 200,
    answer: result({
      accepted: true,
      extracted_code: 'def add(a, b): return a + b',
      full_code: SOME,
      test_code: SOME,
      tests: [{ passed: true, exec_info: run(), test_info: null }],
    }),
    better: 'they are run where the program is not',
  },
  {
    name: 'prompts',
    path: '/get_prompts',
    request: { ...oj, config: { ...oj.config, provided_data: [sums] } },
    status: 200,
    answer: [prompt],
  },
  { name: 'a prompt', path: '/get_prompt_by_id', request: oj, status: 200, answer: prompt },
  {
    name: 'ids',
    path: '/list_ids',
    request: { ...oj, config: { ...oj.config, provided_data: [sums, { ...sums, id: 2 }] } },
    status: 200,
    answer: ['sum', 2],
  },
  {
    name: 'metrics',
    path: '/get_metrics',
    request: { ...oj, results: [{ accepted: true }, { accepted: false }] },
    status: 200,
    answer: { total: 2, accepted: 1, accuracy: 0.5 },
    better: 'the original has none',
  },
  {
    name: 'no function',
    path: '/get_metrics_function',
    request: oj,
    status: 200,
    answer: { function: null },
  },
  {
    name: 'an unknown data set',
    path: '/submit',
    request: { dataset: 'x', id: 1, completion: '', config: {} },
    ...bad('no eval class found for dataset x'),
  },
  {
    name: 'an unknown class',
    path: '/get_prompts',
    request: { dataset: 'x', config: { dataset_type: 'Y' } },
    ...bad('eval class Y not found'),
  },
  {
    name: 'no language for programs',
    path: '/submit',
    request: { ...oj, completion: '', config: { ...oj.config, language: null } },
    ...bad('config.language field must exist for CommonOJDataset, got None'),
  },
  {
    name: 'a row in place of a list',
    path: '/list_ids',
    request: oj,
    ...bad('request.config.provided_data should be a list of str -> str | int'),
  },
  {
    name: 'a list in place of a row',
    path: '/get_prompt_by_id',
    request: { ...oj, config: { ...oj.config, provided_data: [sums] } },
    ...bad('request.config.provided_data should be a dict with str -> str | int'),
  },
  {
    name: 'no completion',
    path: '/submit',
    request: oj,
    status: 422,
    answer: refusal('missing', ['body', 'completion'], 'Field required'),
  },
  {
    name: 'code to execute',
    path: '/submit',
    request: { ...oj, completion: '', config: { ...oj.config, custom_extract_logic: 'exit()' } },
    ...bad('custom_extract_logic is not executed here: extract the code before you send it'),
    better: 'nobody’s code is executed in the service',
  },
];
