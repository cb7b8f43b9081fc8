/** Numbers in strings, and that their length is bounded. */
import { describe, expect, it } from 'vitest';

import { readFloat, readInteger } from './number-text.ts';

describe('readFloat', () => {
  it.each([
    ['10', 10],
    [' 2.5\n', 2.5],
    ['+1_000.5', 1000.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-1e3', -1000],
    [`${'0'.repeat(127)}1`, 1],
  ])('reads %j', (text, number) => {
    expect(readFloat(text)).toBe(number);
  });

  it.each(['', ' ', '.', '+', 'e5', '1__0', '_1', '1_', '1.2.3', '0x10', 'nan', 'inf', '1e999'])(
    'reads no number in %j',
    (text) => {
      expect(readFloat(text)).toBeNull();
    },
  );

  it('reads none that is longer than any client writes', () => {
    expect(readFloat(`${'0'.repeat(128)}1`)).toBeNull();
    expect(readInteger(`${'0'.repeat(128)}1`)).toBeNull();
  });
});

describe('readInteger', () => {
  it.each([
    ['1024', 1024],
    [' -1 ', -1],
    ['512.00', 512],
  ])('reads %j', (text, number) => {
    expect(readInteger(text)).toBe(number);
  });

  it.each(['', '1.5', '1e3', 'x', '1 2'])('reads no whole number in %j', (text) => {
    expect(readInteger(text)).toBeNull();
  });
});
