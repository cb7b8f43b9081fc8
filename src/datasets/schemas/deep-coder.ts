/** DeepCoder (its four configurations), its rows as rLLM rewrites them, and plain columns with a list of tests. */
import { decodeField } from '../decode/decode.ts';
import { isList } from '../decode/value.ts';
import { has, objectOf, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { toTests } from '../test-list.ts';
import { referenceOf, toProblemOf, type Schema } from './schema.ts';

/** Reads `row[name]` as a list of tests of any shape. */
function readList(schema: string, row: Row, name: string): Problem {
  const metadata = objectOf(has(row, 'metadata') ? decodeField(row['metadata'], 'metadata') : null);
  const { solutions } = row;
  const [first] = isList(solutions) ? solutions : [];
  const code = typeof first === 'string' ? first : textOf(row, 'solution', 'code');
  return toProblemOf(schema, row, {
    language: textOf(row, 'language') ?? 'python',
    tests: toTests(decodeField(row[name], name), {
      path: name,
      textArgs: 'lines',
      isLoose: true,
      fnName: textOf(metadata, 'func_name') ?? textOf(row, 'fn_name'),
      hints: [textOf(row, 'starter_code'), code],
    }),
    reference: referenceOf('python', code),
  });
}

export const deepCoder: Schema = {
  name: 'deepcoder',
  looksFor: 'problem and tests',
  matches: (row) => Object.hasOwn(row, 'tests') && has(row, 'problem'),
  read: (row) => readList('deepcoder', row, 'tests'),
};

export const rllm: Schema = {
  name: 'rllm',
  looksFor: 'data_source and ground_truth',
  matches: (row) => has(row, 'data_source') && Object.hasOwn(row, 'ground_truth'),
  read: (row) => readList('rllm', row, 'ground_truth'),
};

/** Columns of tests that reward functions get, in the order in which they are looked for. */
const COLUMNS = ['tests', 'test_cases', 'unit_tests', 'ground_truth'] as const;

/** Rows of a data set of one's own, e.g. as TRL hands them over: a prompt and a column of tests. */
export const columns: Schema = {
  name: 'columns',
  looksFor: `one of ${COLUMNS.join(', ')}`,
  matches: (row) => COLUMNS.some((name) => Object.hasOwn(row, name)),
  read: (row) =>
    readList(
      'columns',
      row,
      COLUMNS.find((name) => has(row, name)) ??
        COLUMNS.find((name) => Object.hasOwn(row, name)) ??
        COLUMNS[0],
    ),
};
