/** One flight for all who ask, and nobody's misfortune is another's. */
import { describe, expect, it } from 'vitest';

import { SingleFlight, type Work } from './single-flight.ts';

const never = new AbortController().signal;

/** Work that ends when told to, and how often it was begun. */
function aWork() {
  const begun: PromiseWithResolvers<Work<string>>[] = [];
  const work = async (): Promise<Work<string>> => {
    const end = Promise.withResolvers<Work<string>>();
    begun.push(end);
    return await end.promise;
  };
  return { begun, work };
}

const turn = async (): Promise<void> => await new Promise(setImmediate);

describe('SingleFlight', () => {
  it('does the work once for those who ask meanwhile, and anew for who asks later', async () => {
    const flights = new SingleFlight<string>(10);
    const { begun, work } = aWork();
    const all = Promise.all([1, 2, 3].map(async () => await flights.fly('a', never, work)));
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve({ value: 'one', forOthers: 'take' });
    expect((await all).map(({ value, isShared }) => [value, isShared])).toEqual([
      ['one', false],
      ['one', true],
      ['one', true],
    ]);
    void flights.fly('a', never, work);
    await turn();
    expect(begun).toHaveLength(2);
  });

  it('lets another lead where the leader fails, one at a time', async () => {
    const flights = new SingleFlight<string>(10);
    const { begun, work } = aWork();
    const first = flights.fly('a', never, work);
    const others = Promise.all([1, 2].map(async () => await flights.fly('a', never, work)));
    await turn();
    begun[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve({ value: 'second', forOthers: 'take' });
    expect((await others).map(({ value }) => value)).toEqual(['second', 'second']);
  });

  it('lets another lead where a result is to be tried again, one at a time', async () => {
    const flights = new SingleFlight<string>(10);
    const { begun, work } = aWork();
    const all = Promise.all([1, 2, 3].map(async () => await flights.fly('a', never, work)));
    await turn();
    begun[0]?.resolve({ value: 'bad', forOthers: 'again' });
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve({ value: 'good', forOthers: 'take' });
    expect((await all).map(({ value }) => value)).toEqual(['bad', 'good', 'good']);
  });

  it('has everybody do their own work where a result is its leader’s alone', async () => {
    const flights = new SingleFlight<string>(10);
    const { begun, work } = aWork();
    const all = Promise.all([1, 2, 3].map(async () => await flights.fly('a', never, work)));
    await turn();
    begun[0]?.resolve({ value: 'first', forOthers: 'each' });
    await turn();
    expect(begun).toHaveLength(3);
    for (const [index, end] of begun.entries())
      end.resolve({ value: String(index), forOthers: 'each' });
    expect((await all).map(({ isShared }) => isShared)).toEqual([false, false, false]);
  });

  it('lets who waits leave, with the signal’s reason', async () => {
    const flights = new SingleFlight<string>(10);
    const { begun, work } = aWork();
    const first = flights.fly('a', never, work);
    const leaving = new AbortController();
    const second = flights.fly('a', leaving.signal, work);
    await turn();
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    begun[0]?.resolve({ value: 'one', forOthers: 'take' });
    expect((await first).value).toBe('one');
    expect(begun).toHaveLength(1);
  });

  it('keeps no more waiting than it may', async () => {
    const flights = new SingleFlight<string>(1);
    const { begun, work } = aWork();
    const all = [1, 2, 3].map(async () => await flights.fly('a', never, work));
    await turn();
    expect(begun).toHaveLength(2);
    for (const end of begun) end.resolve({ value: 'one', forOthers: 'take' });
    expect((await Promise.all(all)).filter(({ isShared }) => isShared)).toHaveLength(1);
  });
});
