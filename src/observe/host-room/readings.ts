/** Looks at what the host has left: a file system by statfs(2), memory by /proc/meminfo. */
import { readFile, statfs } from 'node:fs/promises';

import type { Reading } from './watermark.ts';

const KIB = 1024;

/** Of the file system that holds a folder, as this user may fill it. */
export async function readDisk(folder: string): Promise<Reading> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  // What only root may fill is nobody's: df(1) counts it neither as used nor as free.
  const reserved = bfree - bavail;
  return { totalBytes: (blocks - reserved) * bsize, freeBytes: bavail * bsize };
}

/** MemAvailable counts what the kernel can take back of its caches (proc(5)). Throws where the text has no such lines. */
export function parseMeminfo(text: string): Reading {
  const kib = (key: string): number => {
    const found = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`/proc/meminfo has no ${key}`);
    return Number(found);
  };
  return { totalBytes: kib('MemTotal') * KIB, freeBytes: kib('MemAvailable') * KIB };
}

export async function readMemory(): Promise<Reading> {
  return parseMeminfo(await readFile('/proc/meminfo', 'utf8'));
}
