/** Splitting bytes into lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readLines } from './ndjson.ts';

async function linesOf(
  chunks: readonly string[],
  maxBytes = 100,
): Promise<readonly (readonly [number, string | null])[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: [number, string | null][] = [];
  for await (const { number, bytes } of readLines(source(), maxBytes)) {
    lines.push([number, bytes === null ? null : Buffer.from(bytes).toString()]);
  }
  return lines;
}

describe('readLines', () => {
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
