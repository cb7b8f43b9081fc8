/** Where bytes of text may be cut. */
import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutBytes } from './cut-bytes.ts';

describe('cutBytes', () => {
  it('splits no character and drops fewer than four bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, max) => {
        const bytes = Buffer.from(text);
        const cut = cutBytes(bytes, max);
        expect(isUtf8(cut)).toBe(true);
        expect(cut.byteLength).toBeLessThanOrEqual(max);
        expect(cut.byteLength).toBeGreaterThan(Math.min(bytes.byteLength, max) - 4);
      }),
    );
  });

  it('cuts bytes that are no text where it is told', () => {
    expect(cutBytes(new Uint8Array(10).fill(0x80), 7)).toHaveLength(7);
  });
});
