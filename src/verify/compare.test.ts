/** Tables and properties of the comparison, each property against a simple reference implementation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { PlainCompare } from '../domain/submission.ts';
import { compareOutput } from './compare.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const verdictOf = (expected: string, actual: string, compare: PlainCompare): boolean =>
  compareOutput(bytes(expected), bytes(actual), compare).equal;
const messageOf = (expected: string, actual: string, compare: PlainCompare): string =>
  compareOutput(bytes(expected), bytes(actual), compare).message;

const TOKENS: PlainCompare = { kind: 'tokens' };
const ANSWERS: PlainCompare = { kind: 'answers' };
const EXACT: PlainCompare = { kind: 'exact' };
const LINES: PlainCompare = { kind: 'lines' };
const FLOAT: PlainCompare = { kind: 'float', abs: 1e-6, rel: 1e-6 };
const ANY_LINES: PlainCompare = { kind: 'unordered', by: 'lines' };
const ANY_TOKENS: PlainCompare = { kind: 'unordered', by: 'tokens' };

/** The pairs of reference/verdict-profiles.md section 4: stdout, expected, strict, lines. */
const MATRIX: readonly [string, string, boolean, boolean][] = [
  ['1 2\n\n', '1 2', true, true],
  [' 1 2\n', '1 2', true, false],
  ['1  2\n', '1 2', true, false],
  ['a  b\n', 'a b', true, false],
  ['1\n\n2\n', '1\n2', true, false],
  ['1 2\n', '1\n2', true, false],
  ['1\n', '1\n2\n3', false, false],
  ['1\n2\n3\n', '1\n2', false, false],
  ['5\n', '\n5', true, true],
  ['1\r\n2\r\n', '1\n2', true, true],
  ['1\n2\n', '1\r\n2\r\n', true, true],
  ['1.0\n', '1.00', false, false],
  ['3.0\n', '3', false, false],
  ['1e3\n', '1000', false, false],
  ['0.3333333\n', '0.333333', false, false],
  ['yes\n', 'YES', false, false],
  ['True\n', 'true', false, false],
  ['YES\n', 'NO', false, false],
  ['a b c\n', 'x y z', false, false],
  ['1000000007\n', '1000000008', false, false],
  ['9007199254740993\n', '9007199254740992', false, false],
  ['2 1\n', '1 2', false, false],
  ['2\n1\n', '1\n2', false, false],
  ['3 3\n', '3', false, false],
  ['21\n', '1 2', false, false],
  ['0.3334\n', '0.3332', false, false],
  ['12', '1\n2', false, false],
];

describe('the pairs that tell graders apart', () => {
  it.each(MATRIX)(
    'judges output %j against %j: tokens %s, lines %s',
    (actual, expected, strict, lines) => {
      expect(verdictOf(expected, actual, TOKENS)).toBe(strict);
      expect(verdictOf(expected, actual, LINES)).toBe(lines);
    },
  );
});

describe('tokens', () => {
  it.each([
    ['', '', true],
    ['', ' \n\t\r\v\f', true],
    ['', 'x', false],
    ['x', '', false],
    ['a\0b', 'a\0b\n', true],
    ['a\0b', 'a b', false],
    ['a\0', 'a', false],
    ['\xff\xfe', '\xff\xfe\n', true],
    ['\xff', '\xfe', false],
    // A no-break space and an em space in UTF-8 are bytes of a token.
    ['a b', 'a\xc2\xa0b', false],
    ['a b', 'a\xe2\x80\x83b', false],
    ['a\x1cb', 'a b', false],
    ['a\x85b', 'a b', false],
    ['ab', 'abc', false],
    ['abc', 'ab', false],
    ['1 2 3', '1\v2\f3', true],
  ])('compares expected %j with %j as %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, TOKENS)).toBe(equal);
  });

  it.each([
    ['1 7', '1 8', 'token 2: expected 7, got 8'],
    ['a b c d e', 'a b c', 'output ends after 3 tokens, 5 expected'],
    ['a b', 'a', 'output ends after 1 token, 2 expected'],
    ['a', ' ', 'output is empty, 1 token expected'],
    ['1 2 3 4 5', '1 2 3 4 5 6 7', 'extra output after token 5'],
    ['', 'x', 'output where none is expected'],
    ['a', '\0\xff\\', String.raw`token 1: expected a, got \x00\xff\\`],
    ['1', '1', ''],
  ])('says for expected %j and %j: %s', (expected, actual, message) => {
    expect(messageOf(expected, actual, TOKENS)).toBe(message);
  });

  it('cuts excerpts at 64 bytes', () => {
    const message = messageOf('x'.repeat(64), 'y'.repeat(65), TOKENS);
    expect(message).toBe(`token 1: expected ${'x'.repeat(64)}, got ${'y'.repeat(64)}…`);
  });

  it('compares 20 MB in a few hundred ms of CPU time', () => {
    const text = Buffer.from('12345 6789\n'.repeat(1_900_000));
    const other = Buffer.from('12345  6789 '.repeat(1_900_000));
    const since = process.cpuUsage();
    expect(compareOutput(text, other, TOKENS).equal).toBe(true);
    expect(
      compareOutput(Buffer.alloc(20_000_000, 97), Buffer.alloc(20_000_001, 97), TOKENS).equal,
    ).toBe(false);
    expect(process.cpuUsage(since).user / 1000).toBeLessThan(3000);
  }, 60_000);
});

describe('answers', () => {
  it.each(MATRIX)(
    'judges output %j against %j as tokens do, but for yes',
    (actual, expected, strict) => {
      expect(verdictOf(expected, actual, ANSWERS)).toBe(strict || expected === 'YES');
    },
  );

  it.each([
    ['YES\n2', 'Yes 2', true],
    ['no', 'NO\n', true],
    ['yes', 'no', false],
    ['YES', 'yes!', false],
    ['yess', 'YESS', false],
    ['True', 'true', false],
    ['YES NO', 'yes', false],
  ])('%j against %j: %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, ANSWERS)).toBe(equal);
  });
});

describe('exact', () => {
  it.each([
    ['', '', ''],
    ['a\n', 'a', 'output ends after 1 byte, 2 expected'],
    ['a', 'a\n', 'extra output after byte 1'],
    ['1\n7\n', '1\n8\n', String.raw`byte 3 (line 2): expected 7\n, got 8\n`],
    ['a\r\n', 'a\n', String.raw`byte 2 (line 1): expected \r\n, got \n`],
  ])('says for expected %j and %j: %s', (expected, actual, message) => {
    expect(messageOf(expected, actual, EXACT)).toBe(message);
    expect(verdictOf(expected, actual, EXACT)).toBe(message === '');
  });
});

describe('lines', () => {
  it.each([
    ['', '', true],
    ['', '\n \n', true],
    ['  a\n b', '\n\n  a  \r\n b\t\n\n', true],
    [' a', 'a', false],
    ['a\n\nb', 'a\n \nb', true],
    ['a\n\nb', 'a\nb', false],
    ['a\rb', 'a\nb', false],
    ['x', '', false],
  ])('compares expected %j with %j as %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, LINES)).toBe(equal);
  });

  it.each([
    ['a\nb', 'a\nc', 'line 2: expected "b", got "c"'],
    ['a\nb\n\nc', 'a', 'output ends after 1 line, 4 expected'],
    ['a', 'a\nb', 'extra output after line 1'],
    ['a\nb', '\n', 'output is empty, 2 lines expected'],
  ])('says for expected %j and %j: %s', (expected, actual, message) => {
    expect(messageOf(expected, actual, LINES)).toBe(message);
  });
});

describe('float', () => {
  it.each([
    ['0.5', '0.5000004', true],
    ['0.5', '0.51', false],
    // The difference of these two is 1.0000000000287557e-06 in binary.
    ['0.5', '0.500001', true],
    ['0.5', '0.500001001', false],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740992', '9007199254740993.0', false],
    ['1_0.0', '10.0', false],
    ['10.0', '1_0.0', false],
    ['1.5', '1.5e', false],
    ['1.5', '- 1.5', false],
    ['-nan', 'nan', false],
    ['0.0', '', false],
    ['-0.0', '0', true],
    ['1000000.0', '1000000.9', true],
    ['1000000.0', '1000001.1', false],
    ['0.0', '-0.0000001', true],
    ['1e3', '1000', true],
    ['1E+3', '1000.0', true],
    ['.5', '0.5', true],
    ['5.', '5', true],
    ['+1.5', '1.5', true],
    ['1.5', '0x1.8p0', false],
    ['1.5', '1,5', false],
    ['1.5', '1.5f', false],
    ['1.5', '', false],
    ['nan', 'nan', true],
    ['nan', 'NaN', false],
    ['inf', 'inf', true],
    ['inf', '1e999', false],
    ['1e999', '1e998', false],
    ['1.0', 'Infinity', false],
    ['YES 0.1', 'NO 0.1', false],
    ['YES 0.1 3', 'YES 0.10000001 3', true],
    // Integers are exact, at any size.
    ['5', '6', false],
    ['1000000007', '1000000008', false],
    ['10000000000000001', '10000000000000000', false],
    ['10000000000000001', '1e16', false],
    ['10000000000000001', '10000000000000000.0', false],
    // A reference that printed the float 2.0 as 2.
    ['2', '2.0', true],
    ['2', '1.9999999999', true],
    ['2', '2.1', false],
    ['1000000007', '1000000008.0', false],
    ['007', '7', false],
  ])('compares expected %j with %j as %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, FLOAT)).toBe(equal);
  });

  it('takes the larger of the two tolerances', () => {
    expect(verdictOf('100.0', '101.0', { kind: 'float', abs: 0, rel: 0.01 })).toBe(true);
    expect(verdictOf('100.0', '101.0', { kind: 'float', abs: 1, rel: 0 })).toBe(true);
    expect(verdictOf('100.0', '101.5', { kind: 'float', abs: 1, rel: 0.01 })).toBe(false);
    expect(verdictOf('0.10', '0.1', { kind: 'float', abs: 0, rel: 0 })).toBe(true);
  });
});

describe('unordered', () => {
  it.each([
    ['1\n2\n3', '3\n1\n2\n', true],
    ['1\n1\n2', '1\n2\n2', false],
    ['a b\nc', 'c\nb a', false],
    ['a \n\nb', 'b\na', true],
    ['', '', true],
    ['a', '', false],
    ['', 'a', false],
  ])('compares lines, expected %j with %j as %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, ANY_LINES)).toBe(equal);
  });

  it.each([
    ['1 2 3', '4 1 2', 'token 1: unexpected 4'],
    ['1 2 3', '1 1', 'token 2: unexpected 1'],
    ['1 2 3', '2 1', 'output has 2 tokens, 3 expected; missing 3'],
    ['1 2', '', 'output is empty, 2 tokens expected'],
    ['', 'x', 'output where none is expected'],
  ])('says for expected %j and %j: %s', (expected, actual, message) => {
    expect(messageOf(expected, actual, ANY_TOKENS)).toBe(message);
  });

  it('handles a million different tokens in either order', () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, index) => index);
    const forth = Buffer.from(numbers.join('\n'));
    const back = Buffer.from(numbers.toReversed().join(' '));
    expect(compareOutput(forth, back, ANY_TOKENS).equal).toBe(true);
  }, 60_000);
});

/** Short texts over an alphabet in which accidents happen. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '\r', '\t', '\0', '\xa0'),
  maxLength: 12,
});
const tokensOf = (value: string): string[] =>
  value.split(/[ \t\n\v\f\r]+/).filter((token) => token !== '');
const linesOf = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.replace(/[ \t\n\v\f\r]+$/, ''))
    .join('\n')
    .replace(/^\n+/, '')
    .replace(/\n+$/, '')
    .split('\n');

describe('against simple reference implementations', () => {
  const agrees = (compare: PlainCompare, reference: (value: string) => unknown): void => {
    fc.assert(
      fc.property(text, text, (expected, actual) => {
        const wanted = JSON.stringify(reference(expected)) === JSON.stringify(reference(actual));
        const { equal, message } = compareOutput(bytes(expected), bytes(actual), compare);
        expect(equal).toBe(wanted);
        expect(message === '').toBe(equal);
      }),
      { numRuns: 3000 },
    );
  };
  it('tokens', () => agrees(TOKENS, tokensOf));
  it('float without numbers that differ', () =>
    agrees({ kind: 'float', abs: 0, rel: 0 }, tokensOf));
  it('exact', () => agrees(EXACT, (value) => value));
  it('lines', () => agrees(LINES, linesOf));
  it('unordered tokens', () => agrees(ANY_TOKENS, (value) => tokensOf(value).toSorted()));
  it('unordered lines', () =>
    agrees(ANY_LINES, (value) =>
      linesOf(value)
        .filter((line) => line !== '')
        .toSorted(),
    ));

  it('accepts any permutation when order does not matter', () => {
    const shuffled = fc
      .array(fc.string({ unit: fc.constantFrom('x', 'y', '1'), minLength: 1, maxLength: 3 }), {
        maxLength: 30,
      })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(verdictOf(list.join(' '), other.join(' '), ANY_TOKENS)).toBe(true);
      }),
    );
  });

  it('accepts a float exactly when the distance is within the tolerance', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
    fc.assert(
      fc.property(value, fc.double({ noNaN: true, min: -1e-3, max: 1e-3 }), (wanted, delta) => {
        const expected = wanted.toFixed(7);
        const actual = (wanted + delta).toFixed(7);
        const [a, b] = [Number(expected), Number(actual)];
        const close =
          expected === actual || Math.abs(a - b) <= (1e-6 + 1e-15) * Math.max(1, Math.abs(a));
        expect(verdictOf(expected, actual, FLOAT)).toBe(close);
      }),
    );
  });
});

describe('letters whose case is ignored', () => {
  const folded: PlainCompare = { kind: 'tokens', ignoreCase: true };
  it.each([
    ['YES', 'yes', true],
    ['Yes 12 [x]', 'yEs  12\n[X]', true],
    ['YES', 'yea', false],
    ['@', '`', false],
    ['\xc4', '\xe4', false],
    ['ab', 'abc', false],
  ])('%j and %j: %s', (expected, actual, equal) => {
    expect(verdictOf(expected, actual, folded)).toBe(equal);
    expect(verdictOf(expected, actual, { ...FLOAT, ignoreCase: true })).toBe(equal);
  });

  it('leave numbers what they are', () => {
    const compare: PlainCompare = { ...FLOAT, ignoreCase: true };
    expect(verdictOf('YES 1.0', 'yes 1.0000001', compare)).toBe(true);
    expect(verdictOf('YES 1.0', 'yes 1.1', compare)).toBe(false);
  });
});
