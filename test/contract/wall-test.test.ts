/**
 * The test that a service makes of its walls, on real ones: those of this host hold, and one that was made weaker on
 * purpose is found out, by what it lets through and not by what it says of itself.
 */
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testWall } from '../../src/judge/wall-test/test-wall.ts';
import { systemClock as clock } from '../../src/lib/clock.ts';
import { projectPath } from '../../src/lib/project.ts';
import { createNsjailSandbox } from '../../src/sandbox/nsjail/nsjail.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { gvisorWall, nsjailPaths, nsjailWall, skipNote } from './walls.ts';

const probe = projectPath('runners/build/wall-probe');
const { signal } = new AbortController();
const walls = [];
// One after the other: each probe starts a jail of its own.
for (const cgroup of ['v1', 'v2', 'none'] as const) walls.push(await nsjailWall(cgroup));
walls.push(await gvisorWall('auto'));
const usual = tmpdir();
const nsjailMissing = (await nsjailWall('none')).missing;

describe.each(walls)('$name', (wall) => {
  it.skipIf(wall.missing !== null)(`holds${skipNote(wall.missing)}`, async () => {
    const sandbox = await wall.create();
    const test = await testWall({ sandbox, clock, probe, signal });
    await sandbox.close();
    expect(test).toMatchObject({ wall: wall.kind, state: 'holds', holes: [], reason: null });
    expect(test.tried).toEqual(
      expect.arrayContaining(['tcp4', 'udp4', 'dns', 'abstract', 'mount', 'memory', 'left_files']),
    );
  });
});

/** A change of nsjail's configuration, as sed makes it, and ways that it opens. */
const WEAKER: readonly (readonly [string, script: string, holes: readonly string[]])[] = [
  [
    'shares the network',
    's/clone_newnet: true/clone_newnet: false/',
    ['tcp4', 'udp4', 'dns', 'abstract'],
  ],
  [
    'shows a folder for writing',
    '/"\\/skel\\/shown"/ s/is_bind: true/is_bind: true rw: true/',
    ['shown_folder'],
  ],
  [
    'shows the host',
    '$ a mount { src: "@FOLDER@" dst: "/skel@FOLDER@" is_bind: true }',
    ['host_file'],
  ],
];

describe.skipIf(nsjailMissing !== null)(`a weaker nsjail${skipNote(nsjailMissing)}`, () => {
  let folder: string;
  const temporary = process.env['TMPDIR'];
  beforeAll(async () => {
    // Not below /tmp, over which every run has one of its own.
    folder = await mkdtemp('/var/tmp/assay-weaker-');
    await chmod(folder, 0o755);
    process.env['TMPDIR'] = folder;
  });
  afterAll(async () => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    await rm(folder, { recursive: true });
  });

  /** nsjail by a script that edits what it is told. */
  async function weaker(name: string, script: string): Promise<Sandbox> {
    const own = join(folder, name.replaceAll(' ', '-'));
    const nsjail = join(own, 'nsjail');
    await mkdir(own);
    const edit = script.replaceAll('@FOLDER@', folder);
    await writeFile(
      nsjail,
      `#!/bin/sh\nsed '${edit}' "$2" > ${own}/config\nexec ${nsjailPaths.nsjail} --config ${own}/config\n`,
    );
    await chmod(nsjail, 0o755);
    const stateDir = await mkdtemp(join(usual, 'assay-contract-'));
    const sandbox = await createNsjailSandbox({
      clock,
      ...nsjailPaths,
      nsjail,
      stateDir,
      cgroup: 'none',
    });
    const close = async (): Promise<void> => {
      await sandbox.close();
      await rm(stateDir, { recursive: true, force: true });
    };
    return { ...sandbox, close };
  }

  it.each(WEAKER)('that %s does not hold', async (name, script, holes) => {
    const sandbox = await weaker(name, script);
    const test = await testWall({ sandbox, clock, probe, signal });
    await sandbox.close();
    expect(test.state, `${test.reason}`).toBe('fails');
    expect([...new Set(test.holes.map(({ what }) => what))]).toEqual(
      expect.arrayContaining([...holes]),
    );
    expect((await readdir(tmpdir())).filter((each) => each.startsWith('assay-wall-test-'))).toEqual(
      [],
    );
  });

  it('that starts no jail is unknown, with the reason', async () => {
    const sandbox = await weaker('breaks', 's/mode: ONCE/mode: NONE/');
    const test = await testWall({ sandbox, clock, probe, signal });
    await sandbox.close();
    expect(test).toMatchObject({ state: 'unknown', holes: [], tried: [] });
    expect(test.reason).toMatch(/\w/);
  });

  it('without the program that tries it is unknown', async () => {
    const sandbox = await weaker('whole', '');
    const test = await testWall({ sandbox, clock, probe: join(folder, 'nothing'), signal });
    await sandbox.close();
    expect(test).toMatchObject({ state: 'unknown', reason: expect.stringContaining('ENOENT') });
  });
});
