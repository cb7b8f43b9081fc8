/** Whose doing a checker's failure is: what it fails on otherwise came of the output. */
import { describe, expect, it } from 'vitest';

import { isOtherEnd, otherOutputs } from './failure.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const others = (output: string, answer: string | null) => {
  const { outputs, isAnswerKnown } = otherOutputs(
    bytes(output),
    answer === null ? null : bytes(answer),
  );
  return [outputs.map((each) => Buffer.from(each).toString()), isAnswerKnown];
};

const end = (stderr: string, exitCode = 1) =>
  ({ kind: 'exited', exitCode, signal: null, stderr: bytes(stderr) }) as const;

describe('a checker that failed', () => {
  it('is asked about the answer where there is one, else about what is nobody’s', () => {
    expect(others('x', '3\n')).toEqual([['3\n'], true]);
    expect(others('3\n', '3\n')).toEqual([[], true]);
    expect(others('x', null)).toEqual([['', 'assay-no-answer\n'], false]);
    expect(others('', '')).toEqual([['assay-no-answer\n'], false]);
  });
});

describe('an end', () => {
  it.each([
    ['other words', end('b'), end('a')],
    ['another exit code', end('a', 2), end('a')],
    ['a signal', { ...end('a'), kind: 'signalled', signal: 11, exitCode: null } as const, end('a')],
    ['more words', end('a\nb'), end('a')],
    ['none', end(''), end('a')],
    ['some, where there were none', end('a'), end('')],
  ])('is another one by %s', (_, other, one) => {
    expect(isOtherEnd(other, [one, one])).toBe(true);
    expect(isOtherEnd(one, [one, one])).toBe(false);
  });

  it('is none by what differs on one output already', () => {
    const at = (address: string, what = 'KeyError') =>
      end(`Traceback\n  line 3\n${what}: <object at 0x${address}>`);
    expect(isOtherEnd(at('7f03'), [at('7f01'), at('7f02')])).toBe(false);
    expect(isOtherEnd(end('', 2), [end('', 0), end('', 1)])).toBe(false);
    // What is the same there still tells.
    expect(isOtherEnd(end('Traceback\n  line 4\nx'), [at('7f01'), at('7f02')])).toBe(true);
  });
});
