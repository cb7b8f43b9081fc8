/**
 * From a jail's policy to the words that `runners/enclose` takes: the jail of a kernel that is gVisor's, in which the
 * supervisor and the runs have one root (`--root built` in runners/protocol.md). Pure: everything the jail may see is
 * readable here.
 */
import type { JailIds } from '../nsjail/config.ts';
import { DEVICES, LINKS, RUN_ID, toWarmArgs } from '../nsjail/config.ts';
import { EMPTY_TMPFS, toTree, type TreeEntry, warmBinds } from '../gvisor/bundle.ts';
import type { JailPolicy } from '../port.ts';

export interface EncloseHost {
  /** Path of the static supervisor. */
  readonly supervisor: string;
  readonly ids: JailIds;
  /** The supervisor's cgroup arguments; what they name is passed by the launcher. */
  readonly cgroupArgs: readonly string[];
  /** Whether a toolchain's source is a folder. */
  readonly isFolder: (source: string) => boolean;
}

/** Runs have another mount over it. */
const SUPERVISOR = '/run/supervisor';

/** Throws RangeError for a mount target that is no plain absolute path, or a path that would end its word. */
export function toEncloseConfig(policy: JailPolicy, host: EncloseHost): string {
  const { ids } = host;
  const inside = ids.hasRunId ? [0, RUN_ID] : [0];
  const words = [
    ...inside.flatMap((id, index) => ['--map', String(id), String(ids.outside + index)]),
    ...toTree(policy, host.isFolder).flatMap(toWords),
    ...['--proc', '/proc', ''],
    ...['--tmpfs', '/run', `size=${policy.stagingBytes},mode=0755`],
    ...bind(host.supervisor, SUPERVISOR),
    ...DEVICES.flatMap((name) => ['--device', `/dev/${name}`, `/dev/${name}`]),
    ...LINKS.flatMap(([path, to]) => ['--link', path, to]),
    ...policy.mounts.flatMap((mount) => {
      if (mount.kind === 'symlink') return [];
      return mount.kind === 'empty'
        ? ['--tmpfs', mount.target, EMPTY_TMPFS.join(',')]
        : bind(mount.source, mount.target);
    }),
    ...warmBinds(policy).flatMap(({ source, target }) => bind(source, target)),
    ...['--', SUPERVISOR, '--name', '@NAME@', '--root', 'built'],
    ...['--uid', String(ids.hasRunId ? RUN_ID : 0), ...host.cgroupArgs],
    ...toWarmArgs(policy.warm),
  ];
  for (const word of words)
    if (word.includes('\0')) throw new RangeError(`${JSON.stringify(word)} has a NUL`);
  return words.map((word) => `${word}\0`).join('');
}

function toWords(entry: TreeEntry): string[] {
  if (entry.kind === 'folder') return ['--folder', entry.path, ''];
  return entry.kind === 'file'
    ? ['--file', entry.path, entry.text]
    : ['--link', entry.path, entry.to];
}

function bind(source: string, target: string): string[] {
  return ['--bind', source, target];
}
