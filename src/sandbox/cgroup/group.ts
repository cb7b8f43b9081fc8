/** Small operations on one cgroup folder, alike on v1 and v2. */
import { access, constants, mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';

const RETRY_MS = 10;

/** Writes a value into a control file that exists. Throws what the kernel says. */
export async function writeControl(folder: string, file: string, value: string): Promise<void> {
  // Without O_CREAT and O_TRUNC: a control file is there or the controller is not.
  await writeFile(join(folder, file), value, { flag: 'r+' });
}

/** Members of the group itself, not of those below. */
export async function readProcesses(folder: string): Promise<number[]> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

export async function readWords(folder: string, file: string): Promise<string[]> {
  const text = await readFile(join(folder, file), 'utf8');
  return text.split(/\s+/).filter((word) => word !== '');
}

/** A control file's text without its line end; null where there is none. */
export async function readControl(folder: string, file: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, file), 'utf8')).trimEnd();
  } catch {
    // No such file, or no such group any more, which is the answer.
    return null;
  }
}

/** A number of a flat-keyed file; 0 where the key is not there. */
export function readKey(text: string, key: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${key} `));
  return line === undefined ? 0 : Number(line.slice(key.length + 1));
}

export async function canWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    // Missing or forbidden, which is the answer.
    return false;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // Missing, which is the answer.
    return false;
  }
}

export async function makeGroup(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
}

export interface RemoveOptions {
  readonly clock: Clock;
  /** How long a busy group is tried again, ms. */
  readonly timeoutMs: number;
  /** Kill what is inside; without it a group with members stays. */
  readonly kill: boolean;
}

/**
 * Removes a group with all groups below it. A group stays busy for a moment after its last process is gone, so it
 * is tried again. False when it is still there in the end.
 */
export async function removeGroup(folder: string, options: RemoveOptions): Promise<boolean> {
  const deadline = options.clock.now() + options.timeoutMs;
  for (;;) {
    if (await tryRemove(folder, options.kill)) return true;
    if (options.clock.now() >= deadline) return false;
    await options.clock.sleep(RETRY_MS);
  }
}

async function tryRemove(folder: string, kill: boolean): Promise<boolean> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    // Gone in the meantime.
    return !(await exists(folder));
  }
  if (kill) await killMembers(folder);
  for (const entry of entries) {
    if (entry.isDirectory()) await tryRemove(join(folder, entry.name), kill);
  }
  try {
    await rmdir(folder);
    return true;
  } catch {
    // Busy: the caller tries again.
    return false;
  }
}

async function killMembers(folder: string): Promise<void> {
  for (const pid of await readProcesses(folder).catch((): number[] => [])) {
    try {
      if (pid > 1 && pid !== process.pid) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
