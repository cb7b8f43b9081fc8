/** The comparison pool with real threads: same answers as inline, nothing taken from the caller, bounded, closed. */
import { afterEach, describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import { createComparePool, INLINE_BYTES_MAX, type ComparePool } from './compare-pool.ts';

const TOKENS = { kind: 'tokens' } as const;
const pools: ComparePool[] = [];

function aPool(options: Parameters<typeof createComparePool>[0] = {}): ComparePool {
  const pool = createComparePool(options);
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('createComparePool', () => {
  it('answers alike inline and in a thread', async () => {
    const expected = Buffer.from('1 2 3\n');
    const actual = Buffer.from('1 2 4\n');
    const inline = await aPool().compare(expected, actual, TOKENS);
    const threaded = await aPool({ inlineBytesMax: 0 }).compare(expected, actual, TOKENS);
    expect(threaded).toEqual(inline);
    expect(inline).toEqual({ equal: false, message: 'token 3: expected 3, got 4' });
  });

  it('compares in a thread what a call returned', async () => {
    const pool = aPool({ inlineBytesMax: 0 });
    const result = { kind: 'result', tolerance: null } as const;
    expect(await pool.compare(Buffer.from('[1,2]'), Buffer.from('said\n[1, 2]\n'), result)).toEqual(
      { equal: true, message: '' },
    );
    expect(await pool.compare(Buffer.from('[1,2]'), Buffer.from('said\n[1, 3]\n'), result)).toEqual(
      { equal: false, message: 'result[1]: expected 2, got 3' },
    );
  });

  it('leaves the arrays with the caller', async () => {
    const slab = Buffer.alloc(3 * INLINE_BYTES_MAX, 'ab ');
    const view = slab.subarray(3, 2 * INLINE_BYTES_MAX + 3);
    const shared = new Uint8Array(new SharedArrayBuffer(view.byteLength));
    shared.set(view);
    const answer = await aPool().compare(view, shared, { kind: 'unordered', by: 'tokens' });
    expect(answer).toEqual({ equal: true, message: '' });
    expect(view.byteLength).toBe(2 * INLINE_BYTES_MAX);
    expect(view[0]).toBe('a'.charCodeAt(0));
    expect(shared.byteLength).toBe(2 * INLINE_BYTES_MAX);
  });

  it('refuses more than its queue holds, and serves the rest', async () => {
    const pool = aPool({ inlineBytesMax: 0, threadsMax: 1, queueMax: 2 });
    const some = Buffer.alloc(1000, 'x ');
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () => pool.compare(some, some, TOKENS)),
    );
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(20);
    for (const result of refused) {
      expect(result).toMatchObject({ reason: expect.any(Fault) });
      expect(result).toMatchObject({ reason: { code: 'host_limit' } });
    }
  });

  it('is closed for good, twice without harm', async () => {
    const pool = aPool({ inlineBytesMax: 0 });
    const some = Buffer.from('x');
    await pool.compare(some, some, TOKENS);
    await pool.close();
    await pool.close();
    await expect(pool.compare(some, some, TOKENS)).rejects.toThrow('closed');
  });
});
