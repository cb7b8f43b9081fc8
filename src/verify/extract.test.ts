/** Extraction of programs from answers, as a table; hostile answers must cost linear time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DEFAULT_EXTRACT, type ExtractOptions } from '../domain/submission.ts';
import { extractCode, type Extraction } from './extract.ts';
import { tagOf } from './fence-lines.ts';

const PYTHON = { id: 'python', aliases: ['py', 'python3'], fenceTags: ['ipython'] };
const CPP = { id: 'cpp', aliases: ['c++', 'cc'], fenceTags: [] };

function extract(
  text: string,
  options: Partial<ExtractOptions> = {},
  language: typeof PYTHON = PYTHON,
): Extraction {
  return extractCode(text, { language, options: { ...DEFAULT_EXTRACT, ...options } });
}

/** Lines joined, each with its line feed. */
const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');

describe('one block', () => {
  it.each<[string, string, string]>([
    ['a tagged block', lines('Sure:', '```python', 'print(1)', '```', 'Done.'), 'print(1)\n'],
    ['an untagged block', lines('```', 'print(1)', '```'), 'print(1)\n'],
    ['tildes', lines('~~~python', 'print(1)', '~~~'), 'print(1)\n'],
    ['an upper-case tag', lines('```Python', 'x', '```'), 'x\n'],
    ['an alias', lines('```py', 'x', '```'), 'x\n'],
    ['a fence tag', lines('```ipython', 'x', '```'), 'x\n'],
    ['attributes', lines('```{.python .numberLines}', 'x', '```'), 'x\n'],
    ['braces', lines('```{python}', 'x', '```'), 'x\n'],
    ['a title', lines('```python3 title="x"', 'x', '```'), 'x\n'],
    ['a file name', lines('```python:main.py', 'x', '```'), 'x\n'],
    ['a space before the tag', lines('``` python', 'x', '```'), 'x\n'],
    ['a longer closing fence', lines('```python', 'x', '`````'), 'x\n'],
    ['a shorter fence inside', lines('````python', '"""', '```', '"""', '````'), '"""\n```\n"""\n'],
    ['the other fence inside', lines('```python', '~~~', '```'), '~~~\n'],
    [
      'three columns of indentation',
      lines('   ```python', '   if x:', '     y', '   ```'),
      'if x:\n  y\n',
    ],
    ['content left of its fence', lines('  ```python', 'a', '   b', '  ```'), 'a\n b\n'],
    [
      'a fence in a list',
      lines('1. Do:', '', '   ```python', '   x', '     y', '   ```'),
      'x\n  y\n',
    ],
    [
      'a fence deep in a list',
      lines('- a', '  - b', '', '        ```python', '        x', '        ```'),
      'x\n',
    ],
    ['a fence behind a marker', lines('- ```python', '  x', '  ```'), 'x\n'],
    [
      'a closing fence left of its opening one',
      lines('1. a', '   ```python', '   x', '```', 'prose'),
      'x\n',
    ],
    ['a tab as indentation', lines('- a', '\t```python', '\tx', '\t\ty', '\t```'), 'x\n\ty\n'],
    ['a closing fence with spaces behind', lines('```python', 'x', '```  \t'), 'x\n'],
    ['an unclosed block', '```python\nprint(1)\nprint(2)', 'print(1)\nprint(2)'],
    ['a block without a final line feed', '```python\nx\n```', 'x\n'],
    ['CRLF', '```python\r\nprint(1)\r\n```\r\nDone', 'print(1)\r\n'],
    ['no CR in the tag', '```py\r\nx\n```', 'x\n'],
    [
      'a fence with text behind is content',
      lines('```python', 'x = """', '``` not', '"""', '```'),
      'x = """\n``` not\n"""\n',
    ],
    [
      'an indented fence in a docstring',
      lines('```python', '    ```', '    x', '    ```', '```'),
      '    ```\n    x\n    ```\n',
    ],
    ['no text but the block', '```python\nx', 'x'],
    ['blank lines', lines('```python', '', 'x', '', '```'), '\nx\n\n'],
    ['any characters', lines('```python', 'print("é\0🙂")', '```'), 'print("é\0🙂")\n'],
    [
      'a block after inline code of three ticks',
      lines('see ```x``` and', '```x``` too', '```py', 'y', '```'),
      'y\n',
    ],
  ])('finds %s', (_name, text, code) => {
    expect(extract(text)).toMatchObject({ code });
  });

  it('reports the tag and the number of blocks', () => {
    const text = lines('```text', 'a', '```', '```PY', 'b', '```', '```', '', '```');
    expect(extract(text)).toEqual({ code: 'b\n', tag: 'py', blocks: 2 });
    expect(extract(lines('```', 'b', '```'))).toEqual({ code: 'b\n', tag: null, blocks: 1 });
  });
});

describe('several blocks', () => {
  const three = lines(
    '```python',
    'one',
    '```',
    '```python',
    'two is long',
    '```',
    '```python',
    'three',
    '```',
  );
  const mixed = lines(
    '```python',
    'code',
    '```',
    'Output:',
    '```',
    '42',
    '```',
    '```cpp',
    'other',
    '```',
  );

  it.each<[string, string, Partial<ExtractOptions>, string]>([
    ['the last', three, {}, 'three\n'],
    ['the first', three, { pick: 'first' }, 'one\n'],
    ['the longest', three, { pick: 'longest' }, 'two is long\n'],
    ['the tagged one before untagged ones', mixed, {}, 'code\n'],
    ['any block without languageMatch', mixed, { languageMatch: false }, 'other\n'],
    [
      'an untagged one when none is tagged',
      lines('```', 'a', '```', '```cpp', 'b', '```'),
      {},
      'a\n',
    ],
    ['one tagged just code', lines('```code', 'a', '```', '```text', 'b', '```'), {}, 'a\n'],
    ['not the empty one at the end', lines('```python', 'a', '```', '```'), {}, 'a\n'],
    ['not the blank one', lines('```python', 'a', '```', '```python', ' ', '```'), {}, 'a\n'],
    [
      'the second of two without a closing fence between',
      lines('```python', 'half', '```python', 'whole', '```'),
      {},
      'whole\n',
    ],
  ])('takes %s', (_name, text, options, code) => {
    expect(extract(text, options)).toMatchObject({ code });
  });

  it('keeps c and c++ apart', () => {
    const text = lines('```c++', 'a', '```', '```c', 'b', '```');
    expect(extract(text, {}, CPP)).toMatchObject({ code: 'a\n', tag: 'c++' });
  });
});

describe('nested fences', () => {
  it.each<[string, string, string]>([
    ['Markdown around code', lines('````markdown', '# T', '```python', 'x', '```', '````'), 'x\n'],
    [
      'Markdown around code with fences of the same length',
      lines('```markdown', '# T', '```python', 'x', '```', '```'),
      'x\n',
    ],
    ['an untagged block around code', lines('````', '```python', 'x', '```', '````'), 'x\n'],
    ['tildes around code', lines('~~~', '```python', 'x', '```', '~~~'), 'x\n'],
    [
      'Markdown in Markdown',
      lines('`````md', '````md', '```py', 'x', '```', '````', '`````'),
      'x\n',
    ],
    [
      'code around Markdown stays code',
      lines('````python', 'd = """', '```python', 'y', '```', '"""', '````'),
      'd = """\n```python\ny\n```\n"""\n',
    ],
  ])('handles %s', (_name, text, code) => {
    expect(extract(text)).toMatchObject({ code });
  });
});

describe('thinking', () => {
  const good = lines('```python', 'good', '```');
  const bad = lines('```python', 'bad', '```');

  it.each<[string, string]>([
    ['<think>', `<think>\n${bad}</think>\n${good}`],
    ['<thinking>', `<thinking>\n${bad}</thinking>\n${good}`],
    ['<reasoning>', `<reasoning>${bad}</reasoning>${good}`],
    ['upper case', `<THINK>\n${bad}</Think>\n${good}`],
    ['a closing tag only', `${bad}so\n</think>\n${good}`],
    ['a closing tag behind an open fence', `\`\`\`python\nbad\n</think>\n${good}`],
    ['an open fence inside', `<think>\n\`\`\`python\nbad\n</think>\n${good}`],
    ['a fence right behind the tag', `<think>x</think>${good}`],
    ['a longer fence inside', `<think>\n\`\`\`\`\`python\nbad\n</think>\n${good}`],
    ['two sections', `<think>\n${bad}</think>\n<think>${bad}</think>\n${good}`],
    ['thinking after the answer', `${good}\n<think>\n${bad}</think>\n`],
    ['unclosed thinking after the answer', `${good}\n<think>\n${bad}`],
    ['a section with the tag in it', `<think>the <think> tag\n${bad}</think>${good}`],
    ['a stray closing tag', `<think>a</think>\n${bad}</think>\n${good}`],
    ['another tag inside', `<think>\n<reasoning>\n${bad}</think>\n${good}`],
    ['a tag in quotes', `Use \`<think>\` tags.\n${good}`],
  ])('leaves out %s', (_name, text) => {
    expect(extract(text, { pick: 'last' })).toMatchObject({ code: 'good\n' });
    expect(extract(text, { pick: 'first' })).toMatchObject({ code: 'good\n' });
  });

  it('leaves tags in code alone', () => {
    const code = 'print(re.sub("<think>.*</think>", "", s))\n<think>\n';
    expect(extract(`\`\`\`python\n${code}\`\`\`\n`)).toMatchObject({ code });
  });

  it('keeps thinking when asked to', () => {
    expect(extract(`<think>\n${bad}`, { stripThinking: false })).toMatchObject({ code: 'bad\n' });
  });

  it('finds no code in an answer that is thinking to its end', () => {
    expect(extract(`<think>\n${bad}`)).toMatchObject({ code: null });
  });
});

describe('no code', () => {
  it.each([
    ['prose', 'The answer is 42.', 'the answer has no code block'],
    ['nothing', '', 'the answer has no code block'],
    ['inline code', 'Use `print(1)` or ```print(2)```.', 'the answer has no code block'],
    ['raw code', 'print(1)\n', 'the answer has no code block'],
    [
      'an indented code block',
      'a\n\n    ```python\n    x\n    ```\n',
      'the answer has no code block',
    ],
    ['two ticks', '``python\nx\n``', 'the answer has no code block'],
    ['an empty block', '```python\n\n```', 'the code block is empty'],
    ['an unclosed empty block', '```python', 'the code block is empty'],
    [
      'another language',
      '```cpp\nx\n```\n```js\ny\n```',
      'no code block is tagged python (tags found: cpp, js)',
    ],
  ])('%s', (_name, text, reason) => {
    expect(extract(text)).toEqual({ code: null, reason });
  });
});

describe('tagOf', () => {
  it.each([
    ['', null],
    ['python', 'python'],
    ['C++', 'c++'],
    ['c#', 'c#'],
    ['{.py}', 'py'],
    ['js{1,3}', 'js'],
    ['python,linenos', 'python'],
    ['{}', null],
  ])('reads %j as %j', (info, tag) => {
    expect(tagOf(info)).toBe(tag);
  });
});

describe('hostile answers', () => {
  const MEGABYTES = 5_000_000;
  const repeat = (piece: string): string => piece.repeat(Math.ceil(MEGABYTES / piece.length));

  it.each([
    '`',
    '~',
    '```\n',
    '````\n```\n',
    '```python\n',
    '```python\nx\n',
    '<think>',
    '</think>',
    '<think></think>',
    '<think></think>```x',
    '<think>`',
    '`<think>',
    '</think>\n```\n',
    '<',
    '<think',
    '- ',
    '1. ',
    '- ```\n',
    ' ',
    '\t',
    '\r',
    '\n',
    '~~~\n```\n',
    '```md\n~~~md\n',
    'a`b ',
    '```{',
    '``` ',
  ])(
    'costs linear time: 5 MB of %j',
    (piece) => {
      const text = repeat(piece);
      const since = process.cpuUsage();
      extract(text);
      extract(`\`\`\`\`md\n${text}`, { pick: 'longest' });
      // A quadratic scan of 5 MB would take hours; CPU time, so that a busy machine does not matter.
      expect(process.cpuUsage(since).user / 1000).toBeLessThan(15_000);
    },
    120_000,
  );

  it('never throws, and only ever returns text of the answer', () => {
    const piece = fc.constantFrom(
      '```',
      '````',
      '~~~',
      'python',
      '\n',
      '\r\n',
      ' ',
      '    ',
      '<think>',
      '</think>',
      'x',
      '- ',
      '`',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const found = extract(pieces.join(''));
        if (found.code !== null) expect(found.code.trim()).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('returns any code that is fenced with a long enough fence unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        fc.pre(body.trim() !== '');
        const fence = '`'.repeat(body.length + 3);
        expect(extract(`${fence}python\n${body}\n${fence}\n`)).toMatchObject({ code: `${body}\n` });
      }),
    );
  });
});
