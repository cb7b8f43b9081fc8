/** The bound of the stack, as the kernel prints it. */
import { describe, expect, it } from 'vitest';

import { readStackBound, stackBoundOf } from './stack-bound.ts';

const line = (hard: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax cpu time              unlimited            unlimited            seconds   \nMax stack size            8388608              ${hard.padEnd(20)} bytes     \n`;

describe('stackBoundOf', () => {
  it('is the hard limit', () => {
    expect(stackBoundOf(line('16777216'))).toBe(16_777_216);
  });

  it.each([line('unlimited'), ''])('is null without one', (text) => {
    expect(stackBoundOf(text)).toBeNull();
  });

  it('is read of a process', async () => {
    const bound = await readStackBound(process.pid);
    expect(bound === null || bound > 0).toBe(true);
    await expect(readStackBound(null)).resolves.toBeNull();
  });
});
