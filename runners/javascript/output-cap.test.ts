/** The cap of a run's output, to the byte. */
import { describe, expect, it } from 'vitest';

import { OutputCap } from './output-cap.ts';

describe('OutputCap', () => {
  it('takes as many bytes as the cap', () => {
    const output = new OutputCap(4);
    output.add('stdout', 'ab');
    output.add('stdout', 'é');
    expect(output.isOver).toBe(false);
    expect(output.bytes('stdout').toString()).toBe('abé');
  });

  it('keeps one byte more, and then nothing', () => {
    const output = new OutputCap(4);
    output.add('stderr', 'abcdefgh');
    output.add('stderr', 'more');
    expect(output.isOver).toBe(true);
    expect(output.bytes('stderr')).toHaveLength(5);
    expect(output.bytes('stdout')).toHaveLength(0);
  });
});
