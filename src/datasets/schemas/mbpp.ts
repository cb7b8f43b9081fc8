/** MBPP: assert statements in the program's namespace. Full, sanitized (other names) and MBPP+ (`test`: a program). */
import { has, textOf, textsOf, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { below } from '../row-error.ts';
import { noTests } from '../test-list.ts';
import { asCode, asTestCode } from '../test-text.ts';
import { referenceOf, toProblemOf, type Schema } from './schema.ts';

const DEFINED = /^(?:async +def|def|class) +([A-Za-z_]\w*)/gm;
const CALLED = /(?<![\w.])([A-Za-z_]\w*)\s*\(/g;
const IMPORT = /^\s*(?:(?:from\s+\S+\s+)?import\s.*)?$/;

export const mbpp: Schema = {
  name: 'mbpp',
  looksFor: 'test_list',
  matches: (row) => has(row, 'test_list'),
  read,
};

function read(row: Row): Problem {
  const code = textOf(row, 'code');
  const program = textOf(row, 'test');
  const list = textsOf(row, 'test_list').map((text, at) =>
    asTestCode(text, below('test_list', at)),
  );
  const cases = [...list, ...(program === null ? [] : [asTestCode(program, 'test')])];
  if (cases.length === 0) throw noTests('test_list');
  const setup = [...textsOf(row, 'test_imports'), textOf(row, 'test_setup_code') ?? '']
    .filter((part) => part !== '')
    .join('\n');
  return toProblemOf('mbpp', row, {
    language: 'python',
    tests: {
      kind: 'asserts',
      setup: asCode(setup, 'test_setup_code'),
      cases,
      entry: entryOf(code ?? '', cases),
      usesObjects: !setup.split('\n').every((line) => IMPORT.test(line)),
    },
    prompt: textOf(row, 'text', 'prompt'),
    reference: referenceOf('python', code),
  });
}

/** What the reference defines and the tests call: known even where it has the name of a built-in. */
function entryOf(code: string, cases: readonly string[]): readonly string[] {
  const called = new Set(
    cases.flatMap((text) => Array.from(text.matchAll(CALLED), ([, name = '']) => name)),
  );
  const defined = Array.from(code.matchAll(DEFINED), ([, name = '']) => name);
  return [...new Set(defined)].filter((name) => called.has(name));
}
