/** Bytes as text: what is kept and what is replaced. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutForAnswer, growsWhenEscaped, toText } from './text.ts';

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

describe('cutForAnswer', () => {
  it('keeps as many bytes as fit when escaped, and no part of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(60), (text, max) => {
        const bytes = Buffer.from(text);
        const { text: shown, base64 } = toText(cutForAnswer(bytes, max));
        expect(base64).toBeNull();
        expect(text.startsWith(shown)).toBe(true);
        expect(JSON.stringify(shown).length - 2).toBeLessThanOrEqual(max);
        if (JSON.stringify(text).length - 2 <= max && bytes.length === text.length)
          expect(shown).toBe(text);
      }),
    );
  });
});

describe('growsWhenEscaped', () => {
  it.each([
    ['control characters', '\u0001', true],
    ['letters', 'a', false],
    ['line feeds', '\n', false],
    ['two of three control characters', '\u0001\u0001a', true],
  ])('a long text of %s', (_, piece, grows) => {
    expect(growsWhenEscaped(Buffer.from(piece.repeat(1_100_000)))).toBe(grows);
    expect(growsWhenEscaped(Buffer.from(piece))).toBe(false);
  });
});
