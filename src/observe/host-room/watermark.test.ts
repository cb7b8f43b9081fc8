/** When a host is full: both the share and what is free must say so, and it takes more to be no longer full. */
import { describe, expect, it } from 'vitest';

import { isFull, jailShare, usedPercent, type Watermark } from './watermark.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const MARK: Watermark = { percent: 80, enoughBytes: GIB };

const of = (totalBytes: number, usedShare: number) => ({
  totalBytes,
  freeBytes: totalBytes * (1 - usedShare),
});

describe('a watermark', () => {
  it.each([
    ['small and below', of(4 * GIB, 0.799), false],
    ['small and above', of(4 * GIB, 0.801), true],
    ['a laptop, nine tenths full', of(500 * GIB, 0.9), false],
    ['a laptop with less than enough left', of(500 * GIB, 0.999), true],
    ['with just enough left', { totalBytes: 100 * GIB, freeBytes: GIB }, false],
    ['with a byte less', { totalBytes: 100 * GIB, freeBytes: GIB - 1 }, true],
    ['with nothing left', { totalBytes: GIB, freeBytes: 0 }, true],
    ['a file system that tells no size', { totalBytes: 0, freeBytes: 0 }, false],
  ])('%s', (_, reading, expected) => {
    expect(isFull(reading, MARK, false)).toBe(expected);
  });

  it.each([
    ['above where it became full', of(4 * GIB, 0.81), true],
    ['just below it', of(4 * GIB, 0.78), true],
    ['five points below it', of(4 * GIB, 0.749), false],
    [
      'large, with a little more than enough free',
      { totalBytes: 100 * GIB, freeBytes: 1.2 * GIB },
      true,
    ],
    [
      'large, with a quarter more than enough free',
      { totalBytes: 100 * GIB, freeBytes: 1.25 * GIB },
      false,
    ],
  ])('once full, %s', (_, reading, expected) => {
    expect(isFull(reading, MARK, true)).toBe(expected);
  });

  it('never stops anything where nothing at all is enough', () => {
    const off = { percent: 1, enoughBytes: 0 };
    expect(isFull({ totalBytes: GIB, freeBytes: 0 }, off, false)).toBe(false);
    expect(isFull({ totalBytes: GIB, freeBytes: 0 }, off, true)).toBe(false);
  });

  it('counts no more than all, and no less than nothing', () => {
    expect(usedPercent({ totalBytes: 10, freeBytes: 20 })).toBe(0);
    expect(usedPercent({ totalBytes: 10, freeBytes: -5 })).toBe(100);
  });
});

describe('the memory of all jails', () => {
  const mark = { percent: 80, enoughBytes: 512 * MIB };

  it.each([
    [64 * 1024, 0.85 * 64 * 1024],
    [8192, 0.85 * 8192],
    [4096, 4096 - 512 - 256],
    [2048, 0.8 * 2048 - 256],
    [1024, 0.8 * 1024 - 256],
    [512, 0.8 * 512 - 128],
  ])('of %i MiB is %f MiB', (total, expected) => {
    expect(jailShare(total * MIB, mark)).toBe(Math.floor(expected * MIB));
  });

  it('does not fill the host together with the service', () => {
    for (let total = 256; total <= 16_384; total += 64) {
      const rest = Math.min(255, total * 0.24);
      const used = jailShare(total * MIB, mark) + rest * MIB;
      const reading = { totalBytes: total * MIB, freeBytes: total * MIB - used };
      expect(isFull(reading, mark, false), `${total} MiB`).toBe(false);
    }
  });

  it('follows the watermark, and goes without where there is none', () => {
    const total = 4096 * MIB;
    const shareAlone = jailShare(total, { percent: 80, enoughBytes: 1_000_000 * MIB });
    expect(shareAlone).toBe(Math.floor(0.8 * total - 256 * MIB));
    expect(jailShare(total, { percent: 80, enoughBytes: 0 })).toBe(Math.floor(0.85 * total));
    expect(jailShare(256 * MIB, { percent: 1, enoughBytes: 1024 * MIB })).toBe(0);
  });
});
