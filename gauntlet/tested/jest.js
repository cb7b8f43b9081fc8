const { add, pair, later, total, Tally } = require('./solution');

describe('add', () => {
  test('small numbers', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(-5, 12)).toEqual(7);
  });

  test('large numbers', () => {
    expect(add(1000000007, 1)).toStrictEqual(1000000008);
    expect(add(2 ** 53 - 2, 1)).toBe(2 ** 53 - 1);
  });

  test.each([[0.1, 0.2, 0.3], [1.5, 2.25, 3.75]])('%d + %d', (x, y, sum) => {
    expect(add(x, y)).toBeCloseTo(sum, 10);
  });

  test('of no numbers', () => {
    expect(() => add('1', 2)).toThrow(TypeError);
    expect(() => add('1', 2)).toThrow(/a number/);
  });
});

test('pair', () => {
  expect(pair(4, 7)).toEqual({ sum: 11, product: 28 });
  expect(pair(4, 7)).toHaveProperty('product', 28);
  expect(pair(2, 3)).toMatchObject({ sum: 5 });
});

test('later', async () => {
  await expect(later(20, 22)).resolves.toBe(42);
  expect(await later(-1, 1)).toBe(0);
});

test('total', () => {
  const numbers = [3, 4, 5];
  expect(total(numbers)).toBe(numbers.reduce((sum, each) => sum + each, 0));
  expect(numbers).toHaveLength(3);
});

test('tally', () => {
  const tally = new Tally();
  tally.note(17);
  tally.note(25);
  expect(tally.sum).toBe(42);
  expect(tally).toBeInstanceOf(Tally);
  expect(tally.all()).toContain(25);
  expect(tally.all().includes(17)).toBe(true);
});
