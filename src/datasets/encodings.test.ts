/** One row in every encoding: the judge gets the same tests. */
import { describe, expect, it } from 'vitest';

import { toPythonText } from './python-text.ts';
import { LISTS, PAIRS, ROWS } from './test-rows.ts';
import { toProblem } from './to-problem.ts';
import { toWire } from './to-wire.ts';

/** The judge's body, as JSON would carry it. */
function bodyOf(row: unknown): unknown {
  const result = toProblem(row);
  if (result.kind === 'rejection') throw new Error(`${result.path}: ${result.message}`);
  return JSON.parse(JSON.stringify(toWire(result.problem)));
}

describe('the same row in every encoding', () => {
  const encodings = [
    (value: never) => value,
    (value: never) => JSON.stringify(value),
    (value: never) => JSON.stringify(JSON.stringify(value)),
    (value: never) => toPythonText(value),
  ];
  const info = ROWS.verifiable.verification_info;
  const calls = {
    fn_name: 'add',
    inputs: [
      [1, 2.5],
      ['a', 'b'],
    ],
    outputs: [3.5, 'ab'],
  };
  it.each([
    [
      'verifiable',
      (of: (value: never) => unknown) => ({
        ...ROWS.verifiable,
        verification_info: of(info as never),
        metadata: of(ROWS.verifiable.metadata as never),
      }),
    ],
    [
      'apps',
      (of: (value: never) => unknown) => ({ ...ROWS.apps, input_output: of(LISTS as never) }),
    ],
    [
      'apps, wrapped once more',
      (of: (value: never) => unknown) => ({
        ...ROWS.apps,
        input_output: of({ input_output: JSON.stringify(LISTS) } as never),
      }),
    ],
    [
      'apps, calls',
      (of: (value: never) => unknown) => ({ ...ROWS.apps, input_output: of(calls as never) }),
    ],
    [
      'taco',
      (of: (value: never) => unknown) => ({ ...ROWS.taco, input_output: of(LISTS as never) }),
    ],
    [
      'deepcoder',
      (of: (value: never) => unknown) => ({ ...ROWS.deepcoder, tests: of(PAIRS as never) }),
    ],
    [
      'deepcoder, parallel lists',
      (of: (value: never) => unknown) => ({ ...ROWS.deepcoder, tests: of(calls as never) }),
    ],
    [
      'rllm',
      (of: (value: never) => unknown) => ({ ...ROWS.rllm, ground_truth: of(PAIRS as never) }),
    ],
    [
      'livecodebench',
      (of: (value: never) => unknown) => ({
        ...ROWS.livecodebench,
        private_test_cases: of(PAIRS as never),
      }),
    ],
    [
      'skyrl',
      (of: (value: never) => unknown) => ({
        ...ROWS.skyrl,
        reward_spec: { ground_truth: of(PAIRS as never) },
      }),
    ],
    [
      'acecode',
      (of: (value: never) => unknown) => ({
        ...ROWS.acecode,
        test_cases: of(ROWS.acecode.test_cases as never),
      }),
    ],
    [
      'open_instruct',
      (of: (value: never) => unknown) => ({
        ...ROWS.open_instruct,
        ground_truth: of(ROWS.open_instruct.ground_truth as never),
      }),
    ],
    [
      'open_instruct, stdin',
      (of: (value: never) => unknown) => ({
        ...ROWS.open_instruct,
        dataset: 'code_stdio',
        ground_truth: of(PAIRS as never),
      }),
    ],
    [
      'nemo_gym',
      (of: (value: never) => unknown) => ({
        ...ROWS.nemo_gym,
        verifier_metadata: { unit_tests: of(LISTS as never) },
      }),
    ],
    [
      'stdin',
      (of: (value: never) => unknown) => ({ ...ROWS.stdin, unit_tests: of(LISTS as never) }),
    ],
    [
      'verl',
      (of: (value: never) => unknown) => ({
        ...ROWS.verl,
        reward_model: { ground_truth: of(LISTS as never) },
      }),
    ],
    [
      'codeforces',
      (of: (value: never) => unknown) => ({
        ...ROWS.codeforces,
        official_tests: of(PAIRS as never),
      }),
    ],
    [
      'columns',
      (of: (value: never) => unknown) => ({ ...ROWS.columns, tests: of(PAIRS as never) }),
    ],
  ])('%s gives the same tests', (_name, rowOf) => {
    const [first, ...others] = encodings.map((of) => bodyOf(rowOf(of)));
    for (const other of others) expect(other).toEqual(first);
  });
});
