/**
 * From a jail's policy to the OCI bundle that runsc takes: the configuration, and what lies on the host for it. Pure:
 * everything the jail may see or do is readable here. The supervisor and the runs have one root (`--root own` in
 * runners/protocol.md), which holds what runs see in nsjail.
 */
import { checkedTarget, FILES, RUN_ID, toWarmArgs, WARM_LIBRARY } from '../nsjail/config.ts';
import type { JailPolicy } from '../port.ts';

export interface BundleHost {
  /** Host path of the static supervisor. */
  readonly supervisor: string;
  /** Host folder that is the root, as `toTree` describes it. */
  readonly tree: string;
  /** The supervisor's cgroup arguments; what they name is passed by the launcher. */
  readonly cgroupArgs: readonly string[];
}

/** An entry of that folder. */
export type TreeEntry =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string };

interface Bind {
  readonly source: string;
  readonly target: string;
}

/** Of the sentry's kernel, not of the host's: what the supervisor needs to make runs. */
const CAPABILITIES = [
  ...['CAP_SYS_ADMIN', 'CAP_SYS_CHROOT', 'CAP_SYS_RESOURCE', 'CAP_SYS_PTRACE', 'CAP_MKNOD'],
  ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP', 'CAP_KILL'],
  ...['CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_DAC_OVERRIDE', 'CAP_DAC_READ_SEARCH'],
];

/** Runs have another mount over it. */
const SUPERVISOR = '/run/supervisor';
const NAMESPACES = ['pid', 'network', 'ipc', 'uts', 'mount'];
/** What is fresh per run, and the supervisor's own mounts. */
const MOUNT_POINTS = ['/proc', '/run', '/work', '/tmp', '/dev'];
/** What runs see as /proc/stat: one processor, as many as they may use. Of its times only the names are there. */
const STAT: readonly [string, string] = [
  '/assay/stat',
  ['cpu ', 'cpu0'].map((name) => `${name} 0 0 0 0 0 0 0 0 0 0\n`).join(''),
];
const READ_ONLY = ['ro', 'nosuid', 'nodev'];
export const EMPTY_TMPFS = ['size=4096', 'nr_inodes=2', 'mode=0755', 'nosuid', 'nodev'];

/** runsc's `config.json`. Throws RangeError for a mount target that is no plain absolute path. */
export function toBundle(policy: JailPolicy, host: BundleHost): string {
  const set = CAPABILITIES;
  return JSON.stringify({
    ociVersion: '1.0.2',
    hostname: 'assay',
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      cwd: '/',
      env: [],
      args: [
        ...[SUPERVISOR, '--name', '@NAME@', '--root', 'own', '--uid', String(RUN_ID)],
        ...host.cgroupArgs,
        ...toWarmArgs(policy.warm),
      ],
      capabilities: { bounding: set, effective: set, permitted: set },
    },
    // What is written is the sandbox's overlay in memory, by runsc and the supervisor, which then closes it.
    root: { path: host.tree, readonly: false },
    mounts: [
      { destination: '/proc', type: 'proc' },
      tmpfs('/run', [`size=${policy.stagingBytes}`, 'mode=0755']),
      bind({ source: host.supervisor, target: SUPERVISOR }),
      ...policy.mounts.flatMap((mount) => {
        if (mount.kind === 'symlink') return [];
        const target = checkedTarget(mount.target);
        return mount.kind === 'empty'
          ? [tmpfs(target, EMPTY_TMPFS)]
          : [bind({ source: mount.source, target })];
      }),
      ...warmBinds(policy).map(bind),
    ],
    linux: { namespaces: NAMESPACES.map((type) => ({ type })) },
  });
}

/**
 * What lies in the host folder, in the order in which it is made: files, links, and a mount point for each mount
 * that is not below another one, whose source has it. A mount point is made like what it takes.
 */
export function toTree(policy: JailPolicy, isFolder: (source: string) => boolean): TreeEntry[] {
  const links = policy.mounts.flatMap((mount) =>
    mount.kind === 'symlink' ? [{ path: checkedTarget(mount.target), to: mount.source }] : [],
  );
  const binds = [
    ...policy.mounts.flatMap((mount) => (mount.kind === 'bind' ? [mount] : [])),
    ...warmBinds(policy),
  ];
  const empty = policy.mounts.flatMap(({ kind, target }) => (kind === 'empty' ? [target] : []));
  const all = [...binds.map(({ target }) => target), ...empty];
  const isOutside = (target: string): boolean =>
    !all.some((other) => target.startsWith(`${other}/`));
  const point = (target: string, folder: boolean): TreeEntry =>
    folder ? { kind: 'folder', path: target } : { kind: 'file', path: target, text: '' };
  return [
    ...MOUNT_POINTS.map((path) => point(path, true)),
    ...[...FILES, STAT].map(([path, text]) => ({ kind: 'file' as const, path, text })),
    ...binds
      .filter(({ target }) => isOutside(target))
      .map(({ source, target }) => point(checkedTarget(target), isFolder(source))),
    ...empty.filter(isOutside).map((target) => point(checkedTarget(target), true)),
    ...links.map(({ path, to }) => ({ kind: 'link' as const, path, to })),
  ];
}

export function warmBinds({ warm }: JailPolicy): Bind[] {
  if (warm === null) return [];
  return [{ source: warm.library, target: WARM_LIBRARY }, ...warm.preload];
}

function bind({ source, target }: Bind) {
  return { destination: target, type: 'bind', source, options: ['bind', ...READ_ONLY] };
}

function tmpfs(destination: string, options: readonly string[]) {
  return { destination, type: 'tmpfs', source: 'tmpfs', options };
}
