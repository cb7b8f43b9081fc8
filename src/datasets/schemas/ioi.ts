/** open-r1/ioi: one subtask a row, worth its points if every test is; graders are compiled with the program. */
import { decodeField } from '../decode/decode.ts';
import { isList, isObject, toNumber, type Value } from '../decode/value.ts';
import { limitsOf, needText, textsOf, type Row } from '../fields.ts';
import { graderOf } from '../graders.ts';
import type { CheckerCompare, Problem, StdioCase } from '../problem.ts';
import { below, RowError } from '../row-error.ts';
import { asCode, asText } from '../test-text.ts';
import { toProblemOf, type Schema } from './schema.ts';

export const ioi: Schema = {
  name: 'ioi',
  looksFor: 'grader_files and subtask',
  matches: (row) => Object.hasOwn(row, 'grader_files') && Object.hasOwn(row, 'subtask'),
  read,
};

function read(row: Row): Problem {
  const id = needText(row, 'id');
  const subtask = needText(row, 'subtask');
  const points = toNumber(row['score']);
  if (points === null || points <= 0) throw new RowError('invalid', 'score', 'is a number above 0');
  const files = graderFiles(row);
  if (Object.keys(files).some((path) => /(?:^|\/)manager\.cpp$/.test(path)))
    throw new RowError(
      'unsupported',
      'grader_files',
      'a communication task with a manager is not judged',
    );
  const { limits, notes } = limitsOf({
    time: row['time_limit'],
    memory: row['memory_limit'],
    memoryUnit: 'bytes',
  });
  return toProblemOf('ioi', row, {
    id: `${id}/${subtask}`,
    language: 'cpp',
    tests: { kind: 'stdio', cases: casesOf(row, subtask) },
    compare: checkerOf(files),
    scoring: { kind: 'groups', groups: { [subtask]: { points } } },
    limits,
    notes,
    grader: graderOf(id.toLowerCase(), files),
  });
}

/** By path; files without content only say that they exist. */
function graderFiles(row: Row): Record<string, string> {
  const list = decodeField(row['grader_files'], 'grader_files') ?? [];
  if (!isList(list)) throw new RowError('invalid', 'grader_files', 'is a list of [name, content]');
  const pairs = list.map((item, index) => {
    const [path, content] = isList(item) ? item : [];
    const text = content ?? '';
    if (typeof path === 'string' && typeof text === 'string')
      return [path, asCode(text, below('grader_files', index))] as const;
    throw new RowError('invalid', below('grader_files', index), 'is [name, content]');
  });
  return Object.fromEntries(pairs.filter(([, content]) => content !== ''));
}

const CHECKER = 'checker/checker.cpp';

function checkerOf(files: Readonly<Record<string, string>>): CheckerCompare | null {
  if (!Object.hasOwn(files, CHECKER)) return null;
  const own = Object.entries(files).filter(([path]) => path.startsWith('checker/'));
  return {
    kind: 'checker',
    language: 'cpp',
    convention: 'cms',
    code: null,
    files: Object.fromEntries(own),
    entry: CHECKER,
  };
}

function casesOf(row: Row, group: string): StdioCase[] {
  const names = textsOf(row, 'test_names');
  const given = decodeField(row['test_cases'], 'test_cases');
  if (given === null)
    throw new RowError(
      'no_tests',
      'test_cases',
      'is not there: add the tests of open-r1/ioi-test-cases that test_names names',
    );
  const entries = isList(given) ? listed(given, names) : named(given, names);
  if (entries.length === 0)
    throw new RowError('no_tests', 'test_cases', 'holds no tests: nothing can be rewarded');
  return entries.map(({ name, value }) => caseOf(name, value, group));
}

interface NamedTest {
  readonly name: string;
  readonly value: Value;
}

function listed(list: readonly Value[], names: readonly string[]): NamedTest[] {
  if (names.length > 0 && names.length !== list.length)
    throw new RowError(
      'invalid',
      'test_cases',
      `has ${list.length} items for the ${names.length} of "test_names"`,
    );
  return list.map((value, index) => ({ name: names[index] ?? String(index + 1), value }));
}

function named(given: Value, names: readonly string[]): NamedTest[] {
  if (!isObject(given))
    throw new RowError('invalid', 'test_cases', 'is a list, or an object by test name');
  return (names.length > 0 ? names : Object.keys(given)).map((name) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) return { name, value };
    throw new RowError(
      'invalid',
      below('test_cases', name),
      'is not there, but test_names names it',
    );
  });
}

function caseOf(name: string, value: Value, group: string): StdioCase {
  const path = below('test_cases', name);
  const [input, output] = isList(value)
    ? value
    : isObject(value)
      ? [value['test_input'] ?? value['input'], value['test_output'] ?? value['output']]
      : [];
  const expectedStdout = output ?? '';
  if (typeof input === 'string' && typeof expectedStdout === 'string')
    return {
      id: name,
      stdin: asText(input, path),
      expectedStdout: asText(expectedStdout, path),
      group,
    };
  throw new RowError('invalid', path, 'is [input, output], two texts');
}
