/** A guarded store is the store that it guards, and says when that is away. */
import { expect, it } from 'vitest';

import { createFakeClock } from '../lib/fake-clock.ts';
import { Presence } from '../lib/presence.ts';
import { guardedStore } from './guarded-store.ts';
import { SqliteJobStore } from './sqlite-store.ts';

it('is the store that it guards, and away with it', async () => {
  const clock = createFakeClock();
  const state = { isConnected: true };
  const presence = new Presence({
    clock,
    isConnected: () => state.isConnected,
    isAway: () => false,
    probe: async () => undefined,
    onChange: () => undefined,
  });
  const store = guardedStore(SqliteJobStore.open(':memory:', clock), presence);
  await store.create({ id: 'a', payer: { tenant: 't', weight: 1 } });
  await store.add('a', [{ line: 1, body: 'four' }]);
  await store.seal('a');
  await expect(store.add('a', [])).rejects.toThrow('takes no more');
  expect(await store.get('a')).toMatchObject({ state: 'running', total: 1 });
  expect([await store.bytes('t'), await store.bytes('other')]).toEqual([4, 0]);
  state.isConnected = false;
  await expect(store.get('a')).rejects.toMatchObject({
    code: 'jobs_away',
    context: { retryAfterMs: 1000 },
  });
  await store.close();
});
