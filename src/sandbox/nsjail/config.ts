/**
 * From a jail's policy to nsjail's configuration. Pure: everything the jail may see or do is readable here. The
 * supervisor finds the file system that runners/protocol.md describes; runs get `/skel` as their root.
 */
import { posix } from 'node:path';

import type { ToolchainMount } from '../../domain/language.ts';
import type { JailHostProgram, JailPolicy, WarmPolicy } from '../port.ts';
import { toTextProto } from './text-proto.ts';
import type { TextMessage } from './text-proto.ts';

/** Ids of one jail on the host. */
export interface JailIds {
  /** The supervisor's uid and gid outside. */
  readonly outside: number;
  /** Whether runs have an id of their own (outside + 1), which takes CAP_SETUID on the host. */
  readonly hasRunId: boolean;
}

export interface JailHost {
  /** Host path of the static supervisor. */
  readonly supervisor: string;
  /** Host path of the static program that takes privileges from a host before it starts. */
  readonly confine: string;
  readonly ids: JailIds;
  /** Whether the kernel schedules each session as a group (sched(7), autogroup). */
  readonly hasAutogroup: boolean;
  /** The supervisor's cgroup arguments and the descriptors they name. */
  readonly cgroupArgs: readonly string[];
  readonly fds: readonly number[];
}

/**
 * Of runs in the supervisor's session, where one of their own would be a scheduling group of its own. At this level
 * the processes that a run may have weigh together as much as the supervisor alone (sched(7): 15 against 1024); only
 * with an id of their own does RLIMIT_NPROC bound how many they are.
 */
const RUN_NICENESS = 19;

/** The id of runs inside the jail where they have one of their own. */
export const RUN_ID = 1000;

export const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'] as const;
const HOST_DEVICES = ['null', 'urandom'] as const;
export const LINKS = [
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/stdout', '/proc/self/fd/1'],
  ['/dev/stderr', '/proc/self/fd/2'],
] as const;
export const FILES = [
  ['/etc/passwd', `root:x:0:0:root:/:/bin/sh\nrun:x:${RUN_ID}:${RUN_ID}::/work:/bin/sh\n`],
  ['/etc/group', `root:x:0:\nrun:x:${RUN_ID}:\n`],
  ['/etc/hosts', '127.0.0.1 localhost\n'],
  ['/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n'],
] as const;

const EMPTY_TMPFS = 'size=4096,nr_inodes=2,mode=0755';
const SKEL_OPTIONS = 'size=4194304,mode=0755';

/** Where a run's root has what is preloaded into the warm runtime. */
export const WARM_LIBRARY = '/assay/warm.so';

/** What every jail has, whoever is its first process. */
function toHead(policy: JailPolicy): TextMessage {
  return {
    name: '@NAME@',
    description: policy.environment,
    mode: { word: 'ONCE' },
    hostname: 'assay',
    log_level: { word: 'WARNING' },
    time_limit: 0,
    nice_level: 0,
    keep_env: false,
    keep_caps: policy.host === undefined,
    disable_rl: true,
    clone_newnet: true,
    clone_newuser: true,
    clone_newns: true,
    clone_newpid: true,
    clone_newipc: true,
    clone_newuts: true,
  };
}

/** nsjail's configuration as protobuf text. Throws RangeError for a mount target that is no plain absolute path. */
export function toNsjailConfig(policy: JailPolicy, host: JailHost): string {
  if (policy.host !== undefined) return toHostConfig(policy, policy.host, host);
  const { ids } = host;
  const map = [
    { inside_id: '0', outside_id: String(ids.outside), count: 1 },
    ...(ids.hasRunId
      ? [{ inside_id: String(RUN_ID), outside_id: String(ids.outside + 1), count: 1 }]
      : []),
  ];
  return toTextProto({
    ...toHead(policy),
    // Runs are cloned into a group beside the supervisor's, which a cgroup namespace rooted at the
    // supervisor's would forbid where cgroup2 is mounted with nsdelegate (cgroups(7)). Runs get their own.
    clone_newcgroup: false,
    iface_no_lo: true,
    uidmap: map,
    gidmap: map,
    pass_fd: [...host.fds],
    mount: [
      { dst: '/proc', fstype: 'proc', rw: true },
      { dst: '/run', fstype: 'tmpfs', rw: true, options: `size=${policy.stagingBytes},mode=0755` },
      { src: host.supervisor, dst: '/supervisor', is_bind: true, nosuid: true, nodev: true },
      // The supervisor puts mount points and these files there, and closes it.
      { dst: '/skel', fstype: 'tmpfs', rw: true, options: SKEL_OPTIONS, nosuid: true },
      ...policy.mounts.map((mount) => toMount(mount, '/skel')),
      ...(policy.warm === null ? [] : toWarmMounts(policy.warm)),
      ...DEVICES.map((name) => ({
        src: `/dev/${name}`,
        dst: `/skel/dev/${name}`,
        // Of the node alone: writing to a device goes past the mount.
        is_bind: true,
        nosuid: true,
        noexec: true,
      })),
      ...LINKS.map(([path, to]) => ({ src: to, dst: `/skel${path}`, is_symlink: true })),
      ...FILES.map(([path, text]) => ({ src_content: text, dst: `/skel${path}` })),
    ],
    exec_bin: {
      path: '/supervisor',
      arg: [
        ...['--name', '@NAME@', '--uid', String(ids.hasRunId ? RUN_ID : 0)],
        ...[
          '--nice',
          String(host.hasAutogroup && ids.hasRunId ? RUN_NICENESS : 0),
          ...host.cgroupArgs,
        ],
        ...toWarmArgs(policy.warm),
      ],
    },
  });
}

function toWarmMounts({ library, preload }: WarmPolicy): TextMessage[] {
  return [{ source: library, target: WARM_LIBRARY }, ...preload].map(({ source, target }) => ({
    src: source,
    dst: `/skel${checkedTarget(target)}`,
    is_bind: true,
    nosuid: true,
    nodev: true,
  }));
}

/** Variable of a runtime: the modules that it imports. */
const IMPORTS = 'ASSAY_WARM_IMPORTS';

/** The supervisor's arguments for its warm runtimes. */
export function toWarmArgs(warm: WarmPolicy | null): string[] {
  if (warm === null) return [];
  const env = {
    ...warm.env,
    LD_PRELOAD: WARM_LIBRARY,
    [IMPORTS]: warm.imports.join(','),
    ASSAY_WARM_PRELOAD: warm.preload.map(({ target }) => target).join(','),
  };
  return [
    ...['--warm-limit-ms', String(warm.startLimitMs)],
    ...warm.argv.flatMap((text) => ['--warm-arg', text]),
    ...Object.entries(env).flatMap(([name, value]) => ['--warm-env', `${name}=${value}`]),
    ...(warm.lightImports === null
      ? []
      : ['--warm-light-env', `${IMPORTS}=${warm.lightImports.join(',')}`]),
  ];
}

/**
 * A jail whose first process is a host: one id, which is nobody's outside, no capability, a root of read-only
 * mounts and nothing besides. No descriptor but the channel and the log; its cgroup holds it from outside.
 */
function toHostConfig(policy: JailPolicy, program: JailHostProgram, host: JailHost): string {
  const { ids } = host;
  const outside = String(ids.hasRunId ? ids.outside + 1 : ids.outside);
  const map = [{ inside_id: String(RUN_ID), outside_id: outside, count: 1 }];
  const backEnd = host.cgroupArgs[host.cgroupArgs.indexOf('--cgroup') + 1] ?? 'none';
  return toTextProto({
    ...toHead(policy),
    clone_newcgroup: true,
    iface_no_lo: true,
    uidmap: map,
    gidmap: map,
    mount: [
      { dst: '/proc', fstype: 'proc', options: 'hidepid=2,subset=pid' },
      { src: host.confine, dst: '/confine', is_bind: true, nosuid: true, nodev: true },
      ...policy.mounts.map((mount) => toMount(mount, '')),
      ...HOST_DEVICES.map((name) => ({
        src: `/dev/${name}`,
        dst: `/dev/${name}`,
        is_bind: true,
        rw: true,
        nosuid: true,
        noexec: true,
      })),
    ],
    exec_bin: {
      path: '/confine',
      arg: [...program.command, '--name', '@NAME@', '--cgroup', backEnd],
    },
  });
}

function toMount(mount: ToolchainMount, root: string): TextMessage {
  const dst = `${root}${checkedTarget(mount.target)}`;
  if (mount.kind === 'symlink') return { src: mount.source, dst, is_symlink: true };
  if (mount.kind === 'empty') {
    return { dst, fstype: 'tmpfs', options: EMPTY_TMPFS, nosuid: true, nodev: true };
  }
  return { src: mount.source, dst, is_bind: true, nosuid: true, nodev: true };
}

export function checkedTarget(target: string): string {
  const isPlain =
    posix.isAbsolute(target) && posix.normalize(target) === target && !target.endsWith('/');
  if (!isPlain) throw new RangeError(`the mount target ${target} is not a plain absolute path`);
  return target;
}
