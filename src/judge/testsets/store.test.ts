/** The store on a real disk: what is written is found again, damage is noticed, leavings go, room ends. */
import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { TestsetStore, TestsetStoreError } from './store.ts';

const CALIBRATION = { mode: null, references: 1, runs: 1, controls: 1, cpuMsMax: 5 };
const HOUR_S = 3600;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-store-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function openStore(bytesMax = 1_000_000): Promise<TestsetStore> {
  return await TestsetStore.open({ folder, bytesMax, now: Date.now });
}

async function register(store: TestsetStore, id: string, text: string): Promise<string> {
  const stored = await store.putProblem({ tests: { kind: 'stdio', cases: [text] } });
  const problems = [{ id: 'one', ...stored, calibration: CALIBRATION }];
  await store.putManifest({ id, hidden: true, problems }, '2026-01-01T00:00:00Z');
  return stored.digest;
}

describe('TestsetStore', () => {
  it('finds after a restart what it was given', async () => {
    const problem = await register(await openStore(), 'set', 'a');
    const again = await openStore();
    expect(again.ids()).toEqual(['set']);
    const [version] = again.versions('set');
    const manifest = await again.manifest(version?.digest ?? '');
    expect(manifest?.problems.map(({ digest }) => digest)).toEqual([problem]);
    expect(await again.problem(problem)).toEqual({ tests: { kind: 'stdio', cases: ['a'] } });
  });

  it('does not give out a problem that its file no longer is', async () => {
    const store = await openStore();
    const problem = await register(store, 'set', 'a');
    await truncate(join(folder, 'problems', `${problem}.json`), 10);
    await expect(store.problem(problem)).rejects.toThrow(TestsetStoreError);
  });

  it('keeps a problem as long as a set names it', async () => {
    const store = await openStore();
    const problem = await register(store, 'first', 'a');
    await register(store, 'second', 'a');
    await store.remove('first');
    expect(await readdir(join(folder, 'problems'))).toEqual([`${problem}.json`]);
    await store.remove('second');
    expect(await readdir(join(folder, 'problems'))).toEqual([]);
  });

  it('has room for so many bytes, also after a restart, and again when a set is gone', async () => {
    const long = 'x'.repeat(600);
    await register(await openStore(1000), 'first', long);
    const again = await openStore(1000);
    await expect(register(again, 'second', long.toUpperCase())).rejects.toThrow('no room');
    await again.remove('first');
    await register(again, 'second', long.toUpperCase());
  });

  it('gives nothing for what has been removed', async () => {
    const store = await openStore();
    const problem = await register(store, 'set', 'a');
    const [version] = store.versions('set');
    await store.remove('set');
    expect(await store.problem(problem)).toBeNull();
    expect(await store.manifest(version?.digest ?? '')).toBeNull();
  });

  it('removes problems that a crash left unnamed, once they are old, and counts the others', async () => {
    const store = await openStore();
    const named = await register(store, 'set', 'a');
    const lost = await store.putProblem({ tests: 'lost' });
    const young = await store.putProblem({ tests: 'y'.repeat(900) });
    const old = Date.now() / 1000 - 2 * HOUR_S;
    for (const digest of [named, lost.digest])
      await utimes(join(folder, 'problems', `${digest}.json`), old, old);
    const again = await openStore(1000);
    const left = await readdir(join(folder, 'problems'));
    expect(left.toSorted()).toEqual([`${named}.json`, `${young.digest}.json`].toSorted());
    await expect(again.putProblem({ tests: 'x'.repeat(100) })).rejects.toThrow('no room');
  });

  it('removes nothing where it cannot tell what is named', async () => {
    const store = await openStore();
    const named = await register(store, 'set', 'a');
    const [version] = store.versions('set');
    await truncate(join(folder, 'manifests', `${version?.digest}.json`), 5);
    const old = Date.now() / 1000 - 2 * HOUR_S;
    await utimes(join(folder, 'problems', `${named}.json`), old, old);
    await openStore();
    expect(await readdir(join(folder, 'problems'))).toEqual([`${named}.json`]);
  });

  it('clears away what a crash left half-written, not what another may be writing', async () => {
    await register(await openStore(), 'set', 'a');
    const problems = join(folder, 'problems');
    await writeFile(join(problems, '.old.draft'), 'half');
    await writeFile(join(problems, '.new.draft'), 'half');
    const old = Date.now() / 1000 - 2 * HOUR_S;
    await utimes(join(problems, '.old.draft'), old, old);
    await openStore();
    const left = await readdir(problems);
    expect(left).toContain('.new.draft');
    expect(left).not.toContain('.old.draft');
  });
});
