/** Lists of assert statements: AceCode; and open-instruct's RLVR rows, whose `dataset` tells asserts from stdin. */
import { decodeField } from '../decode/decode.ts';
import { isList, type Value } from '../decode/value.ts';
import { has, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { RowError } from '../row-error.ts';
import { toTests } from '../test-list.ts';
import { toProblemOf, type Schema } from './schema.ts';

export const aceCode: Schema = {
  name: 'acecode',
  looksFor: 'test_cases with inferences or context_messages',
  matches: (row) =>
    Object.hasOwn(row, 'test_cases') && (has(row, 'inferences') || has(row, 'context_messages')),
  read: (row) => readAsserts('acecode', row, 'test_cases'),
};

export const openInstruct: Schema = {
  name: 'open_instruct',
  looksFor: 'messages, ground_truth and dataset',
  matches: (row) => Object.hasOwn(row, 'ground_truth') && has(row, 'dataset'),
  read: readOpenInstruct,
};

function readOpenInstruct(row: Row): Problem {
  const { dataset } = row;
  const [name] = isList(dataset) ? dataset : [dataset];
  if (name === 'code') return readAsserts('open_instruct', row, 'ground_truth');
  if (name !== 'code_stdio')
    throw new RowError('unsupported', 'dataset', 'is "code" or "code_stdio": others hold no code');
  return toProblemOf('open_instruct', row, {
    language: 'python',
    tests: toTests(testsIn(row, 'ground_truth'), {
      path: 'ground_truth',
      textArgs: 'lines',
      isLoose: false,
    }),
  });
}

function readAsserts(schema: string, row: Row, path: string): Problem {
  const tests = toTests(testsIn(row, path), { path, textArgs: 'lines', isLoose: false });
  if (tests.kind !== 'asserts')
    throw new RowError('invalid', path, 'is a list of assert statements');
  return toProblemOf(schema, row, { language: 'python', tests });
}

/** Some exports wrap the encoded text in a list of one. */
function testsIn(row: Row, path: string): Value {
  const list = decodeField(row[path], path);
  const [only] = isList(list) && list.length === 1 ? list : [];
  if (typeof only !== 'string' || !/^\s*[[{"]|^eJ|^eN|^eA/.test(only)) return list;
  return decodeField(only, `${path}[0]`);
}
