/** Compile once: who waits for whom, and what nobody gets from anybody. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Fault } from '../../domain/errors.ts';
import { systemClock } from '../../lib/clock.ts';
import { ArtefactCache, type Compiled } from './cache.ts';
import { ArtefactStore } from './store.ts';
import { aBuild, aKey } from './test-build.ts';

let folder: string;
let cache: ArtefactCache;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artefacts-'));
  const store = await ArtefactStore.open({ folder, bytesMax: 1024 * 1024, clock: systemClock });
  cache = new ArtefactCache(store);
});
afterEach(async () => await rm(folder, { recursive: true }));

const KEY = aKey('a');
const good: Compiled = { build: aBuild(), isRepeatable: true };

/** A compile step that ends when told to. */
function aStep() {
  const { promise, resolve, reject } = Promise.withResolvers<Compiled>();
  const step = { calls: 0, resolve, reject };
  const compile = async (): Promise<Compiled> => {
    step.calls += 1;
    return await promise;
  };
  return Object.assign(step, { compile });
}

const never = new AbortController().signal;
const ask = async (compile: () => Promise<Compiled>, signal = never) =>
  await cache.build(KEY, { signal, compile });
const instantly = (compiled: Compiled) => {
  const step = aStep();
  step.resolve(compiled);
  return step;
};

describe('ArtefactCache', () => {
  it('compiles once for all who ask at the same time, and for those who ask later', async () => {
    const step = aStep();
    const asked = Array.from({ length: 5 }, async () => await ask(step.compile));
    step.resolve(good);
    const answers = await Promise.all(asked);
    expect(step.calls).toBe(1);
    expect(answers.map(({ cached }) => cached)).toEqual([false, true, true, true, true]);
    for (const { build } of answers) expect(build).toEqual(aBuild());
    expect(await ask(step.compile)).toEqual({ build: aBuild(), cached: true });
    expect(step.calls).toBe(1);
    expect(cache.stats()).toMatchObject({ misses: 1, shared: 4, hits: 1, entries: 1 });
  });

  it('keeps a compile error like a program', async () => {
    const error = { ok: false, outcome: aBuild('', { exitCode: 1 }).outcome, artefacts: [] };
    const step = instantly({ build: error, isRepeatable: true });
    await ask(step.compile);
    expect(await ask(step.compile)).toEqual({ build: error, cached: true });
    expect(step.calls).toBe(1);
  });

  it('gives nobody another’s fault: those who wait compile, one for all', async () => {
    const broken = aStep();
    const first = ask(broken.compile);
    const step = instantly(good);
    const others = [1, 2, 3].map(async () => await ask(step.compile));
    broken.reject(new Fault('jail_died', 'x'));
    await expect(first).rejects.toThrow(Fault);
    expect((await Promise.all(others)).map(({ cached }) => cached)).toEqual([false, true, true]);
    expect(step.calls).toBe(1);
  });

  it('gives nobody a result in which a limit had a hand; those who wait need not queue for it', async () => {
    const late = { build: aBuild('', { kind: 'time_limit' }), isRepeatable: false };
    const leading = aStep();
    const first = ask(leading.compile);
    const own = aStep();
    const others = [1, 2].map(async () => await ask(own.compile));
    leading.resolve(late);
    expect(await first).toEqual({ build: late.build, cached: false });
    await expect.poll(() => own.calls).toBe(2);
    own.resolve(late);
    expect((await Promise.all(others)).map(({ cached }) => cached)).toEqual([false, false]);
    expect(cache.stats()).toMatchObject({ misses: 3, entries: 0 });
  });

  it('lets who waits leave, and the leader go on', async () => {
    const step = aStep();
    const first = ask(step.compile);
    const gone = new AbortController();
    const waiting = ask(step.compile, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    step.resolve(good);
    expect(await first).toMatchObject({ cached: false });
    await expect(ask(step.compile, gone.signal)).rejects.toThrow('gone');
  });

  it('a leader that is cancelled leaves the lead to one that waits', async () => {
    const step = aStep();
    const first = ask(step.compile);
    const next = instantly(good);
    const second = ask(next.compile);
    step.reject(new Error('caller gone'));
    await expect(first).rejects.toThrow('caller gone');
    expect(await second).toMatchObject({ cached: false });
    expect(next.calls).toBe(1);
  });

  it('keeps keys apart', async () => {
    await ask(instantly(good).compile);
    const other = instantly({ build: aBuild('other'), isRepeatable: true });
    const answer = await cache.build(aKey('b'), { signal: never, compile: other.compile });
    expect(answer).toEqual({ build: aBuild('other'), cached: false });
  });
});
