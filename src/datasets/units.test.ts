/** Limits in the units of their sources. */
import { describe, expect, it } from 'vitest';

import { parseExactJSON } from './decode/exact-json.ts';
import { toMemoryLimitBytes, toTimeLimitMs } from './units.ts';

describe('toTimeLimitMs', () => {
  it.each([
    [1.5, 1500],
    [parseExactJSON('1.50'), 1500],
    [{ seconds: 1, nanos: 500000000 }, 1500],
    [{ seconds: 2 }, 2000],
    ['1.5 seconds', 1500],
    ['1,5 sec.', 1500],
    ['1500 ms', 1500],
    ['1500ms', 1500],
    ['2', 2000],
    ['2.0 s', 2000],
    ['1 minute', 60_000],
    [0.0004, 1],
    [0.3, 300],
    [null, null],
    [undefined, null],
    ['', null],
    [0, null],
    [{ seconds: 0, nanos: 0 }, null],
    ['soon', 'unreadable'],
    ['2 fortnights', 'unreadable'],
    ['2 constructor', 'unreadable'],
    ['0.5 - 1.5 seconds', 'unreadable'],
    [-1, 'unreadable'],
    [[1], 'unreadable'],
    [{ seconds: 'x' }, 'unreadable'],
    ['9'.repeat(100), 'unreadable'],
  ])('reads %j as %s', (given, expected) => {
    expect(toTimeLimitMs(given)).toBe(expected);
  });
});

describe('toMemoryLimitBytes', () => {
  it.each([
    [256, 'mb', 268435456],
    [parseExactJSON('256.0'), 'mb', 268435456],
    [268435456, 'bytes', 268435456],
    [262144, 'kb', 268435456],
    ['256 megabytes', 'bytes', 268435456],
    ['256 MB', 'mb', 268435456],
    ['256', 'mb', 268435456],
    ['262144 kilobytes', 'mb', 268435456],
    ['0.25 GB', 'mb', 268435456],
    ['1.0 gigabytes', 'mb', 1073741824],
    [null, 'mb', null],
    ['lots', 'mb', 'unreadable'],
  ] as const)('reads %j in %s as %s', (given, unit, expected) => {
    expect(toMemoryLimitBytes(given, unit)).toBe(expected);
  });
});
