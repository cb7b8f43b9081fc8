/**
 * This process as the host sees it: its capabilities, and names for what one life of the service makes on the host (cgroups, folders): `assay-<pid>-<start time>-<random>`. A pid
 * alone is used again by other processes, together with the start time it is not (proc_pid_stat(5), field 22).
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const NAME = /^assay-(\d+)-(\d+)-[0-9a-f]{8}$/;

/** A new name of this process; each call gives another, because one process may have several sandboxes. */
export async function newInstanceName(): Promise<string> {
  const startTime = await readStartTime(process.pid);
  if (startTime === null) throw new Error('/proc/self/stat cannot be read; is /proc mounted?');
  return `assay-${process.pid}-${startTime}-${randomBytes(4).toString('hex')}`;
}

/** Whether a name is an instance's whose process has ended. False for every other name. */
export async function isDeadInstance(name: string): Promise<boolean> {
  const match = NAME.exec(name);
  if (match === null) return false;
  const startTime = await readStartTime(Number(match[1]));
  return startTime !== match[2];
}

async function readStartTime(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The command's name may hold blanks and brackets, so fields are counted from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const hasEnded = fields[0] === 'Z' || fields[0] === 'X';
    return hasEnded ? null : (fields[19] ?? null);
  } catch {
    // No such process, which is the answer.
    return null;
  }
}

/** linux/capability.h */
export const CAP_SETGID = 6;
export const CAP_SETUID = 7;

/** Whether this process has all of these capabilities in effect. */
export async function hasCapabilities(...capabilities: readonly number[]): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'latin1');
  const mask = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return capabilities.every((capability) => (mask & (1n << BigInt(capability))) !== 0n);
}
