/** Splitting bytes into lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createByteBudget, type ByteBudget } from '../middleware/body/byte-budget.ts';
import { createLineReader, type Line } from './ndjson.ts';

async function* sourceOf(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function linesOf(
  chunks: readonly string[],
  maxBytes = 100,
): Promise<readonly (readonly [number, string | null])[]> {
  const budget = createByteBudget(1_000_000);
  const reader = createLineReader(sourceOf(chunks), { maxBytes, budget });
  const lines: [number, string | null][] = [];
  for await (const { number, bytes, release } of reader.lines) {
    lines.push([number, bytes === null ? null : Buffer.from(bytes).toString()]);
    release();
  }
  expect(budget.held).toBe(0);
  expect(reader.isInLine()).toBe(false);
  return lines;
}

describe('createLineReader', () => {
  it.each<[string, readonly string[], readonly (readonly [number, string | null])[]]>([
    ['no bytes', [], []],
    [
      'a last line without end',
      ['a\nb'],
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['a last line with end', ['a\n'], [[1, 'a']]],
    [
      'CRLF',
      ['a\r\nb\r\n'],
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'blank lines, counted',
      ['\n\n a\n \t\r\n', '\nb\n'],
      [
        [3, ' a'],
        [6, 'b'],
      ],
    ],
    [
      'chunks that split lines and ends',
      ['a', 'b\r', '\nc', '', 'd\n'],
      [
        [1, 'ab'],
        [2, 'cd'],
      ],
    ],
    [
      'many lines in a chunk',
      ['1\n2\n3\n'],
      [
        [1, '1'],
        [2, '2'],
        [3, '3'],
      ],
    ],
  ])('%s', async (_, chunks, expected) => {
    expect(await linesOf(chunks)).toEqual(expected);
  });

  it('takes a line of the limit, and gives one beyond it without bytes', async () => {
    expect(await linesOf(['abcd\nabcde\nx\n'], 4)).toEqual([
      [1, 'abcd'],
      [2, null],
      [3, 'x'],
    ]);
    expect(await linesOf(['ab', 'cd', 'e', 'f\nx'], 4)).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    expect(await linesOf(['x\n', 'abcde'], 4)).toEqual([
      [1, 'x'],
      [2, null],
    ]);
  });

  it('gives the same lines however the bytes arrive', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', ' ') });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(5)), async (whole, sizes) => {
        const chunks: string[] = [];
        let rest = whole;
        for (const size of sizes) {
          chunks.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        expect(await linesOf([...chunks, rest], 4)).toEqual(await linesOf([whole], 4));
      }),
    );
  });
});

describe('the budget', () => {
  async function drained(chunks: readonly string[], budget: ByteBudget): Promise<Line[]> {
    const lines: Line[] = [];
    const reader = createLineReader(sourceOf(chunks), { maxBytes: 100, budget });
    for await (const line of reader.lines) lines.push(line);
    return lines;
  }

  it('holds a line until it is released', async () => {
    const budget = createByteBudget(16);
    const [first, second] = await drained(['abcdefgh\n', 'ijkl\n'], budget);
    expect(budget.held).toBe(12);
    first?.release();
    second?.release();
    expect(budget.held).toBe(0);
  });

  it('drops a line that it has no room for, and goes on', async () => {
    const budget = createByteBudget(8);
    const lines = await drained(['abcd', 'efghijkl\n', 'x\n'], budget);
    expect(lines.map(({ dropped }) => dropped)).toEqual(['no_memory', null]);
    expect(budget.held).toBe(1);
  });

  it('gets back what an unfinished line held', async () => {
    const budget = createByteBudget(16);
    const reader = createLineReader(sourceOf(['x\nabc', 'def']), { maxBytes: 100, budget });
    const first = await reader.lines.next();
    expect(first.value).toMatchObject({ number: 1 });
    await reader.lines.return(undefined);
    expect(budget.held).toBe(1);
  });
});
