/** Joining chunks: the same bytes for any cut, and few objects for many small chunks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ByteList } from './byte-list.ts';

describe('byte list', () => {
  it('joins chunks of any sizes in order, once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20_000 }), { maxLength: 12 }), (sizes) => {
        const list = new ByteList();
        const chunks = sizes.map((size, index) => Buffer.alloc(size, index + 1));
        for (const chunk of chunks) list.append(chunk);
        const whole = Buffer.concat(chunks);
        expect(list.length).toBe(whole.length);
        expect(Buffer.compare(list.join(), whole)).toBe(0);
        expect(list.join()).toHaveLength(0);
      }),
    );
  });

  it('does not keep a view of a small chunk', () => {
    const list = new ByteList();
    const chunk = Buffer.from('abc');
    list.append(chunk);
    chunk.fill(0);
    expect(Buffer.from(list.join()).toString()).toBe('abc');
  });
});
