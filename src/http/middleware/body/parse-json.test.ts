/** Bodies as JSON: positions of errors, lone surrogates, names that are no names, media types. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../../../domain/errors.ts';
import { checkJSONMediaType, NDJSON_MEDIA_TYPE, parseJSON } from './parse-json.ts';

function rejectionOf(run: () => unknown): Rejection {
  try {
    run();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const parse = (text: string): unknown => parseJSON(Buffer.from(text));

describe('parseJSON', () => {
  it('takes UTF-8 with a byte order mark and pairs of escaped surrogates', () => {
    expect(parse('\ufeff{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  });

  it.each([
    ['{"a":x}', 5, 'a value was expected'],
    ['{', 1, 'the text ends too early: a name or "}" was expected'],
    ['[1,]', 3, 'a value was expected'],
    ['[]]', 2, 'nothing more was expected'],
    ['{"a" 1}', 5, '":" was expected'],
    ['{"a":1 "b":2}', 7, '"," or the end of the list or object was expected'],
    ['{a:1}', 1, 'a name or "}" was expected'],
    ['"a\nb"', 2, 'a string holds a raw control character; escape it as \\n'],
    ['"a\u0001b"', 2, 'a string holds a control character; escape it as \\u00XX'],
    ['"\\x"', 1, 'a string holds a backslash that begins no escape; write it as \\\\'],
    ['"secret', 7, 'the text ends too early: a string has no closing quote'],
    ['nul', 0, 'a value was expected'],
    ['', 0, 'the text ends too early: a value was expected'],
    ['01', 1, 'nothing more was expected'],
  ])('tells where %j stops being JSON', (text, position, reason) => {
    const error = rejectionOf(() => parse(text));
    expect(error.code).toBe('malformed_json');
    expect(error.context.detail).toContain(`${reason} at position ${position} `);
  });

  it('never quotes the text', () => {
    expect(rejectionOf(() => parse('{"code": "secret" x}')).context.detail).not.toContain('secret');
  });

  it('gives line and column', () => {
    expect(rejectionOf(() => parse('{\n "a": ?\n}')).context.detail).toContain(
      '(line 2, column 7)',
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    const error = rejectionOf(() => parseJSON(Buffer.from([0x22, 0xff, 0x22])));
    expect(error.code).toBe('malformed_json');
  });

  it('names the places of lone surrogates, in values and names', () => {
    const error = rejectionOf(() => parse('{"a":["x","\\ud800"],"f":{"\\udc00":"1"}}'));
    expect(error.code).toBe('invalid');
    expect(error.context.errors?.map((each) => each.path)).toEqual(['a[1]', 'f["\ufffd"]']);
  });

  it.each(['{"env":{"__proto__":"1"}}', '{"env":{"\\u005f_proto__":"1"}}'])(
    'refuses the name __proto__ in %s',
    (text) => {
      const error = rejectionOf(() => parse(text));
      expect(error.context.errors).toEqual([
        { path: 'env.__proto__', message: 'the name __proto__ is not accepted' },
      ]);
    },
  );

  it('takes __proto__ in text', () => {
    expect(parse('{"code":"a.__proto__"}')).toEqual({ code: 'a.__proto__' });
  });

  it('walks bodies that nest a million deep', () => {
    const text = `${'['.repeat(1_000_000)}"\\ud800"${']'.repeat(1_000_000)}`;
    expect(rejectionOf(() => parse(text)).code).toBe('invalid');
  });

  it('locates errors in strings of megabytes', () => {
    const text = `["${'a'.repeat(20_000_000)}", ?]`;
    expect(rejectionOf(() => parse(text)).context.detail).toContain('position 20000005');
  });
});

describe('checkJSONMediaType', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/vnd.x+json',
  ])('takes %s', (type) => {
    expect(() => checkJSONMediaType(type)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json; charset=latin1',
    'application/x-ndjson',
  ])('refuses %s', (type) => {
    expect(rejectionOf(() => checkJSONMediaType(type)).code).toBe('wrong_media_type');
  });

  it('takes NDJSON where that is expected', () => {
    expect(() => checkJSONMediaType('application/x-ndjson', NDJSON_MEDIA_TYPE)).not.toThrow();
  });
});
