/**
 * What this host can enforce, found by trying: for `assay doctor` and at the service's start. Reads the settings that
 * commonly stand in the way, then starts one real jail and believes its HELLO. Each problem says what is missing and
 * how to mend it. It changes nothing on the host that it does not undo.
 */
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';

import { toFault } from '../domain/errors.ts';
import { STACK_BYTES } from '../domain/limits.ts';
import { CgroupUnavailable } from './cgroup/types.ts';
import { findNsjail, findRunsc, isExecutable, type FindOptions, type Found } from './find.ts';
import { createGvisorSandbox } from './gvisor/gvisor.ts';
import type { LaunchedOptions, LaunchedSandbox } from './launcher/launched.ts';
import { createNsjailSandbox } from './nsjail/nsjail.ts';
import type { CgroupBackEnd, EnforcedProperty, RealWall } from '../domain/wall.ts';
import type { Jail, JailPolicy, WallProbe } from './port.ts';

/** What the supervisor of a started jail says it enforces; a session's `hello` is one. */
export interface HelloFacts {
  readonly cgroup: CgroupBackEnd;
  readonly features: {
    readonly seccomp: boolean;
    readonly ownUid: boolean;
    readonly memoryByCgroup: boolean;
    readonly pidsByCgroup: boolean;
    readonly cpuByCgroup: boolean;
    readonly peakResettable: boolean;
  };
}

export interface ProbeOptions extends FindOptions, LaunchedOptions {
  readonly wall: RealWall;
  readonly supervisor: string;
  readonly confine: string;
  /** Opens a session on the jail and answers its HELLO: `(jail) => (await Session.open(jail, …)).hello`. */
  readonly readHello: (jail: Jail) => Promise<HelloFacts>;
}

/** What a wall is made with. */
type Means = LaunchedOptions & Pick<ProbeOptions, 'supervisor' | 'confine'>;

interface WallKind {
  readonly find: (options: FindOptions) => Promise<Found>;
  readonly create: (means: Means, program: string) => Promise<LaunchedSandbox>;
  readonly enforced: (hello: HelloFacts) => Record<EnforcedProperty, string | null>;
  readonly weaknesses: (hello: HelloFacts) => string[];
  /** Whether the host's bound of the stack holds inside. */
  readonly hasHostsStack: boolean;
}

const WALLS: Readonly<Record<RealWall, WallKind>> = {
  nsjail: {
    find: findNsjail,
    create: (means, nsjail) => createNsjailSandbox({ ...means, nsjail }),
    enforced: toEnforced,
    weaknesses: weakLimits,
    hasHostsStack: true,
  },
  gvisor: {
    find: findRunsc,
    create: (means, runsc) => createGvisorSandbox({ ...means, runsc }),
    enforced: toEnforcedByGvisor,
    weaknesses: ({ cgroup }) => [
      cgroup === 'none'
        ? 'no cgroups: nothing caps a gVisor sandbox as a whole'
        : 'gVisor: memory and processes of a run are limited by polling and rlimits, which is weaker; the cgroup caps the sandbox as a whole',
    ],
    hasHostsStack: false,
  },
};

/** The wall of that name, with a program that `probeHost` has found. Throws as `createLaunchedSandbox`. */
export async function createWall(
  wall: RealWall,
  means: Means,
  program: string,
): Promise<LaunchedSandbox> {
  return await WALLS[wall].create(means, program);
}

/** Settings of the kernel, as read; null where this kernel has no such setting. */
export interface HostFacts {
  readonly kernel: string;
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
  /** The nsjail or runsc that is used, null when none is. */
  readonly program: string | null;
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
  let sandbox: LaunchedSandbox | null = null;
  try {
    sandbox = await kind.create({ ...options, jailsMax: 1 }, found.path);
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
      enforced: kind.enforced(hello),
      stackMb: Math.floor(largestStack(hello, stackBound) / MIB),
      problems: [
        ...sandbox.problems,
        ...kind.weaknesses(hello),
        ...stackWeaknesses(hello, stackBound),
        ...hostWeaknesses(host),
      ],
      host,
      program: found.path,
      controllers: sandbox.controllers,
      jailStartMs,
    };
  } catch (error) {
    const why = explain(error, host);
    return { ...nothing(wall, host, why), program: found.path, version: found.version };
  } finally {
    await sandbox?.close();
  }
}

function explain(error: unknown, host: HostFacts): string[] {
  if (error instanceof CgroupUnavailable) return [error.message];
  const { detail } = toFault(error);
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

/** What works but is weaker than it could be. Pure. */
export function weakLimits({ cgroup, features }: HelloFacts): string[] {
  const lines: string[] = [];
  if (cgroup === 'none') {
    lines.push(
      'no cgroups: memory and processes are limited by rlimits and polling only, which is weaker',
    );
  } else if (!features.peakResettable) {
    lines.push(
      'the kernel cannot reset memory.peak (Linux ≥ 6.12 can): peak memory is null or of one process',
    );
  }
  if (!features.ownUid) {
    lines.push(
      'runs share the id of the supervisor; give the service CAP_SETUID and CAP_SETGID for ids of their own',
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

function toEnforced({ cgroup, features }: HelloFacts): Record<EnforcedProperty, string | null> {
  const byCgroup = (has: boolean, otherwise: string): string =>
    has ? `cgroup ${cgroup}` : otherwise;
  return {
    memory: byCgroup(features.memoryByCgroup, 'rlimit and polling'),
    cpu_time: byCgroup(features.cpuByCgroup, 'polling and rlimit'),
    processes: byCgroup(features.pidsByCgroup, 'rlimit'),
    disk: 'tmpfs size',
    network: 'network namespace without interfaces',
    own_uid: features.ownUid ? 'user namespace' : null,
    seccomp: features.seccomp ? 'seccomp filter' : null,
    pid_namespace: 'pid namespace per run',
  };
}

/** Namespaces, ids and filters are those of gVisor's own kernel. */
function toEnforcedByGvisor({
  cgroup,
  features,
}: HelloFacts): Record<EnforcedProperty, string | null> {
  return {
    memory: cgroup === 'none' ? 'rlimit and polling' : `polling of cgroup ${cgroup}, and rlimit`,
    cpu_time: features.cpuByCgroup
      ? `cgroup ${cgroup}, the sandbox's own work included`
      : "polling of the sandbox's clock, which counts waiting for the host too",
    processes: 'rlimit, in the sandbox',
    disk: 'tmpfs size',
    network: 'gVisor without a network',
    own_uid: features.ownUid ? 'uid in the sandbox' : null,
    seccomp: features.seccomp ? 'seccomp filter, in the sandbox' : null,
    pid_namespace: 'pid namespace per run, in the sandbox',
  };
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
    controllers: [],
    jailStartMs: null,
  };
}
