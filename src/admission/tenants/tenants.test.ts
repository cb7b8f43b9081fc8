/** Keys, the document they are kept in, and who a key belongs to as both change. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../lib/clock.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import { TenantDirectory } from './directory.ts';
import { editDocument, fileDocument, type TenantDocument } from './document.ts';
import { addTenant, EditError, revoke, rotateKeys } from './edit.ts';
import { createKey, hasDigest, keyId } from './key.ts';
import { EMPTY, parseDirectory, toPolicy, type Directory } from './schema.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;

function later(hours: number): Date {
  return new Date(NOW.getTime() + hours * HOUR_MS);
}

function aDirectory(key = createKey(), directory: Directory = EMPTY): Directory {
  return addTenant(directory, { id: 'team-a', policy: {}, added: { key, now: NOW } });
}

describe('a key', () => {
  it('is found by its id and known by its digest alone', () => {
    const { key, id, sha256 } = createKey();
    expect(key).toMatch(/^assay_[0-9a-f]{16}_[\w-]{43}$/);
    expect(keyId(key)).toBe(id);
    expect(hasDigest(key, sha256)).toBe(true);
    expect(hasDigest(`${key.slice(0, -1)}_`, sha256)).toBe(key.endsWith('_'));
    expect(JSON.stringify(aDirectory({ key, id, sha256 }))).not.toContain(key.slice(24));
  });

  it.each(['', 'assay_', 'sk-123', `assay_${'0'.repeat(16)}_short`, 'x'.repeat(10_000)])(
    'is none: %.20s',
    (text) => {
      expect(keyId(text)).toBeNull();
    },
  );
});

describe('the directory as text', () => {
  it.each([
    ['{', 'it is not JSON'],
    ['{"version": 2, "tenants": []}', 'version: '],
    ['{"version": 1, "tenants": [{"id": "A"}]}', 'tenants.0.id: '],
    ['{"version": 1, "tenants": [{"id": "a", "policy": {"rate": 1}}]}', 'tenants.0.policy: '],
    ['{"version": 1, "tenants": [{"id": "a"}, {"id": "a"}]}', ': two tenants have one id'],
  ])('is refused by the place, without a value: %s', (text, reason) => {
    expect(() => parseDirectory(text)).toThrow(reason);
  });

  it('has defaults for what a policy leaves out', () => {
    expect(toPolicy({})).toMatchObject({
      requestsPerS: null,
      burst: 1,
      weight: 1,
      priorityMax: 10,
    });
    expect(toPolicy({ requestsPerS: 2.5 })).toMatchObject({ burst: 3 });
    expect(toPolicy({ requestsPerS: 2.5, burst: 40 })).toMatchObject({ burst: 40 });
  });
});

describe('changes', () => {
  it('rotate: a further key, older ones end after the grace, expired ones are gone', () => {
    const [old, next, last] = [createKey(), createKey(), createKey()];
    const graceUntil = later(2);
    const once = rotateKeys(aDirectory(old), {
      id: 'team-a',
      added: { key: next, now: later(1) },
      graceUntil,
    });
    expect(once.tenants[0]?.keys).toMatchObject([
      { id: old.id, expires: graceUntil.toISOString() },
      { id: next.id },
    ]);
    const twice = rotateKeys(once, {
      id: 'team-a',
      added: { key: last, now: later(3) },
      graceUntil: later(4),
    });
    expect(twice.tenants[0]?.keys.map(({ id }) => id)).toEqual([next.id, last.id]);
  });

  it('revoke: one key, or all with the tenant', () => {
    const key = createKey();
    const directory = aDirectory(key);
    const without = revoke(directory, { id: 'team-a', key: key.id });
    expect(without.tenants).toMatchObject([{ id: 'team-a', keys: [] }]);
    expect(revoke(directory, { id: 'team-a', key: null }).tenants).toEqual([]);
    expect(() => revoke(directory, { id: 'team-b', key: null })).toThrow(EditError);
    expect(() => revoke(directory, { id: 'team-a', key: 'f'.repeat(16) })).toThrow(EditError);
    expect(() => aDirectory(key, directory)).toThrow(EditError);
  });
});

describe('a file', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-tenants-'));
    file = path.join(folder, 'deep', 'tenants.json');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('is made for its owner alone, and loses no change of many at once', async () => {
    const document = fileDocument(file, systemClock);
    expect(await document.read()).toBeNull();
    const names = Array.from({ length: 4 }, (_, index) => `team-${index}`);
    const add = (id: string) => (text: string | null) =>
      JSON.stringify(addTenant(parseDirectory(text), { id, policy: {}, added: null }));
    await Promise.all(names.map(async (id) => await editDocument(document, add(id))));
    const kept = parseDirectory(await readFile(file, 'utf8')).tenants.map(({ id }) => id);
    expect(kept.toSorted()).toEqual(names);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is not replaced where somebody else has changed it', async () => {
    const document = fileDocument(file, systemClock);
    await writeFile(file, 'theirs');
    expect(await document.replace('ours', 'next')).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('theirs');
  });
});

describe('who a key belongs to', () => {
  function create(directory: Directory) {
    const clock = createFakeClock();
    const held = { text: JSON.stringify(directory), isReadable: true };
    const document: TenantDocument = {
      place: 'memory',
      async read() {
        if (!held.isReadable) throw new Error('unreadable');
        return held.text;
      },
      replace: async () => false,
    };
    const troubles: (string | null)[] = [];
    const found = new TenantDirectory({
      document,
      clock,
      onTrouble: (reason) => troubles.push(reason),
    });
    return { clock, held, troubles, directory: found };
  }

  it('is seen anew within a second, and goes on as it was where the document breaks', async () => {
    const key = createKey();
    const { directory, held, clock, troubles } = create(EMPTY);
    expect(await directory.hasKeys()).toBe(false);
    expect(await directory.find(key.key)).toBeNull();
    held.text = JSON.stringify(aDirectory(key));
    clock.advance(1000);
    expect(await directory.find(key.key)).toMatchObject({ id: 'team-a' });
    held.text = '{';
    clock.advance(1000);
    expect(await directory.find(key.key)).toMatchObject({ id: 'team-a' });
    held.isReadable = false;
    clock.advance(1000);
    expect(await directory.find(key.key)).toMatchObject({ id: 'team-a' });
    held.isReadable = true;
    held.text = JSON.stringify(EMPTY);
    clock.advance(1000);
    expect(await directory.find(key.key)).toBeNull();
    expect(troubles).toEqual(['it is not JSON', 'unreadable', null]);
  });

  it('is nobody for another secret with its id, and after its end', async () => {
    const [key, other] = [createKey(), createKey()];
    const expires = new Date(5000);
    const added = { key, now: new Date(0), expires };
    const { directory, clock } = create(addTenant(EMPTY, { id: 'a', policy: {}, added }));
    const forged = `assay_${key.id}_${other.key.slice(-43)}`;
    expect(await directory.find(forged)).toBeNull();
    expect(await directory.find(key.key)).not.toBeNull();
    clock.advance(5000);
    expect(await directory.find(key.key)).toBeNull();
  });

  it('is not said before it is known', async () => {
    const { directory, held } = create(EMPTY);
    held.isReadable = false;
    await expect(directory.open()).rejects.toThrow('unreadable');
    await expect(directory.find('x')).rejects.toMatchObject({ code: 'not_ready' });
  });
});
