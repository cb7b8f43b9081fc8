/** APPS and TACO: parallel lists in one field of JSON or literal text; calls where they name a function. */
import { decodeField } from '../decode/decode.ts';
import { isList, isObject, type Value } from '../decode/value.ts';
import { limitsOf, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { below, RowError } from '../row-error.ts';
import { toTests } from '../test-list.ts';
import { referenceOf, toProblemOf, type Schema } from './schema.ts';

const PATH = 'input_output';

function read(schema: string, row: Row): Problem {
  const code = firstSolution(row);
  const { limits, notes } = limitsOf({ time: row['time_limit'], memory: row['memory_limit'] });
  return toProblemOf(schema, row, {
    language: 'python',
    tests: toTests(listsIn(row), {
      path: PATH,
      textArgs: 'lines',
      // LiveCodeBench's evaluation samples have this field alone, and its graders unwrap nothing.
      isLoose: Object.keys(row).length > 1,
      hints: [textOf(row, 'starter_code'), code],
    }),
    prompt: textOf(row, 'question'),
    limits,
    notes,
    reference: referenceOf('python', code),
  });
}

/** The lists; Sandbox Fusion's rows of LiveCodeBench wrap them in an object with the field once more. */
function listsIn(row: Row): Value {
  const lists = decodeField(row[PATH], PATH);
  return isObject(lists) && Object.hasOwn(lists, PATH)
    ? decodeField(lists[PATH], below(PATH, PATH))
    : lists;
}

/** Solutions only help, so that a row with unreadable ones is judged all the same. */
function firstSolution(row: Row): string | null {
  try {
    const solutions = decodeField(row['solutions'], 'solutions');
    const [first] = isList(solutions) ? solutions : [];
    return typeof first === 'string' ? first : null;
  } catch (cause) {
    if (cause instanceof RowError) return null;
    throw cause;
  }
}

export const taco: Schema = {
  name: 'taco',
  looksFor: 'input_output with raw_tags or "Expected Time Complexity"',
  matches: (row) =>
    Object.hasOwn(row, PATH) &&
    ['raw_tags', 'Expected Time Complexity', 'Expected Auxiliary Space', 'picture_num'].some(
      (name) => Object.hasOwn(row, name),
    ),
  read: (row) => read('taco', row),
};

export const apps: Schema = {
  name: 'apps',
  looksFor: 'input_output',
  matches: (row) => Object.hasOwn(row, PATH),
  read: (row) => read('apps', row),
};
