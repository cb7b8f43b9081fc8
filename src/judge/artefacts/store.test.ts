/** The store over a real folder: what comes back, what goes to make room, and what a crash or a bad disk leaves. */
import {
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../lib/clock.ts';
import { newInstanceName } from '../../sandbox/instance.ts';
import { decodeEntry, encodeEntry, isStorable } from './entry.ts';
import { ArtefactStore } from './store.ts';
import { aBuild, aKey } from './test-build.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artefacts-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

const KIB = 1024;
const open = async (options: { bytesMax?: number; entriesMax?: number } = {}) =>
  await ArtefactStore.open({ folder, bytesMax: 1024 * KIB, clock: systemClock, ...options });

describe('entries', () => {
  it('come back as they went in, also a compile error', async () => {
    const error = { ok: false, outcome: aBuild('', { exitCode: 1 }).outcome, artefacts: [] };
    const empty = { ...aBuild(), artefacts: [{ path: 'a/b', content: Buffer.alloc(0) }] };
    for (const build of [aBuild(), error, empty]) {
      expect(await decodeEntry('k', await encodeEntry('k', build))).toEqual(build);
    }
  });

  it('are believed neither for another key nor with any byte changed, nor cut', async () => {
    const bytes = await encodeEntry('k', aBuild());
    expect(await decodeEntry('l', bytes)).toBeNull();
    for (let at = 0; at < bytes.length; at += 1) {
      const bad = Buffer.from(bytes);
      bad.writeUInt8(bad.readUInt8(at) ^ 1, at);
      expect(await decodeEntry('k', bad)).toBeNull();
      expect(await decodeEntry('k', Buffer.from(bytes.subarray(0, at)))).toBeNull();
    }
  });

  it('hold only steps that ended by themselves with whole output', () => {
    expect(isStorable(aBuild())).toBe(true);
    expect(isStorable(aBuild('', { kind: 'time_limit' }))).toBe(false);
    expect(isStorable(aBuild('', { exitCode: null, signal: 11, kind: 'signalled' }))).toBe(false);
    expect(isStorable(aBuild('', { stderrTruncated: true }))).toBe(false);
  });
});

describe('ArtefactStore', () => {
  it('keeps builds over a restart', async () => {
    const store = await open();
    expect(await store.get(aKey('a'))).toBeNull();
    await store.put(aKey('a'), aBuild());
    expect(await store.get(aKey('a'))).toEqual(aBuild());
    const again = await open();
    expect(await again.get(aKey('a'))).toEqual(aBuild());
    expect(again.stats()).toEqual({ ...store.stats() });
    expect(again.stats()).toMatchObject({ entries: 1, corrupt: 0, writeFailures: 0 });
  });

  it('deletes a file that is not what was written', async () => {
    const store = await open();
    for (const key of ['a', 'b', 'c']) await store.put(aKey(key), aBuild());
    const path = (key: string) => join(folder, aKey(key));
    const bytes = await readFile(path('a'));
    await writeFile(path('a'), Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]));
    await truncate(path('b'), 20);
    await rm(path('c'));
    for (const key of ['a', 'b', 'c']) expect(await store.get(aKey(key))).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    expect(store.stats()).toMatchObject({ entries: 0, bytes: 0, corrupt: 2 });
    await store.put(aKey('a'), aBuild());
    expect(await store.get(aKey('a'))).toEqual(aBuild());
  });

  it('keeps to the budget; the least recently used goes first', async () => {
    const store = await open({ bytesMax: 35 * KIB });
    const build = aBuild('x'.repeat(10 * KIB));
    for (const key of ['a', 'b', 'c']) await store.put(aKey(key), build);
    await store.get(aKey('a'));
    await store.put(aKey('d'), build);
    expect(await store.get(aKey('b'))).toBeNull();
    expect((await readdir(folder)).toSorted()).toEqual(['a', 'c', 'd'].map(aKey));
    const { bytes, evicted } = store.stats();
    expect(bytes).toBeLessThanOrEqual(35 * KIB);
    expect(evicted).toBe(1);
  });

  it('never goes over the budget while it writes, and passes over what cannot fit', async () => {
    const store = await open({ bytesMax: 35 * KIB });
    await store.put(aKey('f'), aBuild('x'.repeat(36 * KIB)));
    expect(store.stats()).toMatchObject({ entries: 0, evicted: 0 });
    const build = aBuild('x'.repeat(10 * KIB));
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => store.put(aKey(key), build)));
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(store.stats().bytes);
    expect(store.stats().bytes).toBeLessThanOrEqual(35 * KIB);
    expect(store.stats().entries).toBe(3);
  });

  it('keeps to a number of entries, and to a budget that became smaller', async () => {
    const store = await open({ entriesMax: 3 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store.put(aKey(key), aBuild());
    expect(store.stats().entries).toBe(3);
    for (const [i, key] of ['e', 'd', 'c'].entries()) await utimes(join(folder, aKey(key)), i, i);
    const one = (await stat(join(folder, aKey('c')))).size;
    const smaller = await open({ bytesMax: one + 10 });
    expect(await readdir(folder)).toEqual([aKey('c')]);
    expect(smaller.stats()).toMatchObject({ entries: 1, bytes: one });
  });

  it('removes what a dead service left half-written, and nothing of a living one', async () => {
    const living = `${await newInstanceName()}.1.tmp`;
    const dead = 'assay-1-1-00000000.7.tmp';
    for (const name of [living, dead, 'README']) await writeFile(join(folder, name), 'half');
    const store = await open();
    expect((await readdir(folder)).toSorted()).toEqual(['README', living]);
    expect(store.stats().entries).toBe(0);
  });

  it('survives a disk that cannot be written', async () => {
    const store = await open();
    await rm(folder, { recursive: true });
    await store.put(aKey('a'), aBuild());
    expect(await store.get(aKey('a'))).toBeNull();
    expect(store.stats()).toMatchObject({ entries: 0, bytes: 0, writeFailures: 1 });
    await open();
  });
});
