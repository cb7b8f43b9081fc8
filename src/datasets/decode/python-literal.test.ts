/** Python literals: what `ast.literal_eval` would give, and nothing evaluated. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toPythonText } from '../python-text.ts';
import { parsePythonLiteral } from './python-literal.ts';
import { DecodeError, PythonBytes, PythonDict, PythonSet, type Value } from './value.ts';

const json = (text: string) => JSON.stringify(parsePythonLiteral(text));

describe('parsePythonLiteral', () => {
  it.each([
    [`{'a': None, 'b': True, "c": False}`, '{"a":null,"b":true,"c":false}'],
    [`[1, (2,), (3, 4), (), (5)]`, '[1,[2],[3,4],[],5]'],
    [` [ 'it\\'s', "say \\"no\\"", 'x' "y" ] `, '["it\'s","say \\"no\\"","xy"]'],
    [String.raw`'\x41\u00e9\U0001F600\101\n\q\\'`, '"Aé😀A\\n\\\\q\\\\"'],
    [String.raw`r'\n'`, '"\\\\n"'],
    [`'''two\nlines 'quoted' '''`, `"two\\nlines 'quoted' "`],
    [`u'é'`, '"é"'],
    [`'a\\\nb'`, '"ab"'],
    [
      `[123456789012345678901234567890, -1, +2, - 3, 0x1F, 0o17, 0b11, 1_000]`,
      '[123456789012345678901234567890,-1,2,-3,31,15,3,1000]',
    ],
    [`[1.0, .5, 1., 1e5, 1E-5, 01.50, -0.0, 00]`, '[1.0,0.5,1.0,1e5,1E-5,1.50,-0.0,0]'],
    [`{'__proto__': {'x': 1}}`, '{"__proto__":{"x":1}}'],
    [`{'a': 1, 'a': 2,}`, '{"a":2}'],
    [`{}`, '{}'],
  ])('reads %s', (text, expected) => {
    expect(json(text)).toBe(expected);
  });

  it('does not touch the prototype of objects', () => {
    parsePythonLiteral(`{'__proto__': {'polluted': True}}`);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('keeps what JSON has no form for', () => {
    expect(parsePythonLiteral(`{1: 'a', (2, 3): 'b'}`)).toEqual(
      new PythonDict([
        [1, 'a'],
        [[2, 3], 'b'],
      ]),
    );
    expect(parsePythonLiteral(`{1, 2}`)).toEqual(new PythonSet([1, 2]));
    expect(parsePythonLiteral(`set()`)).toEqual(new PythonSet([]));
    expect(parsePythonLiteral(String.raw`b'\xff' b"a"`)).toEqual(
      new PythonBytes(Buffer.from([0xff, 0x61])),
    );
    expect(() => JSON.stringify(parsePythonLiteral(`[{1, 2}]`))).toThrow(TypeError);
  });

  it.each([
    [`__import__('os').system('true')`],
    [`open('x')`],
    [`f'{1}'`],
    [`fb''`],
    [`[1 + 2]`],
    [`1j`],
    [`[i for i in x]`],
    [`lambda: 0`],
    [`set([1])`],
    [`007`],
    [`1.2.3`],
    [`'unclosed`],
    [`'two\nlines'`],
    [`[1, 2`],
    [`[1 2]`],
    [`{1: 2, 3}`],
    [`'\\x4'`],
    [`'\\U00110000'`],
    [`'\\N{DASH}'`],
    [`b'é\\u0041' 'x'`],
    [`b'é—'`],
    [`nan`],
    [``],
    [`1 2`],
    [`-`],
    [`'a' b'b'`],
  ])('refuses %s', (text) => {
    expect(() => parsePythonLiteral(text)).toThrow(DecodeError);
  });

  it('tells where it stopped, and nothing of the text', () => {
    expect(() => parsePythonLiteral(`['secret', evil()]`)).toThrow(
      /^a name that is no literal at position 11$/,
    );
  });

  it('takes values 100 deep and none deeper', () => {
    expect(json('['.repeat(100) + ']'.repeat(100))).toBe('['.repeat(100) + ']'.repeat(100));
    expect(() => parsePythonLiteral('['.repeat(101) + ']'.repeat(101))).toThrow(/100 deep/);
    expect(() => parsePythonLiteral('('.repeat(1_000_000))).toThrow(/100 deep/);
  });

  it('takes integers of 4300 digits and none longer', () => {
    expect(json('9'.repeat(4300))).toBe('9'.repeat(4300));
    expect(() => parsePythonLiteral('9'.repeat(4301))).toThrow(/4300 digits/);
    expect(() => parsePythonLiteral(`0x${'f'.repeat(4000)}`)).toThrow(DecodeError);
  });

  it.each([
    ['quotes', `'`.repeat(300_000)],
    ['backslashes', `'${'\\'.repeat(300_001)}`],
    ['signs', '-'.repeat(300_000)],
    ['digits with underscores', '1_'.repeat(150_000)],
    ['spaces', ' '.repeat(300_000)],
    ['prefixes', `rb`.repeat(150_000)],
    ['strings side by side', `'a' `.repeat(75_000)],
  ])('is linear in hundreds of thousands of %s', (_name, text) => {
    const start = performance.now();
    try {
      parsePythonLiteral(text);
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
    .map((each) => parsePythonLiteral(String(each))),
);
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    anyNumber,
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array().map((bytes) => new PythonBytes(Buffer.from(bytes))),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
    fc
      .array(fc.tuple(fc.integer(), tie('value')), { minLength: 1 })
      .map((entries) => new PythonDict(entries)),
    fc.array(fc.integer()).map((items) => new PythonSet(items)),
  ),
}));

/** A value as comparable text: bytes, sets and dictionaries included, numbers by their value. */
function shown(value: Value): string {
  return toPythonText(value).replaceAll(/-0(?![.\dxe])/g, '0');
}

describe('literals, whatever they are', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(shown(parsePythonLiteral(toPythonText(value)))).toBe(shown(value));
      }),
    );
  });

  it('throw nothing but DecodeError', () => {
    const alphabet = fc.constantFrom(...`[](){}',":\\brux01._+-eE NoneTrue\n#`.split(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: alphabet, maxLength: 60 }), fc.string()), (text) => {
        try {
          parsePythonLiteral(text);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
