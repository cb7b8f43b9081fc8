/** Order, bound and failure of parallel work. */
import { expect, it } from 'vitest';

import { inParallel } from './in-parallel.ts';

it('keeps the order, and at most so many at once', async () => {
  let underWay = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0, 4], {
    most: 2,
    async work(item) {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      underWay -= 1;
      return item * 10;
    },
  });
  expect(results).toEqual([30, 10, 20, 0, 40]);
  expect(most).toBe(2);
});

it('begins nothing more once one has failed', async () => {
  const begun: number[] = [];
  const work = async (item: number): Promise<number> => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('no');
    return item;
  };
  await expect(inParallel([1, 2, 3, 4], { most: 2, work })).rejects.toThrow('no');
  expect(begun).toEqual([1, 2]);
});

it('answers an empty list at once', async () => {
  expect(await inParallel([], { most: 3, work: async () => 1 })).toEqual([]);
});
