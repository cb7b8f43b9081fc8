/** open-r1/codeforces: official tests, a Python checker where answers differ; no interactive and no file problems. */
import { decodeField } from '../decode/decode.ts';
import { isList } from '../decode/value.ts';
import { has, limitsOf, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { below, RowError } from '../row-error.ts';
import { noTests, toTests } from '../test-list.ts';
import { asCode } from '../test-text.ts';
import { toProblemOf, type Schema } from './schema.ts';

const LISTS = ['official_tests', 'test_cases'] as const;

export const codeforces: Schema = {
  name: 'codeforces',
  looksFor: 'official_tests',
  matches: (row) => Object.hasOwn(row, LISTS[0]),
  read,
};

function read(row: Row): Problem {
  if (textOf(row, 'interaction_format') !== null)
    throw new RowError(
      'unsupported',
      'interaction_format',
      'the problem is interactive, and its row has no interactor',
    );
  if (textOf(row, 'input_mode') === 'file')
    throw new RowError('unsupported', 'input_mode', 'the program reads and writes named files');
  // Generated tests are in files of their own; rows may have been given them as `test_cases`.
  const list = LISTS.flatMap((name) => {
    const tests = has(row, name) ? decodeField(row[name], name) : null;
    return isList(tests) ? tests.map((test, at) => ({ test, path: below(name, at) })) : [];
  });
  if (list.length === 0) throw noTests(LISTS[0]);
  const checker = textOf(row, 'generated_checker');
  const { limits, notes } = limitsOf({ time: row['time_limit'], memory: row['memory_limit'] });
  const isShort = row['official_tests_complete'] === false && !has(row, LISTS[1]);
  const short = 'official_tests_complete is false: wrong programs may pass what is there';
  return toProblemOf('codeforces', row, {
    language: textOf(row, 'language'),
    tests: toTests(
      list.map(({ test }) => test),
      { path: LISTS[0], paths: list.map(({ path }) => path), textArgs: 'lines', isLoose: false },
    ),
    compare:
      checker === null
        ? null
        : {
            kind: 'checker',
            language: 'python',
            convention: 'python_file',
            code: asCode(checker, 'generated_checker'),
            files: {},
            entry: null,
          },
    limits,
    notes: [...notes, ...(isShort ? [short] : [])],
  });
}
