/** Rows read in real threads: what crosses, what is refused, what is left at the end. */
import { afterEach, describe, expect, it } from 'vitest';

import { createRowPool, type RowPool } from './row-pool.ts';
import { readRow } from './row-reading.ts';
import { ROWS } from './test-rows.ts';

const pools: RowPool[] = [];
function aPool(options: Parameters<typeof createRowPool>[0] = {}): RowPool {
  const pool = createRowPool(options);
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

describe('a pool of row readers', () => {
  it('tells in a thread what is told without one, for a row of every schema', async () => {
    const pool = aPool();
    for (const [schema, row] of Object.entries(ROWS)) {
      const task = { text: JSON.stringify(row), schema };
      const reading = await pool.read(task);
      expect(reading).toMatchObject({ kind: 'problem', schema });
      expect(reading).toEqual(readRow(task));
    }
  });

  it('keeps numbers as they are written', async () => {
    const text = `{"verification_info": {"language": "python", "test_cases": [{"type": "function_call", "fn_name": "f", "input": [1.0, 1e5], "output": 123456789012345678901}]}}`;
    const reading = await aPool().read({ text, schema: 'auto' });
    if (reading.kind !== 'problem') throw new Error(reading.message);
    expect(reading.choice).toMatchObject({ name: 'f' });
    for (const entry of ['f', 'Solution().f'])
      expect(reading.parts[entry]?.[0]?.body).toContain('[1.0,1e5]');
  });

  it.each([
    ['{', 'auto', 'is no JSON'],
    ['[]', 'auto', 'a row is an object'],
    ['{}', 'auto', 'of no known data set'],
    ['{}', 'nonsense', 'no such schema'],
  ])('refuses %s as %s', async (text, schema, message) => {
    expect(await aPool().read({ text, schema })).toMatchObject({
      kind: 'rejection',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('refuses more rows than may wait, and all once it is closed', async () => {
    const pool = aPool({ queueMax: 1 });
    const task = { text: JSON.stringify(ROWS.mbpp), schema: 'auto' };
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => pool.read(task)));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(results.length - refused.length).toBeGreaterThan(0);
    await pool.close();
    await expect(pool.read(task)).rejects.toThrow('closed');
  });
});
