/** Where this process sits in the cgroup hierarchies, from /proc/self/{mountinfo,cgroup}. Parsing is pure. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface CgroupMount {
  readonly mountPoint: string;
  /** The group at the mount point, seen from the hierarchy's (or the cgroup namespace's) root. */
  readonly root: string;
  readonly type: 'cgroup' | 'cgroup2';
  /** v1 controllers of this mount. */
  readonly controllers: readonly string[];
}

/** Controller (v1) or "" (v2) → this process' path in that hierarchy. */
export type CgroupPaths = ReadonlyMap<string, string>;

export interface CgroupView {
  readonly mounts: readonly CgroupMount[];
  readonly paths: CgroupPaths;
}

export async function readCgroupView(): Promise<CgroupView> {
  const [mountinfo, cgroup] = await Promise.all([
    readFile('/proc/self/mountinfo', 'utf8'),
    readFile('/proc/self/cgroup', 'utf8'),
  ]);
  return { mounts: parseMountinfo(mountinfo), paths: parseCgroup(cgroup) };
}

/** proc_pid_mountinfo(5): `36 35 0:32 ROOT MOUNT_POINT OPTIONS [tags…] - TYPE SOURCE SUPER_OPTIONS`. */
export function parseMountinfo(text: string): CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of text.split('\n')) {
    const [head = '', tail = ''] = line.split(' - ');
    const [type, , superOptions = ''] = tail.split(' ');
    const fields = head.split(' ');
    if (type !== 'cgroup' && type !== 'cgroup2') continue;
    mounts.push({
      mountPoint: unescape(fields[4] ?? ''),
      root: unescape(fields[3] ?? ''),
      type,
      controllers: type === 'cgroup' ? superOptions.split(',') : [],
    });
  }
  return mounts;
}

/** cgroups(7): `hierarchy:controllers:path`, v2 has no controllers. */
export function parseCgroup(text: string): CgroupPaths {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^\d+:([^:]*):(.*)$/.exec(line);
    if (match === null) continue;
    for (const controller of (match[1] ?? '').split(',')) paths.set(controller, match[2] ?? '/');
  }
  return paths;
}

/** The folder of a group in a mount; the mount point itself when the group lies outside of what is mounted. */
export function toFolder(mount: CgroupMount, path: string): string {
  const below = relative(mount.root, path);
  return below.startsWith('..') ? mount.mountPoint : join(mount.mountPoint, below);
}

function unescape(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
