/** Fields in their encodings: the order, the layers, the caps. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DATASET_BOUNDS } from '../../domain/limits.ts';
import { RowError } from '../row-error.ts';
import { decodeField } from './decode.ts';
import { parseExactJSON } from './exact-json.ts';
import { inflateBase64 } from './inflate.ts';
import { DecodeError } from './value.ts';

/** What Python's zlib and pickle made of a list of tests, and of its JSON text. */
const PICKLED_LIST =
  'eJxrYJnqywABsVM0aqdo9LBm5hWUlkzpYTLkmtLDll9aAuEZAXkcJanFJSWVBalTeliLS1Iy86aUAnVkMPUwGXNNyWDpYTIBUmwZ7KWpegDeKhy5';
const PICKLED_JSON =
  'eJxrYJlawgABPQXR1UqZeQWlJUpWCkqGMXlKOgpK+aUlUAEjiEBJanFJSWVBKkiouCQlM0+pVkcBSZ8xuj4TnPpip+gBAP9dJbg=';
const LIST = [
  { input: '1\n', output: '2\n', testtype: 'stdin' },
  { input: '3\n', output: '4\n', testtype: 'stdin' },
];
const PYTHON = `[{'input': '1\\n', 'output': '2\\n', 'testtype': 'stdin'}, {'input': '3\\n', 'output': '4\\n', 'testtype': 'stdin'}]`;

describe('decodeField', () => {
  it.each([
    ['native', LIST],
    ['JSON', JSON.stringify(LIST)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(LIST))],
    ['a Python literal', PYTHON],
    ['a Python literal in JSON', JSON.stringify(PYTHON)],
    ['a pickle', PICKLED_LIST],
    ['a pickle of JSON', PICKLED_JSON],
    ['a pickle with line breaks', PICKLED_LIST.replaceAll(/.{60}/g, '$&\n')],
  ])('reads %s', (_name, field) => {
    expect(decodeField(field, 'tests')).toEqual(LIST);
  });

  it.each([[undefined], [null], [''], ['  \n'], ['null'], ['""']])(
    'takes %j for nothing',
    (field) => {
      expect(decodeField(field, 'tests')).toBeNull();
    },
  );

  it('parses JSON in JSON in JSON no further', () => {
    const three = JSON.stringify(JSON.stringify(JSON.stringify(LIST)));
    expect(() => decodeField(three, 'tests')).toThrow(/text in text/);
  });

  it('says why each encoding failed, with the path and without the text', () => {
    let caught: unknown;
    try {
      decodeField('secret text', 'a.b');
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(RowError);
    expect(caught).toMatchObject({ code: 'invalid', path: 'a.b' });
    expect(String(caught)).toContain('JSON: is no JSON; Python literal: a name that is no literal');
    expect(String(caught)).not.toContain('secret');
  });

  it('keeps numbers as they are written', () => {
    const text = '[1.0,123456789012345678901234567890,1e5,-0,-0.0,0.1,3,1E400]';
    expect(JSON.stringify(decodeField(text, 'tests'))).toBe(text);
    expect(
      JSON.stringify(decodeField('[1.0, 123456789012345678901234567890, (0.10,)]', 'tests')),
    ).toBe('[1.0,123456789012345678901234567890,[0.10]]');
  });
});

describe('parseExactJSON', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('takes depth and values up to their bounds and none beyond', () => {
    expect(() => parseExactJSON(nested(DATASET_BOUNDS.depth))).not.toThrow();
    expect(() => parseExactJSON(nested(DATASET_BOUNDS.depth + 1))).toThrow(/100 deep/);
    const flat = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
    // Not toHaveLength, which looks at every item.
    const { length } = parseExactJSON(flat(DATASET_BOUNDS.values)) as readonly unknown[];
    expect(length).toBe(DATASET_BOUNDS.values);
    expect(() => parseExactJSON(flat(DATASET_BOUNDS.values + 1))).toThrow(/values/);
  });

  it('reads what JSON.parse reads, whatever is in its strings', () => {
    const text = fc.string({
      unit: fc.constantFrom('[', '{', '"', '\\', ',', 'a'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.oneof(fc.array(text), fc.dictionary(text, text), fc.jsonValue()), (value) => {
        const written = JSON.stringify(value);
        expect(JSON.parse(JSON.stringify(parseExactJSON(written)))).toEqual(JSON.parse(written));
      }),
    );
  });

  it('counts nothing that lies in a string', () => {
    const text = JSON.stringify(['['.repeat(1000), `"${'{'.repeat(1000)}`, '\\'.repeat(999)]);
    expect(parseExactJSON(text)).toEqual(JSON.parse(text));
  });

  it('refuses hostile text in linear time', () => {
    for (const text of [
      '['.repeat(1_000_000),
      '"'.repeat(1_000_001),
      '\\'.repeat(1_000_000),
      '9'.repeat(1_000_000),
    ])
      expect(() => parseExactJSON(text)).toThrow(DecodeError);
  });
});

describe('inflateBase64', () => {
  it('takes what inflates to the cap, and nothing beyond it', () => {
    const text = deflateSync(Buffer.alloc(1000)).toString('base64');
    expect(inflateBase64(text, 1000)).toHaveLength(1000);
    expect(() => inflateBase64(text, 999)).toThrow('inflates to more than 999 bytes');
  });

  it.each([
    ['text', 'hello there, this is no base64!'],
    ['another format', Buffer.from('plain bytes').toString('base64')],
    ['a stream that is cut', deflateSync(Buffer.alloc(1000)).subarray(0, 12).toString('base64')],
    ['a wrong checksum', deflateSync('abc').fill(0, 7).toString('base64')],
  ])('refuses %s', (_name, text) => {
    expect(() => inflateBase64(text, 1000)).toThrow(DecodeError);
  });

  it('refuses 4 MB of text that inflate to 3 GB at the cap', () => {
    // One stretch of zeros, flushed so that it can be repeated.
    const stretch = deflateRawSync(Buffer.alloc(1 << 20), { finishFlush: constants.Z_FULL_FLUSH });
    const count = Math.ceil((3 * 2 ** 30) / (1 << 20));
    const bomb = Buffer.concat([
      Buffer.from([0x78, 0x9c]),
      ...Array.from({ length: count }, () => stretch),
    ]);
    const text = bomb.toString('base64');
    expect(text.length).toBeLessThan(5_000_000);
    const before = process.memoryUsage().rss;
    expect(() => decodeField(text, 'private_test_cases')).toThrow(
      /inflates to more than 268435456 bytes/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(700 * 2 ** 20);
  }, 20_000);
});
