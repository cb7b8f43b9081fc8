/** Which places a written path names. */
import { expect, it } from 'vitest';

import { parseJSON } from './parse-json.ts';
import { placesAt } from './places.ts';

it('names parts, any one part, and whatever lies beneath', () => {
  const places = placesAt('code', 'items.*.completions.*', 'items.*.row.**');
  const at = (...path: (string | number)[]): boolean => places(path);
  expect([at('code'), at('items', 3, 'completions', 0), at('items', 3, 'row', 'a', 1)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    at('code', 'x'),
    at('items', 3, 'completions'),
    at('items', 3, 'row'),
    at('items', 3, 'id'),
    at('coder'),
    at(),
  ]).toEqual([false, false, false, false, false, false]);
  expect([placesAt('**')(['a']), placesAt()([])]).toEqual([true, false]);
});

it('spares text there, and no names of fields', () => {
  const parse = (text: string): unknown => parseJSON(Buffer.from(text), placesAt('row.**'));
  expect(parse(String.raw`{"row": {"a": ["\ud800"]}}`)).toEqual({ row: { a: ['\ud800'] } });
  for (const text of [
    String.raw`{"row": {"\ud800": 1}}`,
    String.raw`{"id": "\ud800", "row": {"a": "\ud800"}}`,
    String.raw`{"row": {"__proto__": 1}}`,
  ])
    expect(() => parse(text)).toThrow('cannot be taken as it is');
});
