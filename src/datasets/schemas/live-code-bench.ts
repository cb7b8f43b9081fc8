/** LiveCodeBench: public tests, then private ones that may be a pickle; SkyRL's rows of it. */
import { decodeField } from '../decode/decode.ts';
import { isList } from '../decode/value.ts';
import { has, objectOf, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { noTests, toTests } from '../test-list.ts';
import { below, RowError } from '../row-error.ts';
import { toProblemOf, type Schema } from './schema.ts';

const LISTS = ['public_test_cases', 'private_test_cases'] as const;

export const liveCodeBench: Schema = {
  name: 'livecodebench',
  looksFor: 'public_test_cases or private_test_cases',
  matches: (row) => LISTS.some((name) => Object.hasOwn(row, name)),
  read,
};

function read(row: Row): Problem {
  const metadata = objectOf(has(row, 'metadata') ? decodeField(row['metadata'], 'metadata') : null);
  const list = LISTS.flatMap((name) => {
    const list = decodeField(row[name], name);
    if (list === null) return [];
    if (!isList(list)) throw new RowError('invalid', name, 'is a list of tests');
    return list.map((test, at) => ({ test, path: below(name, at) }));
  });
  if (list.length === 0) throw noTests(LISTS[0]);
  return toProblemOf('livecodebench', row, {
    language: 'python',
    tests: toTests(
      list.map(({ test }) => test),
      {
        path: LISTS[0],
        paths: list.map(({ path }) => path),
        textArgs: 'lines',
        isLoose: false,
        fnName: textOf(metadata, 'func_name'),
        fnNameDecides: true,
        hints: [textOf(row, 'starter_code')],
      },
    ),
    prompt: textOf(row, 'question_content', 'prompt'),
  });
}

const SKY = 'reward_spec.ground_truth';

export const skyRL: Schema = {
  name: 'skyrl',
  looksFor: SKY,
  matches: (row) => Object.hasOwn(objectOf(row['reward_spec']), 'ground_truth'),
  read: (row) =>
    toProblemOf('skyrl', row, {
      language: 'python',
      tests: toTests(decodeField(objectOf(row['reward_spec'])['ground_truth'], SKY), {
        path: SKY,
        textArgs: 'lines',
        isLoose: false,
      }),
    }),
};
