/** JSON values compared as they are written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareJson, compareResult } from './compare-json.ts';

const FLOAT = { abs: 1e-6, rel: 1e-6 };

describe('compareJson', () => {
  const same: [string, string][] = [
    ['1', '1.0'],
    ['100', '1e2'],
    ['0', '-0'],
    ['-0.0', '0e5'],
    ['12345678901234567890', '12345678901234567890'],
    ['[1, {"a": [true, null]}]', '[1,{"a":[true,null]}]'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['"\\u00fc"', '"ü"'],
    ['0.1', '1e-1'],
  ];
  it.each(same)('%s is %s', (a, b) => {
    expect(compareJson(a, b, null)).toEqual({ equal: true, message: '' });
  });

  const different: [string, string, RegExp][] = [
    ['9007199254740993', '9007199254740992', /expected 9007199254740993/],
    ['1', 'true', /got no number/],
    ['1', '"1"', /got no number/],
    ['true', '1', /expected true, got 1/],
    ['[1,2]', '[1]', /2 items, got 1/],
    ['[[1],[2]]', '[[1],[3]]', /^result\[1\]\[0\]: expected 2, got 3/],
    ['{"a":1}', '{"a":1,"b":1}', /fields differ/],
    ['{"a":1}', '{"b":1}', /fields differ/],
    ['{}', '[]', /expected an object/],
    ['null', '', /not JSON/],
    ['0.3', '0.30000000000000004', /expected 0.3/],
    ['1', '1e999999999999999999999', /expected 1/],
    ['1', 'NaN', /not JSON/],
  ];
  it.each(different)('%s is not %s', (a, b, message) => {
    const found = compareJson(a, b, null);
    expect(found.equal).toBe(false);
    expect(found.message).toMatch(message);
  });

  it('allows a tolerance where a float is expected, and there only', () => {
    expect(compareJson('0.3', '0.30000000000000004', FLOAT).equal).toBe(true);
    expect(compareJson('3', '3.0000001', FLOAT).equal).toBe(false);
    expect(compareJson('1000000.0', '1000001', FLOAT).equal).toBe(true);
  });

  it('is not killed by depth', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(compareJson('[]', deep, null).equal).toBe(false);
    expect(compareJson(deep.slice(0, 0) || '[[]]', '[[]]', null).equal).toBe(true);
  });

  it('reads long numbers in linear time', () => {
    const long = `1${'0'.repeat(2_000_000)}1`;
    expect(compareJson('1', long, FLOAT).equal).toBe(false);
    expect(compareJson(long, `${long}.${'0'.repeat(2_000_000)}`, null).equal).toBe(true);
    expect(compareJson('0.5', `0.5${'0'.repeat(2_000_000)}1`, FLOAT).equal).toBe(false);
  });

  const lines: [string, boolean][] = [
    ['\n8\n', true],
    ['noise\n8', true],
    ['8\n', false],
    ['8', false],
    ['', false],
    ['\n8\n9\n', false],
    ['\n8 8\n', false],
  ];
  it.each(lines)('takes the last line of %j, which is not the first', (output, isRight) => {
    const [expected, actual] = [Buffer.from('8'), Buffer.from(output)];
    expect(compareResult(expected, actual, null).equal).toBe(isRight);
  });

  it('finds every value equal to itself, and to no other', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [x, y] = [JSON.stringify(a), JSON.stringify(b)];
        expect(compareJson(x, x, null).equal).toBe(true);
        if (x !== y && typeof a !== 'object') expect(compareJson(x, y, null).equal).toBe(false);
      }),
    );
  });
});
