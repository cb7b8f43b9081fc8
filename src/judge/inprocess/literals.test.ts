/** What literals of compiled languages are altered into. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { alteredTexts } from './literals.ts';

describe('alteredTexts', () => {
  it.each([
    ['a number so that it fits its type', '255', 'integer', /^(?:[01]55|2[0-4]5|25[0-4])$/],
    ['none by a leading zero', '100', 'integer', /^(?:10[1-9]|1[12]0)$/],
    ['a suffix stays', '7L', 'integer', /^[0-689]L$/],
    ['zero', '0', 'integer', /^[1-9]$/],
    ['an exponent stays', '2.5e3', 'float', /^(?:[013-9]\.5|2\.[0-46-9])e3$/],
    ['one letter of a string', '"ab"', 'string', /^"(?:[a-z]b|a[a-z])"$/],
    ['no escape', String.raw`"\n\u0041x\\"`, 'string', /^"\\n\\u0041[a-wyz]\\\\"$/],
    ['nothing in it', '""', 'string', /^"x"$/],
    ['a raw string', '`a`', 'string', /^`[b-z]`$/],
    ['a character', "'a'", 'char', /^'[b-z]'$/],
    ['a cell of a list', 'yes', 'text', /^[a-z]{3}$/],
    ['a truth', 'true', 'bool', /^false$/],
  ] as const)('alters %s', (_, text, kind, pattern) => {
    const texts = alteredTexts(text, kind, null);
    expect(texts.length).toBeGreaterThan(0);
    for (const each of texts) {
      expect(each).toMatch(pattern);
      expect(each).not.toBe(text);
    }
  });

  it.each([
    ['octal numbers', '017', 'integer'],
    ['hexadecimal numbers', '0xff', 'integer'],
    ['escaped characters', String.raw`'\n'`, 'char'],
    ['text blocks', '"""\nx"""', 'string'],
    ['quoted cells', "'a,b'", 'text'],
  ] as const)('leaves %s alone', (_, text, kind) => {
    expect(alteredTexts(text, kind, null)).toEqual([]);
  });

  it('stays away from a tolerance', () => {
    expect(alteredTexts('1.5', 'float', { abs: 10 })).toEqual([]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (value, abs) => {
          for (const each of alteredTexts(String(value), 'integer', { abs }))
            expect(Math.abs(Number(each) - value)).toBeGreaterThan(2 * abs);
        },
      ),
    );
  });

  it('never makes a number that is larger in digits', () => {
    fc.assert(
      fc.property(fc.nat(), (value) => {
        for (const each of alteredTexts(String(value), 'integer', null)) {
          expect(each).toHaveLength(String(value).length);
          expect(Number(each)).not.toBe(value);
        }
      }),
    );
  });
});
