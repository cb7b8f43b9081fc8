/**
 * The groups of gVisor's own kernel, for jails inside it: v1 by name, with `memory` and `cpuacct` that count what is in a
 * group, and limits that are written and not enforced. So the supervisor looks at them, and a run is limited by that.
 */
import { join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';
import { toFdPassing } from './fd-args.ts';
import { makeGroup, readControl, removeGroup } from './group.ts';
import type { CgroupView } from './mounts.ts';
import type { CgroupHost, CgroupOptions } from './types.ts';
import { CgroupUnavailable } from './types.ts';
import { findV1Folders } from './v1.ts';

const USAGE = 'memory.usage_in_bytes';
const CPU = 'cpuacct.usage';
const REMOVE_TIMEOUT_MS = 5000;

/** Makes the service's groups and reads them. Throws `CgroupUnavailable`. */
export async function createSentry(
  view: CgroupView,
  options: CgroupOptions & { readonly clock: Clock },
): Promise<CgroupHost> {
  const { clock, instance } = options;
  const bases = findV1Folders(view, options.parent);
  const [memory, cpu] = [join(bases.memory, instance), join(bases.cpuacct, instance)];
  const remove = async (): Promise<void> => {
    for (const folder of [memory, cpu])
      await removeGroup(folder, { clock, timeoutMs: REMOVE_TIMEOUT_MS, kill: false });
  };
  try {
    for (const folder of [memory, cpu]) await makeGroup(folder);
    for (const [folder, file] of [
      [memory, USAGE],
      [cpu, CPU],
    ] as const)
      if ((await readControl(folder, file)) === null) throw new Error(`there is no ${file}`);
  } catch (error) {
    await remove();
    const why = error instanceof Error ? error.message : String(error);
    throw new CgroupUnavailable(
      `gVisor's own cgroups cannot be used: ${why}; run as root, with /sys/fs/cgroup mounted (a mount of type cgroup)`,
      { cause: error },
    );
  }
  const { records, args, fds } = toFdPassing([
    { arg: '--fd-cpu', parent: 1, access: 'read', path: CPU },
    { arg: '--fd-memory-usage', parent: 0, access: 'read', path: USAGE },
  ]);
  const joining = [0, 1].map((parent) => ({ kind: 'join' as const, parent, path: '' }));
  return {
    backEnd: 'v1',
    parents: [memory, cpu],
    controllers: ['memory', 'cpuacct'],
    forJail: () => ({ records: [...records, ...joining], args: ['--cgroup', 'v1', ...args], fds }),
    async measure(name) {
      const text = await readControl(join(memory, name), USAGE);
      return text === null ? null : Number(text);
    },
    close: remove,
  };
}
