/** Bytes as text: what is kept, what is replaced, and where bytes may be cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutBytes, toText } from './text.ts';

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

describe('cutBytes', () => {
  it('splits no character and drops fewer than four bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, max) => {
        const bytes = Buffer.from(text);
        const cut = cutBytes(bytes, max);
        expect(toText(cut).base64).toBeNull();
        expect(cut.byteLength).toBeLessThanOrEqual(max);
        expect(cut.byteLength).toBeGreaterThan(Math.min(bytes.byteLength, max) - 4);
      }),
    );
  });

  it('cuts bytes that are no text where it is told', () => {
    expect(cutBytes(new Uint8Array(10).fill(0x80), 7)).toHaveLength(7);
  });
});
