/** Something that is away and comes back: who is told what, how often it is asked, and what is its own error. */
import { describe, expect, it } from 'vitest';

import { createFakeClock } from './fake-clock.ts';
import { AwayError, Presence } from './presence.ts';

function create() {
  const clock = createFakeClock();
  const state = { isConnected: true, fails: null as Error | null, asked: 0 };
  const told: boolean[] = [];
  const presence = new Presence({
    clock,
    isConnected: () => state.isConnected,
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

describe('something that may be away', () => {
  it('is not asked without a connection, says so once, and is there again with it', async () => {
    const { state, told, presence, ask, clock } = create();
    state.isConnected = false;
    expect([await ask(), await ask(), presence.isAway]).toEqual(['away', 'away', true]);
    expect([state.asked, told]).toEqual([0, [true]]);
    state.isConnected = true;
    clock.advance(1000);
    expect([await ask(), presence.isAway, told]).toEqual(['answered', false, [true, false]]);
  });

  it('is tried by one call a second where it does not answer', async () => {
    const { state, presence, ask, clock } = create();
    state.fails = new Error('no answer');
    expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill('away'));
    expect(state.asked).toBe(1);
    clock.advance(1000);
    expect([await ask(), await ask(), state.asked]).toEqual(['away', 'away', 2]);
    clock.advance(1000);
    state.fails = null;
    expect([await ask(), await ask(), presence.isAway]).toEqual(['answered', 'answered', false]);
  });

  it('is there where it answers with an error of its own', async () => {
    const { state, told, presence, ask } = create();
    state.fails = new Error('the job takes no more items');
    expect(await ask()).toBe('Error: the job takes no more items');
    expect([presence.isAway, told]).toEqual([false, []]);
  });
});
