import { describe, expect, it } from 'vitest';
import { add, pair, later, total, Tally } from '../src/solution.ts';

interface Pair {
  sum: number;
  product: number;
}

describe('add', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(1000000007, 1)).toStrictEqual(1000000008);
    expect(() => add('1' as never, 2)).toThrowError('a number');
  });

  it.for([
    [20, 22, 42],
    [-5, 12, 7],
  ])('%i + %i', ([x, y, sum]: number[]) => {
    expect(add(x as number, y as number)).toBe(sum);
  });
});

it('makes pairs', () => {
  const found: Pair = pair(4, 7);
  expect(found).toStrictEqual({ sum: 11, product: 28 });
  expect(found).toEqual(expect.objectContaining({ product: expect.any(Number) }));
});

it('adds later', async () => {
  expect(await later(20, 22)).toBe(42);
});

it('adds all', () => {
  expect(total([3, 4, 5])).toBe(12);
});

it('tallies', () => {
  const tally = new Tally();
  tally.note(17);
  tally.note(25);
  expect(tally.sum).toBe(42);
  expect(tally.all()).toEqual([17, 25]);
});
