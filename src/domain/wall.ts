/** Names of walls, of cgroup back ends and of what a wall can enforce. */

/**
 * Walls that a service can be given, the weaker first. `nsjail`: namespaces of the node's kernel. `pod`: namespaces of a
 * kernel that is the pod's own (gVisor, a virtual machine), with nothing of the node's in reach. `gvisor`: such a kernel for
 * each jail, so that neighbours and the service are behind one too. See docs/decisions/0040-pod-wall.md.
 */
export const REAL_WALLS = ['nsjail', 'pod', 'gvisor'] as const;
export type RealWall = (typeof REAL_WALLS)[number];

export type WallName = RealWall | 'fake';

/** The greater, the more has to break before a program is where it may not be. */
export const wallStrength = (wall: WallName): number =>
  wall === 'fake' ? -1 : REAL_WALLS.indexOf(wall);

/** Whether who asks for `wanted` may be held by `wall`. */
export const isAsStrong = (wall: WallName, wanted: WallName): boolean =>
  wallStrength(wall) >= wallStrength(wanted);

/** Null is no wish. */
export function strongerWall(one: RealWall | null, other: RealWall | null): RealWall | null {
  if (one === null || other === null) return one ?? other;
  return isAsStrong(one, other) ? one : other;
}

/** What limits memory, CPU time and processes: cgroup v2, v1 (also hybrid), or rlimits and polling. */
export type CgroupBackEnd = 'v2' | 'v1' | 'none';

export const ENFORCED_PROPERTIES = [
  'memory',
  'cpu_time',
  'processes',
  'disk',
  'network',
  'own_uid',
  'seccomp',
  'pid_namespace',
] as const;
export type EnforcedProperty = (typeof ENFORCED_PROPERTIES)[number];
