/** Frames of several channels on one pipe: whole however they are cut, and refused where they are none. */
import { describe, expect, it } from 'vitest';

import { encodeFrame, FrameReader, WINDOW_BYTES } from './frames.ts';

const data = Buffer.from('hello');

describe('frames', () => {
  it.each([1, 3, 4, 7, 1000])('are read from pieces of %i bytes', (size) => {
    const bytes = Buffer.concat([
      encodeFrame(1, 'data', { data }),
      encodeFrame(0, 'credit', { credit: 513 }),
      encodeFrame(0, 'data', { data: Buffer.alloc(0) }),
      encodeFrame(2, 'end'),
    ]);
    const reader = new FrameReader(3);
    const frames = [];
    for (let at = 0; at < bytes.length; at += size)
      frames.push(...reader.push(bytes.subarray(at, at + size)));
    expect(frames.map(({ data: got, ...rest }) => ({ ...rest, text: String(got) }))).toEqual([
      { channel: 1, kind: 'data', length: 5, text: 'hello' },
      { channel: 0, kind: 'credit', length: 513, text: '' },
      { channel: 0, kind: 'data', length: 0, text: '' },
      { channel: 2, kind: 'end', length: 0, text: '' },
    ]);
  });

  it('hold a window at most', () => {
    const full = encodeFrame(0, 'data', { data: Buffer.alloc(WINDOW_BYTES) });
    expect(new FrameReader(1).push(full)).toHaveLength(1);
    expect(() => new FrameReader(1).push(Buffer.from([0, 2, 1, 128]))).toThrow('interactor failed');
  });

  it.each([
    ['a channel that there is not', [3, 0, 0, 0]],
    ['a kind that there is not', [0, 3, 0, 0]],
    ['text', [...Buffer.from('1.0\n')]],
  ])('%s is refused', (_what, bytes) => {
    expect(() => new FrameReader(3).push(Buffer.from(bytes))).toThrow('interactor failed');
  });
});
