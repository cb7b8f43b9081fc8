/** Whose doing a checker's failure is: what it judges otherwise, or fails on otherwise, came of the output. */
import { describe, expect, it } from 'vitest';

import { isOfTheOutput, otherOutputs, type Asked } from './failure.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const texts = (outputs: readonly Uint8Array[]): string[] =>
  outputs.map((each) => Buffer.from(each).toString());

const failed = (stderr: string, exitCode = 1): Asked => ({
  answer: { kind: 'failed', reason: 'it ended with an uncaught exception' },
  ended: { kind: 'exited', exitCode, signal: null, stderr: bytes(stderr) },
});
const judged: Asked = {
  answer: { kind: 'judged', accepted: false, score: 0, message: '' },
  ended: { kind: 'exited', exitCode: 1, signal: null, stderr: bytes('') },
};

describe('a checker that failed', () => {
  it('is asked about the answer where there is one, else about what is nobody’s', () => {
    expect(texts(otherOutputs(bytes('x'), bytes('3\n')))).toEqual(['3\n']);
    expect(otherOutputs(bytes('3\n'), bytes('3\n'))).toEqual([]);
    expect(texts(otherOutputs(bytes('x'), null))).toEqual(['', 'assay-no-answer\n']);
    expect(texts(otherOutputs(bytes(''), bytes('')))).toEqual(['assay-no-answer\n']);
  });

  it('failed because of the output where it judges another', () => {
    expect(isOfTheOutput(failed('a'), judged, true)).toBe(true);
    expect(isOfTheOutput(failed('a'), judged, false)).toBe(true);
  });

  it('failed by itself where it fails on the answer, however', () => {
    expect(isOfTheOutput(failed('a'), failed('b'), true)).toBe(false);
  });

  it('failed because of the output where others make it fail otherwise, no answer being known', () => {
    expect(isOfTheOutput(failed('a'), failed('b'), false)).toBe(true);
    expect(isOfTheOutput(failed('a', 1), failed('a', 2), false)).toBe(true);
    expect(isOfTheOutput(failed('a'), failed('a'), false)).toBe(false);
  });
});
