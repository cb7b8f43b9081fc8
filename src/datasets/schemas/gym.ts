/** NeMo-Gym's code_gen rows, plain rows of stdin problems, and verl's parquet rows: tests one or two fields deep. */
import { decodeField } from '../decode/decode.ts';
import { isList } from '../decode/value.ts';
import { has, objectOf, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { toTests } from '../test-list.ts';
import { toProblemOf, type Schema } from './schema.ts';

interface Place {
  readonly schema: string;
  readonly outer: string | null;
  readonly name: string;
  readonly isLoose: boolean;
}

function read(row: Row, { schema, outer, name, isLoose }: Place): Problem {
  const holder = outer === null ? row : objectOf(decodeField(row[outer], outer));
  const path = outer === null ? name : `${outer}.${name}`;
  const extra = objectOf(row['extra_info']);
  return toProblemOf(schema, row, {
    language: textOf(row, 'language') ?? 'python',
    tests: toTests(decodeField(holder[name], path), {
      path,
      textArgs: 'lines',
      isLoose,
      hints: [textOf(row, 'starter_code'), textOf(extra, 'starter_code')],
    }),
  });
}

export const nemoGym: Schema = {
  name: 'nemo_gym',
  looksFor: 'verifier_metadata.unit_tests',
  matches: (row) => Object.hasOwn(objectOf(row['verifier_metadata']), 'unit_tests'),
  read(row) {
    const place = { schema: 'nemo_gym', outer: 'verifier_metadata', name: 'unit_tests' };
    const problem = read(row, { ...place, isLoose: false });
    const { input } = objectOf(row['responses_create_params']);
    return { ...problem, prompt: problem.prompt ?? lastContent(input) };
  },
};

function lastContent(input: Row[string] | undefined): string | null {
  if (typeof input === 'string') return input;
  const last = isList(input) ? objectOf(input.at(-1)) : {};
  return textOf(last, 'content');
}

export const stdinProblems: Schema = {
  name: 'stdin',
  looksFor: 'unit_tests, or inputs and outputs',
  matches: (row) => Object.hasOwn(row, 'unit_tests') || has(row, 'inputs') || has(row, 'outputs'),
  read(row) {
    if (Object.hasOwn(row, 'unit_tests'))
      return read(row, { schema: 'stdin', outer: null, name: 'unit_tests', isLoose: false });
    return toProblemOf('stdin', row, {
      language: textOf(row, 'language') ?? 'python',
      tests: toTests(row, { path: '', textArgs: 'lines', isLoose: false }),
    });
  },
};

export const verl: Schema = {
  name: 'verl',
  looksFor: 'reward_model.ground_truth',
  matches: (row) =>
    has(row, 'reward_model') && Object.hasOwn(objectOf(row['reward_model']), 'ground_truth'),
  read: (row) =>
    read(row, { schema: 'verl', outer: 'reward_model', name: 'ground_truth', isLoose: true }),
};
