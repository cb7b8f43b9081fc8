/** Names of walls, of cgroup back ends and of what a wall can enforce. */

export type WallName = 'nsjail' | 'gvisor' | 'pod' | 'fake';

/** Walls that a service can be given, the weaker first. */
export const REAL_WALLS = ['nsjail', 'gvisor'] as const;
export type RealWall = (typeof REAL_WALLS)[number];

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
