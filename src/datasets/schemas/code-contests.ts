/** CodeContests: public, private and generated tests, as parallel lists or as messages; any language. */
import { decodeField } from '../decode/decode.ts';
import { isList, isObject, toNumber, type Value } from '../decode/value.ts';
import { has, limitsOf, textOf, type Row } from '../fields.ts';
import type { Problem, StdioCase } from '../problem.ts';
import { RowError } from '../row-error.ts';
import { noTests, toTests } from '../test-list.ts';
import { toProblemOf, type Schema } from './schema.ts';

const LISTS = ['public_tests', 'private_tests', 'generated_tests'] as const;

export const codeContests: Schema = {
  name: 'code_contests',
  looksFor: 'public_tests, private_tests or generated_tests',
  matches: (row) => LISTS.some((name) => Object.hasOwn(row, name)),
  read,
};

function read(row: Row): Problem {
  const files = [textOf(row, 'input_file'), textOf(row, 'output_file')];
  if (files.some((name) => name !== null))
    throw new RowError('unsupported', 'input_file', 'the program reads or writes named files');
  const cases = LISTS.flatMap((name) => casesOf(row, name)).map((each, index) => ({
    ...each,
    id: String(index + 1),
  }));
  if (cases.length === 0) throw noTests('public_tests');
  const { limits, notes } = limitsOf({
    time: row['time_limit'],
    memory: row['memory_limit_bytes'],
    memoryUnit: 'bytes',
  });
  return toProblemOf('code_contests', row, {
    language: null,
    tests: { kind: 'stdio', cases },
    limits,
    notes: [NO_CHECKER, ...notes],
    reference: referenceOf(row['solutions'] ?? null),
  });
}

/** Its generated tests are inputs that were altered, with the output of one right program. */
const NO_CHECKER =
  'no_checker: outputs are compared as text, so of several right ones only that which the row states is accepted';

function casesOf(row: Row, name: string): readonly StdioCase[] {
  const list = has(row, name) ? decodeField(row[name], name) : null;
  if (list === null || isEmpty(list)) return [];
  const tests = toTests(list, { path: name, textArgs: 'lines', isLoose: false });
  if (tests.kind === 'stdio') return tests.cases;
  throw new RowError('invalid', name, 'holds tests that are no pairs of input and output');
}

function isEmpty(list: Value): boolean {
  if (isList(list)) return list.length === 0;
  return isObject(list) && Object.values(list).every((each) => isList(each) && each.length === 0);
}

/** The data set's numbers of languages that we can tell; its Python 2 is none of ours. */
const LANGUAGES: Readonly<Record<number, string>> = { 2: 'cpp', 3: 'python', 4: 'java' };
const NAMES: Readonly<Record<string, string>> = { CPP: 'cpp', PYTHON3: 'python', JAVA: 'java' };
const PREFERENCE = ['python', 'cpp', 'java'];

function referenceOf(solutions: Value): Problem['reference'] {
  const pairs = isList(solutions) ? solutions.map(messageOf) : columnsOf(solutions);
  const known = pairs.flatMap(({ language, code }) => {
    const name =
      typeof language === 'string' ? NAMES[language] : LANGUAGES[toNumber(language) ?? 0];
    return name === undefined || typeof code !== 'string' ? [] : [{ language: name, code }];
  });
  for (const wanted of PREFERENCE) {
    const found = known.find(({ language }) => language === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

interface Solution {
  readonly language: Value;
  readonly code: Value;
}

function messageOf(value: Value): Solution {
  const message = isObject(value) ? value : {};
  return { language: message['language'] ?? null, code: message['solution'] ?? null };
}

function columnsOf(solutions: Value): Solution[] {
  const { language, solution } = isObject(solutions) ? solutions : {};
  if (!isList(language) || !isList(solution)) return [];
  return language.map((each, index) => ({ language: each, code: solution[index] ?? null }));
}
