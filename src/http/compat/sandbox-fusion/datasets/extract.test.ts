/** The program in a completion, by the original's rules. */
import { describe, expect, it } from 'vitest';

import { cutAt, extractCode, languageName } from './extract.ts';

const fence = (tag: string, code: string): string => `\`\`\`${tag}\n${code}\n\`\`\``;

describe('extractCode', () => {
  it.each([
    ['the only block', fence('python', 'a'), 'a'],
    ['the first of several', `${fence('python', 'a')}\n${fence('python', 'b')}`, 'a'],
    ['the first in the language', `${fence('cpp', 'a')}\n${fence('py', 'b')}`, 'b'],
    ['the first of any, where none is in it', `${fence('cpp', 'a')}\n${fence('', 'b')}`, 'a'],
    ['a block of several lines', fence(' Python3 ', 'a\n\n  b'), 'a\n\n  b'],
    ['an indented end', '```python\na\n   ```\nrest', 'a'],
    ['a fence within a line, which ends nothing', '```python\nx = "```"\ny\n```', 'x = "```"\ny'],
    ['a whole block before an open one', `${fence('', 'a')}\n\`\`\`python\nb`, 'a'],
    ['an empty block', '```python\n```', ''],
  ])('takes %s', (_, text, code) => {
    expect(extractCode(text, 'python')).toEqual({ code, type: 'fenced' });
  });

  it('takes a block that is never closed', () => {
    expect(extractCode('x\n```python\na\nb', 'python')).toEqual({
      code: 'a\nb',
      type: 'incomplete_fenced',
    });
  });

  it('takes the first definition of plain Python, with what stands right before it', () => {
    const text =
      'Sure:\n\nimport re\n# note\n\ndef f(x):\n\n    return x\n\nThat is it.\ndef g():\n  1\n';
    expect(extractCode(text, 'python')).toEqual({
      code: 'import re\n# note\ndef f(x):\n    return x\n',
      type: 'heuristic',
    });
  });

  it('takes all of plain Bash', () => {
    expect(extractCode('\necho 1\n\necho 2', 'bash')).toEqual({
      code: 'echo 1\necho 2\n',
      type: 'heuristic',
    });
  });

  it.each([
    ['python', 'def f(x): return x'],
    ['python', 'no code'],
    ['bash', ' \n'],
    ['cpp', 'int main() {}'],
    ['python', '```python'],
  ])('finds none in %s: %j', (language, text) => {
    expect(extractCode(text, language)).toEqual({ code: '', type: 'empty' });
  });

  it('is linear in the text', () => {
    const many = '```\n```x'.repeat(100_000);
    expect(extractCode(many, 'python').type).toBe('fenced');
    expect(extractCode(`${'```'.repeat(300_000)}\n`, 'python').type).toBe('incomplete_fenced');
    expect(extractCode(`\`\`\`\nx${'```'.repeat(300_000)}`, 'python').type).toBe(
      'incomplete_fenced',
    );
    expect(extractCode('import a\n'.repeat(300_000), 'python').type).toBe('empty');
  });
});

it('knows languages by what fences call them', () => {
  expect(['C++', 'JS', ' Python ', 'rs', 'Kotlin'].map(languageName)).toEqual([
    'cpp',
    'nodejs',
    'python',
    'rust',
    'kotlin',
  ]);
});

it('cuts at the first of the marks', () => {
  expect(cutAt('abcd', 'c', 'b', 'x')).toBe('a');
  expect(cutAt('abcd')).toBe('abcd');
});
