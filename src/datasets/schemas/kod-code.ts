/** KodCode: a pytest file that imports the program as `solution`. */
import { has, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { noTests } from '../test-list.ts';
import { asCode } from '../test-text.ts';
import { referenceOf, toProblemOf, type Schema } from './schema.ts';

/** The data set's limit is of a test function, rLLM's rule: so many seconds for each. */
const MS_PER_TEST = 5000;
const TEST_FUNCTION = /^[ \t]*(?:async[ \t]+)?def[ \t]+test/gm;

export const kodCode: Schema = {
  name: 'kodcode',
  looksFor: 'test with test_info or an import from solution, or test_code',
  matches: (row) =>
    (Object.hasOwn(row, 'test') && (has(row, 'test_info') || importsSolution(row['test']))) ||
    Object.hasOwn(row, 'test_code'),
  read,
};

/** Variants lack the facts about functions, but their tests import the program by this name. */
function importsSolution(test: Row[string] | undefined): boolean {
  return typeof test === 'string' && /^from solution import /m.test(test);
}

function read(row: Row): Problem {
  const name = Object.hasOwn(row, 'test') ? 'test' : 'test_code';
  const test = asCode(textOf(row, name) ?? '', name);
  const count = test.match(TEST_FUNCTION)?.length ?? 0;
  if (count === 0) throw noTests(name);
  return toProblemOf('kodcode', row, {
    language: 'python',
    tests: { kind: 'pytest', files: { 'test_solution.py': test }, modules: ['solution'] },
    limits: { cpuMs: count * MS_PER_TEST, memoryBytes: null },
    prompt: textOf(row, 'question', 'prompt'),
    reference: referenceOf('python', textOf(row, 'solution')),
  });
}
