/** Work folders on the wire: what is sent, what comes back, and everything that a supervisor would not send. */
import { describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import { ByteWriter } from '../lib/binary.ts';
import { TREE_CONTINUED, TREE_MORE } from './frame.ts';
import { TreeCapture, encodeEntry } from './tree.ts';

const KIND = { end: 0, file: 1, folder: 2, link: 3, special: 4 } as const;

interface Part {
  readonly kind: keyof typeof KIND;
  readonly path?: string | Uint8Array;
  readonly mode?: number;
  readonly rest?: string | Uint8Array;
}

function part({ kind, path = '', mode = 0, rest = '' }: Part, flags = 0) {
  const [name, tail] = [Buffer.from(path), Buffer.from(rest)];
  const head = new ByteWriter().u8(KIND[kind]).u16(mode).u64(7).u16(name.length);
  return { type: 0x89, id: 1, flags, payload: head.bytes(name).bytes(tail).finish() };
}
const rest = (text: string, flags: number) => ({
  type: 0x89,
  id: 1,
  flags,
  payload: Buffer.from(text),
});

function capture(
  frames: readonly ReturnType<typeof part>[],
  bounds = { bytesMax: 8, entriesMax: 3 },
) {
  const tree = new TreeCapture(bounds);
  for (const frame of frames) tree.take(frame);
  return tree.finish();
}

describe('a work folder that comes back', () => {
  it('is whole with its end, in pieces or not', () => {
    const tree = capture([
      part({ kind: 'folder', path: 'a', mode: 0o700 }),
      part({ kind: 'file', path: 'a/b', mode: 0o644, rest: 'one' }, TREE_MORE),
      rest('two', TREE_CONTINUED),
      part({ kind: 'link', path: 'l', mode: 0o777, rest: 'a/b' }),
      part({ kind: 'end' }),
    ]);
    expect(tree?.problem).toBeNull();
    expect(tree?.entries).toEqual([
      { kind: 'folder', path: 'a', mode: 0o700, mtimeUs: 7 },
      {
        kind: 'file',
        path: 'a/b',
        mode: 0o644,
        mtimeUs: 7,
        content: Uint8Array.from(Buffer.from('onetwo')),
      },
      { kind: 'link', path: 'l', mtimeUs: 7, target: 'a/b' },
    ]);
  });

  it('is null where none came, and names what is dropped', () => {
    expect(capture([])).toBeNull();
    const tree = capture([part({ kind: 'special', path: 'fifo' }), part({ kind: 'end' })]);
    expect(tree).toMatchObject({ problem: null, entries: [], dropped: ['fifo'], droppedCount: 1 });
  });

  it.each([
    [1, 'too_many'],
    [2, 'too_large'],
    [3, 'too_deep'],
  ])('ends with %s as %s', (mode, problem) => {
    expect(capture([part({ kind: 'end', mode })])?.problem).toBe(problem);
  });

  it.each([
    part({ kind: 'file', path: Uint8Array.of(0xff) }),
    part({ kind: 'link', path: 'l', rest: Uint8Array.of(0xff) }),
  ])('has a bad name where one is not UTF-8', (frame) => {
    expect(capture([frame, part({ kind: 'end' })])?.problem).toBe('bad_name');
  });

  it.each([
    ['a path that leaves the folder', [part({ kind: 'file', path: '../x' })]],
    ['an absolute path', [part({ kind: 'folder', path: '/x' })]],
    ['no path', [part({ kind: 'file' })]],
    ['a mode with more bits', [part({ kind: 'file', path: 'x', mode: 0o4755 })]],
    ['a link to nothing', [part({ kind: 'link', path: 'x' })]],
    ['more of a folder', [part({ kind: 'folder', path: 'x' }, TREE_MORE)]],
    ['a rest without a beginning', [rest('x', TREE_CONTINUED)]],
    [
      'a beginning without its rest',
      [part({ kind: 'file', path: 'x' }, TREE_MORE), part({ kind: 'end' })],
    ],
    ['more bytes than the cap', [part({ kind: 'file', path: 'x', rest: '123456789' })]],
    ['an end of no kind', [part({ kind: 'end', mode: 9 })]],
    ['an end with a name', [part({ kind: 'end', path: 'x' })]],
    ['something after the end', [part({ kind: 'end' }), part({ kind: 'end' })]],
    ['no end', [part({ kind: 'folder', path: 'x' })]],
    [
      'more entries than asked for',
      ['a', 'b', 'c', 'd'].map((path) => part({ kind: 'folder', path })),
    ],
  ])('is a fault with %s', (_, frames) => {
    expect(() => capture(frames)).toThrow(Fault);
  });
});

describe('a work folder that is sent', () => {
  it.each([
    { kind: 'folder', path: '../x', mode: 0, mtimeUs: 0 } as const,
    { kind: 'folder', path: 'x', mode: 0o1000, mtimeUs: 0 } as const,
    { kind: 'link', path: 'x', mtimeUs: 0, target: 'a'.repeat(4096) } as const,
    { kind: 'link', path: 'x', mtimeUs: 0, target: 'a\0b' } as const,
  ])('has only what the supervisor takes', (entry) => {
    expect(() => encodeEntry(entry)).toThrow(RangeError);
  });
});
