/** The store of tokens at its bounds: what is refused, and what is forgotten first. */
import { expect, it } from 'vitest';

import { createFakeClock } from '../../../lib/fake-clock.ts';
import { EMPTY, STATUS, type Result } from './result.ts';
import { Tokens } from './tokens.ts';

const BOUNDS = {
  pendingMax: 3,
  pendingMaxBytes: 100,
  finishedMax: 4,
  finishedMaxBytes: 50,
  tenantShare: 1,
  keptMs: 1000,
};

const printing = (size: number): Result => ({
  ...EMPTY,
  status: STATUS.accepted,
  stdout: new Uint8Array(size),
});

const aStore = () => {
  const clock = createFakeClock();
  return { clock, tokens: new Tokens(clock, BOUNDS) };
};

it('has places for so many, and for so many bytes, and gives them back', () => {
  const { tokens } = aStore();
  const places = [1, 2, 3].map(() => tokens.open(71, { tenant: 'a', bytes: 10 }));
  expect(places.every((place) => place !== null)).toBe(true);
  expect(tokens.open(71, { tenant: 'a', bytes: 10 })).toBeNull();
  places[0]?.finish(printing(0));
  expect(tokens.open(71, { tenant: 'a', bytes: 81 })).toBeNull();
  expect(tokens.open(71, { tenant: 'a', bytes: 80 })).not.toBeNull();
});

it('forgets the oldest results beyond their number, and never what is pending', () => {
  const { tokens } = aStore();
  const waiting = tokens.open(71, { tenant: 'a', bytes: 1 });
  const ended = Array.from({ length: 6 }, () => {
    const place = tokens.open(71, { tenant: 'a', bytes: 1 });
    place?.finish(printing(0));
    return place?.token ?? '';
  });
  const known = ended.map((token) => tokens.get(token) !== null);
  expect(known).toEqual([false, false, true, true, true, true]);
  expect(tokens.get(waiting?.token ?? '')?.result.status).toBe(STATUS.queued);
});

it('forgets the oldest results beyond their bytes, a single one too', () => {
  const { tokens } = aStore();
  const end = (size: number): string => {
    const place = tokens.open(71, { tenant: 'a', bytes: 1 });
    place?.finish(printing(size));
    return place?.token ?? '';
  };
  const first = end(30);
  const second = end(20);
  expect([first, second].map((token) => tokens.get(token) !== null)).toEqual([true, true]);
  const third = end(1);
  expect([first, second, third].map((token) => tokens.get(token) !== null)).toEqual([
    false,
    true,
    true,
  ]);
  expect(tokens.get(end(51))).toBeNull();
});

it('forgets results in time, in the order of their ends', () => {
  const { tokens, clock } = aStore();
  const [early, late] = [
    tokens.open(71, { tenant: 'a', bytes: 1 }),
    tokens.open(71, { tenant: 'a', bytes: 1 }),
  ];
  late?.finish(printing(1));
  clock.advance(600);
  early?.finish(printing(1));
  clock.advance(500);
  expect(tokens.get(late?.token ?? '')).toBeNull();
  expect(tokens.get(early?.token ?? '')).not.toBeNull();
});

it('keeps a result that came while nobody asked, and no word of what came before it', () => {
  const { tokens } = aStore();
  const place = tokens.open(71, { tenant: 'a', bytes: 1 });
  place?.begun();
  expect(tokens.get(place?.token ?? '')?.result.status).toBe(STATUS.processing);
  place?.finish(printing(1));
  place?.begun();
  expect(tokens.get(place?.token ?? '')?.result.status).toBe(STATUS.accepted);
});

it('gives one tenant a share of the places, and of what is kept', () => {
  const { clock } = aStore();
  const tokens = new Tokens(clock, { ...BOUNDS, finishedMax: 8, tenantShare: 0.5 });
  const open = (tenant: string, bytes = 1) => tokens.open(71, { tenant, bytes });
  expect(['a', 'a', 'a', 'b'].map((tenant) => open(tenant) !== null)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  const other = new Tokens(clock, { ...BOUNDS, finishedMax: 8, tenantShare: 0.5 });
  const end = (tenant: string, size = 0): string => {
    const place = other.open(71, { tenant, bytes: 1 });
    place?.finish(printing(size));
    return place?.token ?? '';
  };
  const theirs = end('b');
  const own = Array.from({ length: 6 }, () => end('a'));
  expect(own.map((token) => other.get(token) !== null)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  const large = end('a', 25);
  const larger = end('a', 20);
  expect([large, larger, theirs].map((token) => other.get(token) !== null)).toEqual([
    false,
    true,
    true,
  ]);
});
