/** A clock that stands still until told to move; for tests and simulations. */
import type { Clock, Timer } from './clock.ts';

interface Entry {
  readonly at: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Moves time by `ms` and calls every timer that is due, in order. */
  advance(ms: number): void;
}

export function createFakeClock(): FakeClock {
  let now = 0;
  const timers = new Set<Entry>();
  const nextDue = (until: number): Entry | null => {
    let first: Entry | null = null;
    for (const entry of timers) {
      if (entry.at <= until && (first === null || entry.at < first.at)) first = entry;
    }
    return first;
  };
  const after = (ms: number, callback: () => void): Timer => {
    const entry = { at: now + ms, callback };
    timers.add(entry);
    return { cancel: () => timers.delete(entry) };
  };
  return {
    now: () => now,
    date: () => new Date(now),
    after,
    sleep: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
    advance(ms) {
      const until = now + ms;
      for (let due = nextDue(until); due !== null; due = nextDue(until)) {
        timers.delete(due);
        now = due.at;
        due.callback();
      }
      now = until;
    },
  };
}
