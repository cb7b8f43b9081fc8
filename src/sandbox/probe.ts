/**
 * What this host can enforce, found by trying: for `assay doctor` and at the service's start. Reads the settings that
 * commonly stand in the way, then starts one real jail and believes its HELLO. Each problem says what is missing and
 * how to mend it. It changes nothing on the host that it does not undo.
 */
import { readFile } from 'node:fs/promises';
import { release, version } from 'node:os';

import { toFault } from '../domain/errors.ts';
import { STACK_BYTES } from '../domain/limits.ts';
import { CgroupUnavailable } from './cgroup/types.ts';
import {
  type HelloFacts,
  toEnforced,
  toEnforcedByGvisor,
  toEnforcedInSentry,
  weakInSentry,
  weakLimits,
} from './enforced.ts';
import {
  findNsjail,
  findPod,
  findRunsc,
  type Found,
  isExecutable,
  type PodFindOptions,
} from './find.ts';
import { createGvisorSandbox } from './gvisor/gvisor.ts';
import type { LaunchedOptions, LaunchedSandbox } from './launcher/launched.ts';
import { createNsjailSandbox } from './nsjail/nsjail.ts';
import { GVISOR_BUILD } from './pod/detect.ts';
import { createPodSandbox } from './pod/pod.ts';
import type { EnforcedProperty, RealWall } from '../domain/wall.ts';
import type { Jail, JailPolicy, WallProbe } from './port.ts';

export interface ProbeOptions extends PodFindOptions, LaunchedOptions {
  readonly wall: RealWall;
  readonly supervisor: string;
  readonly confine: string;
  /** Opens a session on the jail and answers its HELLO: `(jail) => (await Session.open(jail, …)).hello`. */
  readonly readHello: (jail: Jail) => Promise<HelloFacts>;
}

/** What a wall is made with. */
type Means = LaunchedOptions & Pick<ProbeOptions, 'supervisor' | 'confine'>;

/** What makes the jails of a wall, as found here. */
export interface Maker {
  readonly path: string;
  readonly isSentry: boolean;
}

interface WallKind {
  readonly find: (options: PodFindOptions) => Promise<Found>;
  readonly create: (means: Means, maker: Maker) => Promise<LaunchedSandbox>;
  readonly enforced: (
    hello: HelloFacts,
    isSentry: boolean,
  ) => Record<EnforcedProperty, string | null>;
  readonly weaknesses: (hello: HelloFacts, isSentry: boolean) => string[];
  /** Whether the host's bound of the stack holds inside. */
  readonly hasHostsStack: boolean;
}

const WALLS: Readonly<Record<RealWall, WallKind>> = {
  nsjail: {
    find: findNsjail,
    create: (means, { path }) => createNsjailSandbox({ ...means, nsjail: path }),
    enforced: toEnforced,
    weaknesses: weakLimits,
    hasHostsStack: true,
  },
  gvisor: {
    find: findRunsc,
    create: (means, { path }) => createGvisorSandbox({ ...means, runsc: path }),
    enforced: toEnforcedByGvisor,
    weaknesses: ({ cgroup }) => [
      cgroup === 'none'
        ? 'no cgroups: nothing caps a gVisor sandbox as a whole'
        : 'gVisor: memory and processes of a run are limited by polling and rlimits, which is weaker; the cgroup caps the sandbox as a whole',
    ],
    hasHostsStack: false,
  },
  pod: {
    find: findPod,
    create: (means, { path, isSentry }) =>
      createPodSandbox({ ...means, maker: path, kernel: isSentry ? 'gvisor' : 'linux' }),
    enforced: (hello, isSentry) => (isSentry ? toEnforcedInSentry(hello) : toEnforced(hello)),
    weaknesses: (hello, isSentry) => (isSentry ? weakInSentry(hello) : weakLimits(hello)),
    hasHostsStack: true,
  },
};

/** The wall of that name, with what `probeHost` has found to make it. Throws as `createLaunchedSandbox`. */
export async function createWall(
  wall: RealWall,
  means: Means,
  maker: Maker,
): Promise<LaunchedSandbox> {
  return await WALLS[wall].create(means, maker);
}

/** Settings of the kernel, as read; null where this kernel has no such setting. */
export interface HostFacts {
  readonly kernel: string;
  /** Whether this kernel is gVisor's. */
  readonly isGvisor: boolean;
  readonly isRoot: boolean;
  readonly maxUserNamespaces: number | null;
  readonly unprivilegedUserNamespaces: boolean | null;
  readonly apparmorRestrictsUserNamespaces: boolean | null;
  readonly swapBytes: number;
  /** 2 = full address space randomisation. */
  readonly randomizeVaSpace: number | null;
}

export interface HostProbe extends WallProbe {
  readonly host: HostFacts;
  /** What makes the jails, null when nothing does. */
  readonly program: string | null;
  /** See `Found`. */
  readonly isSentry: boolean;
  /** What the cgroup back end enforces with. */
  readonly controllers: readonly string[];
  /** Start of the trial jail to its HELLO, ms; null when it did not start. */
  readonly jailStartMs: number | null;
}

const MIB = 1024 * 1024;
const TRIAL: JailPolicy = {
  environment: 'probe',
  mounts: [],
  memoryMaxBytes: 256 * MIB,
  processesMax: 32,
  stagingBytes: MIB,
  warm: null,
};

/** Never throws for what the host lacks: that is in `problems`, and `available` is false. */
export async function probeHost(options: ProbeOptions): Promise<HostProbe> {
  const host = await readHostFacts();
  const problems: string[] = [];
  const { wall } = options;
  const kind = WALLS[wall];
  const found = await kind.find(options);
  for (const program of [options.launcher, options.supervisor]) {
    if (!(await isExecutable(program)))
      problems.push(`${program} is missing; build it: npm run runners`);
  }
  if (found.path === null) problems.push(found.problem);
  if (found.path === null || problems.length > 0) {
    return { ...nothing(wall, host, problems), program: found.path };
  }
  const maker: Maker = { path: found.path, isSentry: found.isSentry ?? false };
  let sandbox: LaunchedSandbox | null = null;
  try {
    sandbox = await kind.create({ ...options, jailsMax: 1 }, maker);
    const startedAt = options.clock.now();
    const jail = await sandbox.start(TRIAL);
    const hello = await options.readHello(jail);
    const jailStartMs = options.clock.now() - startedAt;
    const stackBound = kind.hasHostsStack ? sandbox.stackMaxBytes : null;
    await jail.close();
    return {
      wall,
      available: true,
      version: found.version,
      cgroup: hello.cgroup,
      enforced: kind.enforced(hello, maker.isSentry),
      stackMb: Math.floor(largestStack(hello, stackBound) / MIB),
      problems: [
        ...sandbox.problems,
        ...kind.weaknesses(hello, maker.isSentry),
        ...stackWeaknesses(hello, stackBound),
        ...hostWeaknesses(host),
      ],
      host,
      program: found.path,
      isSentry: maker.isSentry,
      controllers: sandbox.controllers,
      jailStartMs,
    };
  } catch (error) {
    const why = explain(error, host, wall);
    return { ...nothing(wall, host, why), program: found.path, version: found.version };
  } finally {
    await sandbox?.close();
  }
}

function explain(error: unknown, host: HostFacts, wall: RealWall): string[] {
  if (error instanceof CgroupUnavailable) return [error.message];
  const { detail } = toFault(error);
  if (host.isGvisor && wall !== 'pod')
    return [
      `this kernel is gVisor's, in which ${wall} makes no jails (${detail}); take ASSAY_WALLS=pod`,
    ];
  return [`a trial jail does not start: ${detail}`, ...obstacles(host, detail)];
}

/** Settings that stand in the way of user namespaces and mounts, each with its remedy. Pure. */
export function obstacles(host: HostFacts, failure: string): string[] {
  const lines: string[] = [];
  if (host.maxUserNamespaces === 0) {
    lines.push('user.max_user_namespaces is 0; set it: sysctl -w user.max_user_namespaces=15000');
  }
  if (host.unprivilegedUserNamespaces === false && !host.isRoot) {
    lines.push('kernel.unprivileged_userns_clone is 0; set it to 1, or run as root');
  }
  if (host.apparmorRestrictsUserNamespaces === true) {
    lines.push(
      'AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1); set it to 0, or load a profile with `userns,` for nsjail',
    );
  }
  if (/proc/.test(failure)) {
    lines.push(
      'a fresh /proc may not be mounted where the one of the container is masked; Docker: --security-opt systempaths=unconfined, Kubernetes: procMount: Unmasked',
    );
  }
  if (/clone|unshare|namespace|Operation not permitted/i.test(failure)) {
    lines.push(
      'a seccomp profile or missing capability may forbid namespaces; Docker: --security-opt seccomp=unconfined with --cap-add SYS_ADMIN, or a runtime class that is a wall itself',
    );
  }
  return lines;
}

function largestStack({ cgroup }: HelloFacts, boundBytes: number | null): number {
  const meant = cgroup === 'none' ? STACK_BYTES.none : STACK_BYTES.cgroup;
  return Math.min(meant, boundBytes ?? meant);
}

/** A stack smaller than contest judges give: deep recursion fails here that is right elsewhere. Pure. */
export function stackWeaknesses(hello: HelloFacts, boundBytes: number | null): string[] {
  const largest = largestStack(hello, boundBytes);
  if (largest === largestStack(hello, null)) return [];
  return [
    `the host's hard limit of the stack is ${Math.floor(largest / MIB)} MiB, so deep recursion ends as runtime_error; raise it: ulimit -Hs unlimited, LimitSTACK=infinity (systemd), --ulimit stack=-1 (Docker), or CAP_SYS_RESOURCE`,
  ];
}

/** Settings of the host that make every wall weaker than it could be. Pure. */
export function hostWeaknesses(host: HostFacts): string[] {
  const lines: string[] = [];
  if (host.swapBytes > 0) {
    lines.push('swap is on; times may vary under memory pressure: swapoff -a');
  }
  if (host.randomizeVaSpace === 0) {
    lines.push(
      'kernel.randomize_va_space is 0, which weakens the walls: sysctl -w kernel.randomize_va_space=2',
    );
  }
  return lines;
}

async function readHostFacts(): Promise<HostFacts> {
  const [max, unprivileged, apparmor, randomize, meminfo] = await Promise.all([
    readNumber('/proc/sys/user/max_user_namespaces'),
    readNumber('/proc/sys/kernel/unprivileged_userns_clone'),
    readNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    readNumber('/proc/sys/kernel/randomize_va_space'),
    readFile('/proc/meminfo', 'latin1').catch(() => ''),
  ]);
  return {
    kernel: release(),
    isGvisor: version() === GVISOR_BUILD,
    isRoot: process.geteuid?.() === 0,
    maxUserNamespaces: max,
    unprivilegedUserNamespaces: unprivileged === null ? null : unprivileged !== 0,
    apparmorRestrictsUserNamespaces: apparmor === null ? null : apparmor !== 0,
    swapBytes: Number(/^SwapTotal:\s+(\d+) kB$/m.exec(meminfo)?.[1] ?? 0) * 1024,
    randomizeVaSpace: randomize,
  };
}

async function readNumber(path: string): Promise<number | null> {
  try {
    return Number((await readFile(path, 'latin1')).trim());
  } catch {
    // This kernel has no such setting.
    return null;
  }
}

function nothing(wall: RealWall, host: HostFacts, problems: readonly string[]): HostProbe {
  const enforced: Record<EnforcedProperty, null> = {
    memory: null,
    cpu_time: null,
    processes: null,
    disk: null,
    network: null,
    own_uid: null,
    seccomp: null,
    pid_namespace: null,
  };
  return {
    wall,
    available: false,
    version: null,
    cgroup: 'none',
    enforced,
    stackMb: null,
    problems,
    host,
    program: null,
    isSentry: false,
    controllers: [],
    jailStartMs: null,
  };
}
