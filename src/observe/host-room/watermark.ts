/**
 * When a host has too little room to take anything new, by one reading of a resource, and what jails may take of it: pure.
 * A share alone would stop a large, well filled disk that has hundreds of GiB left, and a free amount alone would let a
 * small one run full, so both must say so (docs/decisions/0034-watermarks.md).
 */

export const RESOURCES = ['disk', 'memory', 'cgroup_memory'] as const;
/** The state folder's file system, the host's memory, and that of the service's own control group where it has a limit. */
export type Resource = (typeof RESOURCES)[number];

/** One look at a resource, bytes. */
export interface Reading {
  readonly totalBytes: number;
  /** What can still be taken, 0 … total. */
  readonly freeBytes: number;
}

export interface Watermark {
  /** Share in use from which nothing new is taken, 1 … 100 %. */
  readonly percent: number;
  /** As long as so much is free it is taken all the same, bytes; 0: always. */
  readonly enoughBytes: number;
}

/** How far below its watermark a full resource must fall, percentage points, so that it does not go to and fro. */
const BACK_PERCENT = 5;
/** Or what must be free again, as a multiple of what is enough. */
const BACK_FREE = 1.25;

/** The share in use, 0 … 100 %; 0 for a file system that tells no size. */
export function usedPercent({ totalBytes, freeBytes }: Reading): number {
  if (totalBytes <= 0) return 0;
  return Math.min(Math.max((1 - freeBytes / totalBytes) * 100, 0), 100);
}

/** Whether it is full now; once it is (`wasFull`), it takes more room than it took to become so to be no longer. */
export function isFull(reading: Reading, mark: Watermark, wasFull: boolean): boolean {
  const percent = mark.percent - (wasFull ? BACK_PERCENT : 0);
  const enough = mark.enoughBytes * (wasFull ? BACK_FREE : 1);
  return usedPercent(reading) >= percent && reading.freeBytes < enough;
}

/** The rest is for the service, the page cache and what else lives here. */
const JAIL_SHARE = 0.85;
/** What of it is in use on a host that does nothing else, bytes; on the smallest no more than a share. */
const REST = { bytes: 256 * 1024 * 1024, share: 0.25 } as const;

/**
 * What all jails together may take of so much memory, bytes: less than makes it full, so that programs which use their
 * whole limits do not stop what comes after them.
 */
export function jailShare(totalBytes: number, mark: Watermark): number {
  const rest = Math.min(REST.bytes, totalBytes * REST.share);
  const room = roomBelow(totalBytes, mark) - rest;
  return Math.floor(Math.max(0, Math.min(totalBytes * JAIL_SHARE, room)));
}

/** How much may be in use before it is full, bytes; all of it where it never is. */
function roomBelow(totalBytes: number, { percent, enoughBytes }: Watermark): number {
  if (enoughBytes === 0) return totalBytes;
  return Math.max((totalBytes * percent) / 100, totalBytes - enoughBytes);
}
