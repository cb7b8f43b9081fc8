/** What each wall enforces and by what means, and what of it is weaker than it could be, told from a supervisor's HELLO. Pure. */
import type { CgroupBackEnd, EnforcedProperty } from '../domain/wall.ts';

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

/** What the supervisor does in every kernel alike. */
function ofSupervisor({ ownUid, seccomp }: HelloFacts['features']) {
  return {
    disk: 'tmpfs size',
    own_uid: ownUid ? 'user namespace' : null,
    seccomp: seccomp ? 'seccomp filter' : null,
    pid_namespace: 'pid namespace per run',
  };
}

/** nsjail. */
export function toEnforced({
  cgroup,
  features,
}: HelloFacts): Record<EnforcedProperty, string | null> {
  const byCgroup = (has: boolean, otherwise: string): string =>
    has ? `cgroup ${cgroup}` : otherwise;
  return {
    memory: byCgroup(features.memoryByCgroup, 'rlimit and polling'),
    cpu_time: byCgroup(features.cpuByCgroup, 'polling and rlimit'),
    processes: byCgroup(features.pidsByCgroup, 'rlimit'),
    network: 'network namespace without interfaces',
    ...ofSupervisor(features),
  };
}

/** The same of jails that share one such kernel: its groups count each jail. */
export function toEnforcedInSentry({
  cgroup,
  features,
}: HelloFacts): Record<EnforcedProperty, string | null> {
  const counted = (otherwise: string): string =>
    cgroup === 'none' ? otherwise : "polling of gVisor's own cgroup";
  return {
    memory: `${counted('polling')}, and rlimit`,
    cpu_time: `${counted("polling of gVisor's clock")}, which counts waiting for the node too`,
    processes: 'rlimit',
    network: 'network namespace with loopback alone, per run',
    ...ofSupervisor(features),
  };
}

/** Namespaces, ids and filters are those of gVisor's own kernel. */
export function toEnforcedByGvisor({
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

/** What works but is weaker than it could be. */
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
  return [...lines, ...sharedIds(features)];
}

/** The same of jails in a kernel that is gVisor's. */
export function weakInSentry({ cgroup, features }: HelloFacts): string[] {
  return [
    ...(cgroup === 'none'
      ? [
          'no cgroups: memory is what resident sets tell, with files that are mapped; mount /sys/fs/cgroup',
        ]
      : []),
    ...sharedIds(features),
    "gVisor: nothing caps a jail's memory as a whole; what outruns the polling meets the pod's own limit, so leave it room",
  ];
}

function sharedIds({ ownUid }: HelloFacts['features']): string[] {
  return ownUid
    ? []
    : [
        'runs share the id of the supervisor; give the service CAP_SETUID and CAP_SETGID for ids of their own',
      ];
}
