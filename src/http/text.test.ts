/** Bytes as text: what is kept and what is replaced. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toText } from './text.ts';

describe('toText', () => {
  it('gives every text back, byte order mark and all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toText(Buffer.from(text))).toEqual({ text, base64: null });
      }),
    );
    expect(toText(Buffer.from('\ufeffa')).text).toBe('\ufeffa');
  });

  it.each([
    ['a lone byte', [0xff], '\ufffd'],
    ['two of them', [0xff, 0xfe], '\ufffd\ufffd'],
    ['a character cut short', [0xe2, 0x82], '\ufffd'],
    ['an overlong form', [0xc0, 0x80], '\ufffd\ufffd'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  ])('replaces %s as Python does, and keeps the bytes', (_, bytes, text) => {
    expect(toText(Uint8Array.from(bytes))).toEqual({
      text,
      base64: Buffer.from(bytes).toString('base64'),
    });
  });
});
