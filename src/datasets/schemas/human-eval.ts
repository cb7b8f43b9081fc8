/** HumanEval, HumanEval+ and LeetCodeDataset: a prompt that begins the program, and a `check(candidate)`. */
import { has, needText, textOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { RowError } from '../row-error.ts';
import { withPrompt } from '../build.ts';
import { asCode } from '../test-text.ts';
import { toProblemOf, type Schema } from './schema.ts';

function read(schema: string, row: Row, solution: string): Problem {
  if (textOf(row, 'test') === null) {
    const message = has(row, 'base_input')
      ? 'is not there, and inputs without expected results cannot be judged'
      : 'holds no tests: nothing can be rewarded';
    throw new RowError('no_tests', 'test', message);
  }
  const entry = asCode(needText(row, 'entry_point'), 'entry_point');
  const prompt = asCode(textOf(row, 'prompt') ?? '', 'prompt');
  const code = textOf(row, solution);
  return toProblemOf(schema, row, {
    language: 'python',
    tests: { kind: 'check', code: asCode(needText(row, 'test'), 'test'), entry, prompt },
    build: { kind: 'prompt', prompt, entry },
    reference:
      code === null ? null : { language: 'python', code: withPrompt(code, { prompt, entry }) },
  });
}

export const humanEval: Schema = {
  name: 'humaneval',
  looksFor: 'prompt, entry_point, canonical_solution and test',
  matches: (row) =>
    has(row, 'prompt') &&
    has(row, 'entry_point') &&
    (has(row, 'canonical_solution') || has(row, 'base_input')),
  read: (row) => read('humaneval', row, 'canonical_solution'),
};

export const leetCode: Schema = {
  name: 'leetcode',
  looksFor: 'prompt, completion, entry_point and test',
  matches: (row) => has(row, 'prompt') && has(row, 'entry_point') && has(row, 'test'),
  read: (row) => read('leetcode', row, 'completion'),
};
