/**
 * cgroup v1 and hybrid hosts: memory, pids and cpuacct. Layout in each hierarchy: `<own>/<instance>/jail-N/run`. The
 * jail's group holds the hard caps; `run` below it, where all its processes are, has the limits that the supervisor
 * sets for each run, because the supervisor also lifts them between runs.
 */
import { join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';
import type { LaunchRecord } from '../launcher/launch-record.ts';
import { toFdPassing } from './fd-args.ts';
import { canWrite, exists, makeGroup, removeGroup, writeControl } from './group.ts';
import { toFolder } from './mounts.ts';
import type { CgroupView } from './mounts.ts';
import { CgroupUnavailable } from './types.ts';
import type { CgroupHost, CgroupOptions, JailGroupSpec } from './types.ts';

const CONTROLLERS = ['memory', 'pids', 'cpuacct'] as const;
type Controller = (typeof CONTROLLERS)[number];

const PROBE_BYTES = 64 * 1024 * 1024;
const REMOVE_TIMEOUT_MS = 5000;

/** This service's own group of each controller. Throws `CgroupUnavailable` for a controller that is not mounted. */
export function findV1Folders(
  view: CgroupView,
  parent: string | undefined,
): Record<Controller, string> {
  const find = (controller: Controller): string => {
    const mount = view.mounts.find(
      (m) => m.type === 'cgroup' && m.controllers.includes(controller),
    );
    if (mount === undefined) {
      throw new CgroupUnavailable(
        `the v1 controller ${controller} is not mounted; mount it, or boot with cgroup v2`,
      );
    }
    if (parent !== undefined) return join(mount.mountPoint, parent);
    return toFolder(mount, view.paths.get(controller) ?? '/');
  };
  return { memory: find('memory'), pids: find('pids'), cpuacct: find('cpuacct') };
}

/** Makes the service's groups and tries a limit for real. Throws `CgroupUnavailable`. */
export async function createV1(
  view: CgroupView,
  options: CgroupOptions & { readonly clock: Clock },
): Promise<CgroupHost> {
  const { clock, instance } = options;
  const bases = findV1Folders(view, options.parent);
  const parents = CONTROLLERS.map((controller) => join(bases[controller], instance));
  const [memory = '', pids = ''] = parents;
  const remove = async (): Promise<void> => {
    for (const folder of parents) {
      await removeGroup(folder, { clock, timeoutMs: REMOVE_TIMEOUT_MS, kill: false });
    }
  };
  try {
    for (const folder of parents) await makeGroup(folder);
    await writeControl(memory, 'memory.swappiness', '0');
    const probe = join(memory, 'probe');
    await makeGroup(probe);
    await writeControl(probe, 'memory.limit_in_bytes', String(PROBE_BYTES));
    const hasSwapLimit = await exists(join(probe, 'memory.memsw.limit_in_bytes'));
    await removeGroup(probe, { clock, timeoutMs: REMOVE_TIMEOUT_MS, kill: false });
    if (!(await canWrite(join(pids, 'pids.max')))) throw new Error('pids.max is not writable');
    return {
      backEnd: 'v1',
      parents,
      controllers: CONTROLLERS,
      forJail: (spec) => toV1JailGroup(spec, hasSwapLimit),
      close: remove,
    };
  } catch (error) {
    await remove();
    const why = error instanceof Error ? error.message : String(error);
    throw new CgroupUnavailable(
      `cgroup v1 cannot be used: ${why}; run as root, or name a group the service owns`,
      {
        cause: error,
      },
    );
  }
}

/** Records and arguments of one jail; parents count memory 0, pids 1, cpuacct 2. Pure. */
export function toV1JailGroup(
  spec: JailGroupSpec,
  hasSwapLimit: boolean,
): ReturnType<CgroupHost['forJail']> {
  const cap = String(spec.memoryMaxBytes);
  const write = (parent: number, path: string, value: string): LaunchRecord => {
    return { kind: 'write', parent, path, value };
  };
  const all = [0, 1, 2];
  const figures = [
    { arg: '--fd-cpu', parent: 2, access: 'read', path: 'run/cpuacct.usage' },
    {
      arg: '--fd-memory-peak',
      parent: 0,
      access: 'read_write',
      path: 'run/memory.max_usage_in_bytes',
    },
    { arg: '--fd-memory-usage', parent: 0, access: 'read', path: 'run/memory.usage_in_bytes' },
    { arg: '--fd-memory-stat', parent: 0, access: 'read', path: 'run/memory.stat' },
  ] as const;
  const limits = [
    {
      arg: '--fd-memory-limit',
      parent: 0,
      access: 'read_write',
      path: 'run/memory.limit_in_bytes',
    },
    { arg: '--fd-memory-events', parent: 0, access: 'read', path: 'run/memory.oom_control' },
    { arg: '--fd-memory-hits', parent: 0, access: 'read', path: 'run/memory.failcnt' },
    { arg: '--fd-pids-limit', parent: 1, access: 'read_write', path: 'run/pids.max' },
    { arg: '--fd-pids-events', parent: 1, access: 'read', path: 'run/pids.events' },
  ] as const;
  const passing = toFdPassing(spec.isOpaque === true ? figures : [...figures, ...limits]);
  return {
    records: [
      write(0, 'memory.swappiness', '0'),
      write(0, 'memory.limit_in_bytes', cap),
      ...(hasSwapLimit ? [write(0, 'memory.memsw.limit_in_bytes', cap)] : []),
      write(1, 'pids.max', String(spec.processesMax)),
      ...all.map((parent): LaunchRecord => ({ kind: 'mkdir', parent, path: 'run' })),
      write(0, 'run/memory.swappiness', '0'),
      ...passing.records,
      ...all.map((parent): LaunchRecord => ({ kind: 'join', parent, path: 'run' })),
    ],
    args: ['--cgroup', 'v1', ...passing.args],
    fds: passing.fds,
  };
}
