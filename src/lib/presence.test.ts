/** Something that is away and comes back: who is told what, how often it is asked, and what is its own error. */
import { describe, expect, it } from 'vitest';

import { createFakeClock } from './fake-clock.ts';
import { AwayError, Presence } from './presence.ts';

function create() {
  const clock = createFakeClock();
  const state = { isConnected: true, fails: null as Error | null, asked: 0, probed: 0 };
  const told: boolean[] = [];
  const presence = new Presence({
    clock,
    isConnected: () => state.isConnected,
    probe: async () => {
      state.probed += 1;
      if (state.fails !== null) throw state.fails;
    },
    isAway: (error) => error instanceof Error && error.message === 'no answer',
    onChange: (isAway) => void told.push(isAway),
  });
  const ask = async (): Promise<string> =>
    await presence
      .ask(async () => {
        state.asked += 1;
        if (state.fails !== null) throw state.fails;
        return 'answered';
      })
      .catch((error: unknown) => (error instanceof AwayError ? 'away' : String(error)));
  return { clock, state, told, presence, ask };
}

/** A second, and what comes of it. */
async function aSecond(clock: ReturnType<typeof createFakeClock>): Promise<void> {
  clock.advance(1000);
  await new Promise(setImmediate);
}

describe('something that may be away', () => {
  it('is not asked without a connection, says so once, and is there again with it', async () => {
    const { state, told, presence, ask, clock } = create();
    state.isConnected = false;
    expect([await ask(), await ask(), presence.isAway]).toEqual(['away', 'away', true]);
    await aSecond(clock);
    expect([state.asked, state.probed, told]).toEqual([0, 0, [true]]);
    state.isConnected = true;
    await aSecond(clock);
    expect([await ask(), presence.isAway, told]).toEqual(['answered', false, [true, false]]);
  });

  it('is asked nothing but a probe a second where it does not answer', async () => {
    const { state, told, presence, ask, clock } = create();
    state.fails = new Error('no answer');
    expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill('away'));
    await aSecond(clock);
    await aSecond(clock);
    expect([await ask(), state.asked, state.probed, told]).toEqual(['away', 1, 2, [true]]);
    state.fails = null;
    expect(await ask()).toBe('away');
    await aSecond(clock);
    expect([presence.isAway, told]).toEqual([false, [true, false]]);
    expect([await ask(), await ask(), state.asked]).toEqual(['answered', 'answered', 3]);
    await aSecond(clock);
    expect(state.probed).toBe(3);
  });

  it('is there where it answers with an error of its own, to a probe too', async () => {
    const { state, told, presence, ask, clock } = create();
    state.fails = new Error('the job takes no more items');
    expect(await ask()).toBe('Error: the job takes no more items');
    expect([presence.isAway, told]).toEqual([false, []]);
    state.fails = new Error('no answer');
    await ask();
    state.fails = new Error('something else');
    await aSecond(clock);
    expect([presence.isAway, told]).toEqual([false, [true, false]]);
  });
});
