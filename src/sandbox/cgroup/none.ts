/** No cgroups: limits are rlimits and the supervisor's polling. Weaker, and labelled so in every report. */
import type { CgroupHost } from './types.ts';

export function createNone(): CgroupHost {
  return {
    backEnd: 'none',
    parents: [],
    controllers: [],
    forJail: () => ({ records: [], args: ['--cgroup', 'none'], fds: [] }),
    close: async () => {},
  };
}
