/** Which program of a wall is taken, of those that a host has. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findRunsc, releaseOf } from './find.ts';

describe('releaseOf', () => {
  it.each([
    ['runsc version release-20260527.0\nspec: 1.2.1\n', '20260527.0'],
    ['runsc version release-20260527\n', '20260527'],
    ['runsc version 0.0~20221219.0-2+b3\n', null],
    ['runsc version VERSION_MISSING\n', null],
    ['', null],
  ])('of %j is %j', (text, release) => {
    expect(releaseOf(text)).toBe(release);
  });
});

describe('findRunsc', () => {
  let folder: string;
  const program = async (name: string, release: string): Promise<string> => {
    await mkdir(join(folder, name));
    const path = join(folder, name, 'runsc');
    await writeFile(path, `#!/bin/sh\necho 'runsc version release-${release}'\n`);
    await chmod(path, 0o755);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-find-'));
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  it('takes the first that is new enough, and names one that is too old', async () => {
    const old = await program('old', '20221219.0');
    const own = await program('own', '20260527.0');
    const newer = await program('newer', '20270101.0');
    const searchPath = `${join(folder, 'old')}:${join(folder, 'newer')}`;
    expect(await findRunsc({ program: '', searchPath, ownProgram: own })).toEqual({
      path: newer,
      version: 'release-20270101.0',
    });
    const none = { program: '', searchPath: join(folder, 'old'), ownProgram: '/nowhere/runsc' };
    expect(await findRunsc(none)).toMatchObject({
      path: null,
      problem: expect.stringContaining(`${old} does not run, or is older than release-20260501`),
    });
    expect(await findRunsc({ ...none, searchPath: '' })).toMatchObject({
      path: null,
      problem: expect.stringContaining('npm run gvisor'),
    });
    expect(await findRunsc({ ...none, program: old })).toMatchObject({ path: null });
  });
});
