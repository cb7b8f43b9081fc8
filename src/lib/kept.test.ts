/** What is kept in memory stays within its bounds of bytes and time. */
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createFakeClock } from './fake-clock.ts';
import { MemoryKept } from './kept.ts';

it('gives back what was put, until its time is over', async () => {
  const clock = createFakeClock();
  const kept = new MemoryKept({ bytesMax: 100_000, ttlMs: 1000, clock });
  await kept.put('a', Buffer.from('one'));
  clock.advance(999);
  expect(await kept.get('a')).toEqual(Buffer.from('one'));
  clock.advance(1);
  expect(await kept.get('a')).toBeNull();
  expect(kept.stats()).toMatchObject({ entries: 0, bytes: 0 });
});

it('keeps nothing that takes more than an eighth of the room', async () => {
  const kept = new MemoryKept({ bytesMax: 16_000, ttlMs: 1000, clock: createFakeClock() });
  await kept.put('a', Buffer.alloc(1799));
  expect(await kept.get('a')).not.toBeNull();
  await kept.put('a', Buffer.alloc(1800));
  expect(await kept.get('a')).toBeNull();
});

it('never exceeds its bytes, and gives up what was not asked for longest', async () => {
  const step = fc.record({ key: fc.nat(30), bytes: fc.nat(400), isPut: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      const kept = new MemoryKept({ bytesMax: 5000, ttlMs: 1000, clock: createFakeClock() });
      let used: number[] = [];
      for (const { key, bytes, isPut } of steps) {
        if (isPut) await kept.put(String(key), Buffer.alloc(bytes));
        const isThere = (await kept.get(String(key))) !== null;
        used = used.filter((each) => each !== key);
        if (isThere) used.push(key);
        expect(kept.stats().bytes).toBeLessThanOrEqual(5000);
        used = used.slice(-kept.stats().entries);
      }
      for (const key of used) expect(await kept.get(String(key))).not.toBeNull();
    }),
    { numRuns: 50 },
  );
});
