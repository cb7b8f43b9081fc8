/** How many values and how deep, without parsing; strings count for nothing however they look. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DEPTH_MAX, structureProblem, VALUES_MAX } from './structure.ts';

const problemOf = (text: string, bounds?: { valuesMax: number; depthMax: number }) =>
  structureProblem(Buffer.from(text), bounds);

/** As the scan counts: each list or object, and each value but the first of one. */
function count(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, depth: 0 };
  const inner = Object.values(value).map(count);
  const values = inner.reduce((sum, each) => sum + each.values, Math.max(1, inner.length));
  return { values, depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)) };
}

describe('structureProblem', () => {
  it('counts every JSON text exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, spaces) => {
        const text = JSON.stringify(value, null, spaces);
        const { values, depth } = count(value);
        expect(problemOf(text, { valuesMax: values, depthMax: depth })).toBeNull();
        if (values > 0) {
          expect(problemOf(text, { valuesMax: values - 1, depthMax: depth })).toBe('values');
          expect(problemOf(text, { valuesMax: values, depthMax: depth - 1 })).toBe('depth');
        }
      }),
    );
  });

  it.each([1, 127, 128, 129, 300, 5000])('finds the end of strings of %i characters', (length) => {
    for (const piece of ['a', ',', '\\"', '\\\\', '[a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\"']) {
      const string = `"${piece.repeat(length)}"`;
      const text = `[${string},{${string}:${string}},${string}]`;
      expect(problemOf(text, { valuesMax: 4, depthMax: 2 })).toBeNull();
      expect(problemOf(text, { valuesMax: 3, depthMax: 2 })).toBe('values');
    }
  });

  it('takes a body at the bounds and refuses one beyond them', () => {
    expect(problemOf(`[${'1,'.repeat(VALUES_MAX - 1)}1]`)).toBeNull();
    expect(problemOf(`[${'1,'.repeat(VALUES_MAX)}1]`)).toBe('values');
    expect(problemOf('['.repeat(DEPTH_MAX))).toBeNull();
    expect(problemOf('['.repeat(DEPTH_MAX + 1))).toBe('depth');
  });

  it('ends with a text that ends inside a string', () => {
    for (const text of ['"', '"a', '"\\', `"${'a'.repeat(500)}`, `"${'a'.repeat(500)}\\`]) {
      expect(problemOf(text)).toBeNull();
    }
  });

  it('takes time in proportion to the length', { timeout: 60_000 }, () => {
    const long = 'a'.repeat(200);
    for (const text of [`["${`${long}","`.repeat(20_000)}"]`, `"${`${long}\\n`.repeat(20_000)}"`]) {
      const since = performance.now();
      problemOf(text);
      expect(performance.now() - since).toBeLessThan(2500);
    }
  });
});
