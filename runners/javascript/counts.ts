/** What a clean host looks like from inside, for HELLO and CLEAN. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Counts {
  readonly fds: number;
  readonly mounts: number;
  readonly processes: number;
  /** In use by the host. */
  readonly memoryBytes: number;
}

export function countJail(): Counts {
  return {
    fds: readdirSync('/proc/self/fd').length,
    mounts: readFileSync('/proc/self/mounts', 'utf8').split('\n').length - 1,
    processes: readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
    memoryBytes: process.memoryUsage.rss(),
  };
}
