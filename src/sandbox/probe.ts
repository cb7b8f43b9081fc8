/**
 * What this host can enforce, found by trying: for `assay doctor` and at the service's start. Reads the settings that
 * commonly stand in the way, then starts one real jail and believes its HELLO. Each problem says what is missing and
 * how to mend it. It changes nothing on the host that it does not undo.
 */
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { delimiter, join } from 'node:path';

import { toFault } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { CgroupUnavailable } from './cgroup/types.ts';
import { readHelp } from './nsjail/help.ts';
import { createNsjailSandbox } from './nsjail/nsjail.ts';
import type { NsjailSandbox } from './nsjail/nsjail.ts';
import type { CgroupBackEnd, EnforcedProperty } from '../domain/wall.ts';
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

export interface ProbeOptions {
  readonly clock: Clock;
  /** Path of nsjail; "" searches `searchPath`. */
  readonly nsjail: string;
  /** A PATH to search, e.g. the machine's. */
  readonly searchPath: string;
  /** Where set-up has put its own nsjail, tried last. */
  readonly ownNsjail: string;
  readonly launcher: string;
  readonly supervisor: string;
  readonly confine: string;
  readonly stateDir: string;
  readonly cgroup: CgroupBackEnd | 'auto';
  readonly cgroupParent?: string | undefined;
  /** Opens a session on the jail and answers its HELLO: `(jail) => (await Session.open(jail, …)).hello`. */
  readonly readHello: (jail: Jail) => Promise<HelloFacts>;
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
  /** The nsjail that is used, null when none is. */
  readonly nsjail: string | null;
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
  const found = await findNsjail(options);
  for (const program of [options.launcher, options.supervisor]) {
    if (!(await isExecutable(program)))
      problems.push(`${program} is missing; build it: npm run runners`);
  }
  if (found.path === null) problems.push(found.problem);
  if (found.path === null || problems.length > 0) {
    return { ...nothing(host, problems), nsjail: found.path };
  }
  let sandbox: NsjailSandbox | null = null;
  try {
    sandbox = await createNsjailSandbox({ ...options, nsjail: found.path, jailsMax: 1 });
    const startedAt = options.clock.now();
    const jail = await sandbox.start(TRIAL);
    const hello = await options.readHello(jail);
    const jailStartMs = options.clock.now() - startedAt;
    await jail.close();
    return {
      wall: 'nsjail',
      available: true,
      version: found.version,
      cgroup: hello.cgroup,
      enforced: toEnforced(hello),
      problems: [...sandbox.problems, ...weaknesses(hello, host)],
      host,
      nsjail: found.path,
      controllers: sandbox.controllers,
      jailStartMs,
    };
  } catch (error) {
    const why = explain(error, host);
    return { ...nothing(host, why), nsjail: found.path, version: found.version };
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
export function weaknesses({ cgroup, features }: HelloFacts, host: HostFacts): string[] {
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

type Found =
  | { readonly path: string; readonly version: string }
  | { readonly path: null; readonly problem: string };

/**
 * nsjail prints no version. What we use has long been there but for one thing, so its help text decides:
 * `--experimental_mnt` came with 3.5.
 */
async function findNsjail({ nsjail, searchPath, ownNsjail }: ProbeOptions): Promise<Found> {
  const candidates =
    nsjail === ''
      ? [...searchPath.split(delimiter).map((folder) => join(folder, 'nsjail')), ownNsjail]
      : [nsjail];
  let tooOld: string | null = null;
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    const help = await readHelp(path);
    if (help.includes('--experimental_mnt')) return { path, version: '>=3.5' };
    tooOld ??= path;
  }
  const problem =
    tooOld === null
      ? `nsjail is not found${nsjail === '' ? ' on PATH' : ` at ${nsjail}`}; get one: npm run setup`
      : `${tooOld} does not run, or is older than 3.5; get a newer one: npm run setup`;
  return { path: null, problem };
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

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Missing or forbidden, which is the answer.
    return false;
  }
}

function nothing(host: HostFacts, problems: readonly string[]): HostProbe {
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
    wall: 'nsjail',
    available: false,
    version: null,
    cgroup: 'none',
    enforced,
    problems,
    host,
    nsjail: null,
    controllers: [],
    jailStartMs: null,
  };
}
