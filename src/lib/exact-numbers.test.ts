/** Numbers that are data for a test runner keep every digit; all others are numbers as ever. */
import { describe, expect, it } from 'vitest';

import { keepExactNumbers } from './exact-numbers.ts';

const textOf = (kind: string, args: string): string =>
  `{"tests": {"kind": "${kind}", "cases": [{"args": [${args}], "expected": 1.0}]}, "limits": {"cpu_ms": 1e3}}`;
const kept = (text: string): string => JSON.stringify(keepExactNumbers(JSON.parse(text), text));

describe('keepExactNumbers', () => {
  it.each(['12345678901234567890', '1.0', '-0.0', '1e400', '0.1000', '9007199254740993'])(
    'keeps %s as it is written',
    (number) => {
      expect(kept(textOf('function', number))).toContain(`"args":[${number}]`);
      expect(kept(textOf('function', `{"a": [${number}]}`))).toContain(`{"a":[${number}]}`);
    },
  );

  it('leaves everything else a number', () => {
    const text = textOf('function', '1.0');
    expect(keepExactNumbers(JSON.parse(text), text)).toMatchObject({ limits: { cpu_ms: 1000 } });
  });

  it.each(['asserts', 'stdio'])('leaves bodies of the kind %s alone', (kind) => {
    const text = textOf(kind, '1.0');
    const body: unknown = JSON.parse(text);
    expect(keepExactNumbers(body, text)).toBe(body);
  });

  it.each(['[]', '1.5', 'null', '{"tests": 1.5}', '{"tests": {"kind": "function", "cases": 1.5}}'])(
    'takes any body: %s',
    (text) => {
      expect(keepExactNumbers(JSON.parse(text), text)).toEqual(JSON.parse(text));
    },
  );
});
