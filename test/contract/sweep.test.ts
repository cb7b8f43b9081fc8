/**
 * What a service leaves behind: nothing when it closes, and nothing once the next one has started when it was killed
 * with a jail at work.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { systemClock as clock } from '../../src/lib/clock.ts';
import { detectCgroup } from '../../src/sandbox/cgroup/detect.ts';
import { newInstanceName } from '../../src/sandbox/instance.ts';
import { createWall } from '../../src/sandbox/probe.ts';
import { gvisorWall, nsjailPaths, nsjailWall, skipNote } from './walls.ts';

/** Start of the next line a child prints. */
async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const chunk of stream) return String(chunk).trim();
  throw new Error('the child ended without a word');
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Processes whose command line holds the text, of all on this host. */
async function processesWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  );
  return lines.filter((line) => line.includes(text));
}

const WALLS = [
  { cgroup: 'v1', wall: await nsjailWall('v1') },
  { cgroup: 'v2', wall: await nsjailWall('v2') },
  { cgroup: 'v1', wall: await gvisorWall('v1') },
  { cgroup: 'v2', wall: await gvisorWall('v2') },
] as const;

for (const { cgroup, wall } of WALLS) {
  describe.skipIf(wall.missing !== null)(`sweep on ${wall.name}${skipNote(wall.missing)}`, () => {
    /** Names of groups of `pid` in every folder where a service makes its own. */
    const groupsOf = async (pid: number): Promise<string[]> => {
      const { host } = await detectCgroup({
        clock,
        wanted: cgroup,
        instance: await newInstanceName(),
      });
      await host.close();
      const lists = await Promise.all(host.parents.map((parent) => readdir(dirname(parent))));
      return lists.flat().filter((name) => name.startsWith(`assay-${pid}-`));
    };

    it('removes what a killed service left, and nothing of a living one', async () => {
      const stateDir = await mkdtemp(join(tmpdir(), 'assay-contract-'));
      const script = fileURLToPath(new URL('./hold-jail.ts', import.meta.url));
      const children = [0, 1].map(() => {
        const args = [script, wall.kind, wall.program, stateDir, cgroup];
        return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      });
      const [dead, living] = children;
      if (dead?.pid === undefined || living?.pid === undefined) throw new Error('not started');
      for (const child of children) expect(await firstLine(child.stdout)).toBe('jail-1');
      expect((await groupsOf(dead.pid)).length).toBeGreaterThan(0);
      await killed(dead);

      const means = { clock, ...nsjailPaths, stateDir, cgroup };
      const sandbox = await createWall(wall.kind, means, { path: wall.program, isSentry: false });
      expect(sandbox.swept.some((folder) => folder.includes(`assay-${dead.pid}-`))).toBe(true);
      expect(await groupsOf(dead.pid)).toEqual([]);
      expect((await groupsOf(living.pid)).length).toBeGreaterThan(0);
      await sandbox.close();

      await killed(living);
      const last = await createWall(wall.kind, means, { path: wall.program, isSentry: false });
      await last.close();
      // Every process of a sandbox is called with the folder of its jail.
      await expect.poll(() => processesWith(`${stateDir}/assay-`), { timeout: 10_000 }).toEqual([]);
      expect(await groupsOf(process.pid)).toEqual([]);
      expect(await readdir(stateDir)).toEqual([]);
      await rm(stateDir, { recursive: true });
    });
  });
}
