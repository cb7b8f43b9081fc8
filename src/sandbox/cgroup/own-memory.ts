/** The memory of the control groups that this process is in, where they have a limit: what a container may take. */
import { join } from 'node:path';

import { readControl, readKey } from './group.ts';
import { toFolder } from './mounts.ts';
import type { CgroupMount, CgroupView } from './mounts.ts';

/** v1 writes a limit of none as the largest multiple of a page, v2 as a word. */
const NO_LIMIT = 2 ** 60;

interface Version {
  readonly limit: string;
  readonly usage: string;
  /** Pages of files, which the kernel takes back when the group meets its limit. */
  readonly cache: readonly string[];
}

const VERSIONS = {
  cgroup: {
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    cache: ['total_inactive_file', 'total_active_file'],
  },
  cgroup2: {
    limit: 'memory.max',
    usage: 'memory.current',
    cache: ['inactive_file', 'active_file'],
  },
} as const satisfies Record<CgroupMount['type'], Version>;

export interface GroupMemory {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The group, of one's own and those above it, that has least left; null where none has a limit. */
export async function leastOf(view: CgroupView): Promise<GroupMemory | null> {
  const looks = foldersOf(view).map(({ folder, version }) => readGroup(folder, version));
  const limited = (await Promise.all(looks)).filter((each) => each !== null);
  return limited.toSorted((a, b) => a.freeBytes - b.freeBytes)[0] ?? null;
}

/** Every folder from one's own group up to the mount point, of the hierarchies that may have the memory controller. */
export function foldersOf(view: CgroupView): { folder: string; version: Version }[] {
  return view.mounts
    .filter(({ type, controllers }) => type === 'cgroup2' || controllers.includes('memory'))
    .flatMap((mount) => {
      const key = mount.type === 'cgroup2' ? '' : 'memory';
      const own = toFolder(mount, view.paths.get(key) ?? '/');
      const below = own.slice(mount.mountPoint.length).split('/').filter(Boolean);
      return Array.from({ length: below.length + 1 }, (_, depth) => ({
        folder: join(mount.mountPoint, ...below.slice(0, depth)),
        version: VERSIONS[mount.type],
      }));
    });
}

/** Null for a group without a limit, or one that went away. */
async function readGroup(folder: string, version: Version): Promise<GroupMemory | null> {
  const [limit, usage] = await Promise.all([
    readControl(folder, version.limit),
    readControl(folder, version.usage),
  ]);
  const totalBytes = Number(limit);
  if (limit === null || usage === null || !(totalBytes < NO_LIMIT)) return null;
  const stat = (await readControl(folder, 'memory.stat')) ?? '';
  const cache = version.cache.reduce((sum, key) => sum + readKey(stat, key), 0);
  const used = Math.max(Number(usage) - cache, 0);
  return { totalBytes, freeBytes: Math.max(totalBytes - used, 0) };
}
