/** Definitions: mistakes are named with file and place; the repository's own are right. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkDefinition, loadDefinitions } from './definitions.ts';
import { SELF_TEST_NAMES } from './self-test.ts';
import { aDefinition } from './test-environment.ts';

const LANGUAGES = join(import.meta.dirname, '../../languages');

describe('the definitions of this repository', () => {
  it('are right, and their self-tests are there', async () => {
    const definitions = await loadDefinitions(LANGUAGES);
    const ids = definitions.map(({ id }) => id);
    expect(ids).toEqual([
      'bash',
      'c',
      'cpp',
      'go',
      'java',
      'javascript',
      'python',
      'rust',
      'typescript',
    ]);
    for (const { id, selfTests, environments } of definitions) {
      const files = await readdir(join(LANGUAGES, id, 'selftest'));
      const own = environments.flatMap((each) => Object.values(each.selfTests));
      const named = [...Object.values(selfTests), ...own].map(({ file }) =>
        file.replace('selftest/', ''),
      );
      expect(files.toSorted()).toEqual(named.toSorted());
      expect(Object.keys(selfTests)).toEqual([...SELF_TEST_NAMES]);
    }
  });
});

describe('checkDefinition', () => {
  const problemsOf = (text: string) =>
    checkDefinition(text, { path: 'toy/language.json', folder: 'toy' }).problems;
  const ok = { file: 'selftest/ok.x', expect: 'accepted', stdout: '42\n' };
  const { selfTests } = aDefinition();

  it('accepts a complete one', () => {
    expect(problemsOf(JSON.stringify(aDefinition()))).toEqual([]);
  });

  it.each([
    ['id', { id: 'other' }, 'toy/language.json: id: is other, its folder is toy'],
    ['an unknown field', { colour: 1 }, 'toy/language.json: (top): Unrecognized key: "colour"'],
    ['a wrong type', { aliases: 'x' }, 'toy/language.json: aliases: '],
    [
      'an upper-case alias',
      { aliases: ['Toy'] },
      'toy/language.json: aliases: Toy is not lower case',
    ],
    [
      'a missing self-test',
      { selfTests: { ok } },
      'toy/language.json: selfTests: has no compile-error',
    ],
    [
      'an ok that an empty program passes',
      { selfTests: { ...(selfTests as object), ok: { ...ok, stdout: ' ' } } },
      'toy/language.json: selfTests.ok: an accepted self-test must print something',
    ],
    [
      'an ok that is to fail',
      { selfTests: { ...(selfTests as object), ok: { ...ok, expect: 'runtime_error' } } },
      'toy/language.json: selfTests.ok: must be accepted',
    ],
    [
      'a program without a path',
      { run: { command: ['toy'], needsSource: true } },
      'toy/language.json: run.command: must begin with a path or a tool',
    ],
  ])('names %s', (_name, changes, problem) => {
    const problems = problemsOf(JSON.stringify(aDefinition(changes)));
    expect(problems[0]).toContain(problem);
  });

  it('names a file that is no JSON', () => {
    expect(problemsOf('{')[0]).toContain('toy/language.json: SyntaxError');
  });
});
