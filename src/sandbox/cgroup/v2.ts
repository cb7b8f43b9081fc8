/**
 * cgroup v2. Layout: `<base>/<instance>/jail-N/{sup,run}`: the jail's group has the hard caps, the supervisor lives in
 * `sup`, runs are cloned straight into `run` (CLONE_INTO_CGROUP), whose limits the supervisor writes through
 * descriptors it is given. No process changes its group after the start of its jail.
 */
import { basename, dirname, join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';
import type { LaunchRecord } from '../launcher/launch-record.ts';
import { type GroupFile, toFdPassing } from './fd-args.ts';
import { exists, makeGroup, readProcesses, readWords, removeGroup, writeControl } from './group.ts';
import { toFolder } from './mounts.ts';
import type { CgroupView } from './mounts.ts';
import { CgroupUnavailable } from './types.ts';
import type { CgroupHost, CgroupOptions, JailGroupSpec } from './types.ts';

const REQUIRED = ['memory', 'pids'] as const;
const ENABLE = '+memory +pids';
const PROBE_BYTES = 64 * 1024 * 1024;
const REMOVE_TIMEOUT_MS = 5000;
const MOVE_ATTEMPTS = 20;

export interface V2Base {
  /** The group under which the service makes its own. */
  readonly folder: string;
  /** Whether processes of that group must first move into a child, because only its leaves may hold any. */
  readonly mustMove: boolean;
}

/** Where the service's group goes. Throws `CgroupUnavailable` when v2 is not there with its controllers. */
export async function findV2Base(view: CgroupView, parent: string | undefined): Promise<V2Base> {
  const mount = view.mounts.find((m) => m.type === 'cgroup2');
  if (mount === undefined) throw new CgroupUnavailable('cgroup v2 is not mounted');
  const own = leaveInit(toFolder(mount, view.paths.get('') ?? '/'), mount.mountPoint);
  // The machine's real root has no cgroup.type, and it alone may hold processes and enable controllers at once.
  const isRealRoot = !(await exists(join(mount.mountPoint, 'cgroup.type')));
  const folder =
    parent === undefined
      ? isRealRoot && (await hasControllers(mount.mountPoint)) && isRoot()
        ? mount.mountPoint
        : own
      : join(mount.mountPoint, parent);
  if (!(await hasControllers(folder))) {
    throw new CgroupUnavailable(
      `${folder} does not offer the controllers memory and pids; boot without v1 controllers, or delegate them (systemd: Delegate=yes)`,
    );
  }
  const isRootOfAll = folder === mount.mountPoint && isRealRoot;
  return { folder, mustMove: !isRootOfAll };
}

/** Makes the service's group, enables the controllers and tries a limit for real. Throws `CgroupUnavailable`. */
export async function createV2(
  view: CgroupView,
  options: CgroupOptions & { readonly clock: Clock },
): Promise<CgroupHost> {
  const { clock, instance } = options;
  const base = await findV2Base(view, options.parent);
  const folder = join(base.folder, instance);
  const remove = async (): Promise<void> => {
    await removeGroup(folder, { clock, timeoutMs: REMOVE_TIMEOUT_MS, kill: false });
  };
  try {
    const enabled = await readWords(base.folder, 'cgroup.subtree_control');
    if (!REQUIRED.every((controller) => enabled.includes(controller))) {
      if (base.mustMove) await moveMembersAway(base.folder);
      await writeControl(base.folder, 'cgroup.subtree_control', ENABLE);
    }
    await makeGroup(folder);
    await writeControl(folder, 'cgroup.subtree_control', ENABLE);
    const probe = join(folder, 'probe');
    await makeGroup(probe);
    await writeControl(probe, 'memory.max', String(PROBE_BYTES));
    await writeControl(probe, 'pids.max', '16');
    const has = {
      peak: await exists(join(probe, 'memory.peak')),
      swap: await exists(join(probe, 'memory.swap.max')),
    };
    await removeGroup(probe, { clock, timeoutMs: REMOVE_TIMEOUT_MS, kill: false });
    return {
      backEnd: 'v2',
      parents: [folder],
      controllers: [...REQUIRED, 'cpu.stat', ...(has.peak ? ['memory.peak'] : [])],
      forJail: (spec) => toV2JailGroup(spec, has),
      close: remove,
    };
  } catch (error) {
    await remove();
    if (error instanceof CgroupUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CgroupUnavailable(
      `cgroup v2 cannot be used below ${base.folder}: ${why}; run as root, or in a unit with Delegate=yes, or in a container with its own writable cgroup`,
      { cause: error },
    );
  }
}

/** Records and arguments of one jail. Pure. */
export function toV2JailGroup(
  spec: JailGroupSpec,
  has: { readonly peak: boolean; readonly swap: boolean },
): ReturnType<CgroupHost['forJail']> {
  const parent = 0;
  const write = (path: string, value: string): LaunchRecord => ({
    kind: 'write',
    parent,
    path,
    value,
  });
  const caps = [
    write('memory.max', String(spec.memoryMaxBytes)),
    ...(has.swap ? [write('memory.swap.max', '0')] : []),
    write('pids.max', String(spec.processesMax)),
  ];
  const figuresOf = (folder: string): GroupFile[] => [
    { arg: '--fd-cpu', parent, access: 'read', path: `${folder}cpu.stat` },
    ...(has.peak
      ? ([
          { arg: '--fd-memory-peak', parent, access: 'read_write', path: `${folder}memory.peak` },
        ] as const)
      : []),
    { arg: '--fd-memory-usage', parent, access: 'read', path: `${folder}memory.current` },
    { arg: '--fd-memory-stat', parent, access: 'read', path: `${folder}memory.stat` },
  ];
  if (spec.isOpaque === true) {
    const figures = toFdPassing(figuresOf(''));
    return {
      records: [
        ...caps,
        write('memory.oom.group', '1'),
        ...figures.records,
        { kind: 'join', parent, path: '' },
      ],
      args: ['--cgroup', 'v2', ...figures.args],
      fds: figures.fds,
    };
  }
  const chown = (path: string): LaunchRecord => {
    return { kind: 'chown', parent, uid: spec.supervisorUid, path };
  };
  const passing = toFdPassing([
    ...figuresOf('run/'),
    { arg: '--fd-memory-limit', parent, access: 'read_write', path: 'run/memory.max' },
    { arg: '--fd-memory-events', parent, access: 'read', path: 'run/memory.events' },
    { arg: '--fd-memory-hits', parent, access: 'read', path: 'run/memory.events' },
    { arg: '--fd-pids-limit', parent, access: 'read_write', path: 'run/pids.max' },
    { arg: '--fd-pids-events', parent, access: 'read', path: 'run/pids.events' },
    { arg: '--fd-run-group', parent, access: 'directory', path: 'run' },
  ]);
  return {
    records: [
      ...caps,
      write('cgroup.subtree_control', ENABLE),
      { kind: 'mkdir', parent, path: 'sup' },
      { kind: 'mkdir', parent, path: 'run' },
      ...(has.swap ? [write('run/memory.swap.max', '0')] : []),
      write('run/memory.oom.group', '1'),
      // Cloning into a group needs write access to its cgroup.procs and to the common ancestor's (cgroups(7)).
      chown('cgroup.procs'),
      chown('run/cgroup.procs'),
      ...passing.records,
      { kind: 'join', parent, path: 'sup' },
    ],
    args: ['--cgroup', 'v2', ...passing.args],
    fds: passing.fds,
  };
}

/** A service started again sits where its last life has moved everybody; the group above is the one it was given. */
function leaveInit(folder: string, mountPoint: string): string {
  return folder !== mountPoint && basename(folder) === 'init' ? dirname(folder) : folder;
}

async function hasControllers(folder: string): Promise<boolean> {
  const offered = await readWords(folder, 'cgroup.controllers').catch((): string[] => []);
  return REQUIRED.every((controller) => offered.includes(controller));
}

/** Moves all members of a group into its child `init`; new ones may be forked meanwhile, so it looks again. */
async function moveMembersAway(folder: string): Promise<void> {
  const init = join(folder, 'init');
  for (let attempt = 0; attempt < MOVE_ATTEMPTS; attempt++) {
    const members = await readProcesses(folder);
    if (members.length === 0) return;
    await makeGroup(init);
    for (const pid of members) {
      // A member that has ended in between cannot be moved and need not be; the next look decides.
      await writeControl(init, 'cgroup.procs', String(pid)).catch(() => {});
    }
  }
  throw new CgroupUnavailable(`the processes of ${folder} cannot be moved into a child group`);
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}
