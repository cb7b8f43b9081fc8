/** Rows of AutoEval with files of tests: what tests take from a program, and what a program cannot take from them. */
import { describe, expect, it } from 'vitest';

import { javaProgram, jestTests, junitTests, pytestRow } from './test-files.ts';

const textOf = ({ files }: ReturnType<typeof jestTests>): string => Object.values(files).join('');

describe('pytest', () => {
  it('imports what the row imports before the program’s names, which then do not replace it', () => {
    const { row, program } = pytestRow('def f(): return 1', {
      before: 'import pytest\nfrom math import isclose\n',
      after: 'def test_f():\n    assert f() == 1\n',
    });
    expect(row).toEqual({
      test: 'import pytest\nfrom math import isclose\n\nfrom solution import *\ndef test_f():\n    assert f() == 1\n',
    });
    expect(program).toBe('from math import isclose\ndef f(): return 1');
  });
});

describe('jest', () => {
  const after = 'test("x", () => { expect(add(1, new Box(2), rate)).toBe(own()); });\n';

  it.each([
    ['function add() {}\nclass Box {}\nconst rate = 1', 'import { add, Box, rate }'],
    ['export async function add() {}\nexport default class Box {}', 'import { add, Box }'],
    ['function* add() {}\nfunction unused() {}\n  function rate() {}', 'import { add }'],
    // Neither the library, nor the language's own, nor what the tests define themselves.
    [
      'function expect() {}\nfunction test() {}\nfunction add() {}\nvar Object = 1',
      'import { add }',
    ],
    ['function own() {}\nlet add = 1', 'import { add }'],
  ])('of %j has %s', (code, taken) => {
    expect(textOf(jestTests(code, { before: '', after: `function own() {}\n${after}` }))).toContain(
      `\n${taken} from './solution';\n`,
    );
  });

  it('asks as its tests do, and keeps what they import', () => {
    const required = "const { own } = require('./helper');\n";
    const code = 'function own() {}\nfunction add() {}';
    expect(textOf(jestTests(code, { before: required, after }))).toContain(
      `${required}\nconst { add } = require('./solution');\n`,
    );
    const imported = "import { own } from './helper';\n";
    expect(textOf(jestTests(code, { before: imported, after }))).toContain(
      `${imported}\nimport { add } from './solution';\n`,
    );
  });
});

describe('JUnit', () => {
  it('has the name of its class and the imports that the original gives', () => {
    const { files } = junitTests('package a;\n\npublic class AddTest {}\n');
    expect(files).toEqual({
      'AddTest.java':
        'import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\n\npublic class AddTest {}\n',
    });
  });

  it('judges the types of all blocks of Java, in one file with one public type', () => {
    const block = (language: string, code: string) => ({ language, code });
    expect(
      javaProgram([
        block('java', 'package a;\nimport java.util.*;\npublic class A {}'),
        block('text', 'no program'),
        block('java', 'import java.util.*;\nimport java.io.*;\npublic final class B {}\nenum C {}'),
      ]),
    ).toBe(
      'import java.util.*;\nimport java.io.*;\npublic class A {}\n\nfinal class B {}\nenum C {}\n',
    );
    expect(javaProgram([block('', 'class A {}')])).toBe('\nclass A {}\n');
    expect(javaProgram([])).toBe('');
  });
});

it('reads hostile text in linear time', () => {
  const size = 400_000;
  const since = process.cpuUsage();
  for (const unit of [
    'function ',
    'function',
    ' ',
    'class\t',
    'import ',
    'package a',
    'public ',
    '\n',
  ])
    for (const text of [unit.repeat(size / unit.length), `${unit}${' '.repeat(size)}`]) {
      jestTests(text, { before: text, after: text });
      junitTests(text);
      javaProgram([{ language: 'java', code: text }]);
      pytestRow(text, { before: text, after: text });
    }
  expect(process.cpuUsage(since).user / 1000).toBeLessThan(5000);
});
