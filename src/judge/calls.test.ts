/** What generated callers are told of the arguments. */
import { describe, expect, it } from 'vitest';

import { kindsOfArguments } from './calls.ts';

describe('kindsOfArguments', () => {
  it.each([
    [[[1, 'a']], [2, 4]],
    [
      [
        [1, []],
        [true, null],
      ],
      [3, 40],
    ],
    [[[JSON.rawJSON('1.0'), {}]], [2, 16]],
    [[[]], []],
    [[], []],
    [[[1], [1, 2]], [-1]],
  ])('of %j are %j', (calls, kinds) => {
    expect(kindsOfArguments(calls)).toEqual(kinds);
  });
});
