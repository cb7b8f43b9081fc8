/** Little-endian records: what is written is read, and nothing beyond the end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BinaryError, ByteReader, ByteWriter } from './binary.ts';

describe('binary records', () => {
  it('come back as they went, whatever capacity they began with', () => {
    const u32 = fc.nat({ max: 0xffff_ffff });
    const fields = fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 65_535 }), u32, fc.maxSafeNat());
    fc.assert(
      fc.property(fields, fc.uint8Array(), fc.nat({ max: 20 }), ([a, b, c, d], tail, capacity) => {
        const writer = new ByteWriter(capacity + 1).u8(a).u16(b).u32(c).u64(d).i32(-a).bytes(tail);
        const reader = new ByteReader(writer.finish());
        expect([reader.u8(), reader.u16(), reader.u32(), reader.u64()]).toEqual([a, b, c, d]);
        expect(reader.i32() + a).toBe(0);
        expect(Buffer.compare(reader.rest(), tail)).toBe(0);
        reader.end();
      }),
    );
  });

  it('do not end early or late', () => {
    const reader = new ByteReader(Buffer.alloc(3));
    expect(() => reader.u32()).toThrow(BinaryError);
    expect(() => new ByteReader(Buffer.alloc(1)).end()).toThrow(BinaryError);
    expect(() => new ByteReader(Buffer.alloc(8, 0xff)).u64()).toThrow(BinaryError);
    expect(() => new ByteWriter().u64(2 ** 53)).toThrow(RangeError);
  });
});
