/**
 * A census of everything a service holds on this machine, read from /proc from outside: descriptors, processes,
 * mounts, cgroup folders, memory. Only reads; knows the shape of a jail's process tree and nothing else of it.
 */
import { readFileSync, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly state: string;
}

export interface Census {
  readonly serviceRssBytes: number;
  readonly serviceFds: number;
  readonly serviceThreads: number;
  readonly launcherFds: number;
  /** All processes below the service. */
  readonly processes: number;
  readonly zombies: number;
  readonly jails: number;
  /** Below the service, of no jail: what leaked out of a run would be here. */
  readonly strays: number;
  readonly hostMounts: number;
  /** The most of any jail. */
  readonly jailMounts: number;
  readonly jailFds: number;
  readonly jailProcesses: number;
  readonly jailTmpfsBytes: number;
  /** Resident memory of all processes of all jails. */
  readonly jailsRssBytes: number;
  /** Folders beside the jails' own cgroups, all controllers. */
  readonly cgroupFolders: number;
  readonly stateFiles: number;
}

/** The kernel cuts names to 15 bytes. */
const NAMES = { launcher: 'launcher', nsjail: 'nsjail', supervisor: 'supervisor' } as const;

/** Takes the census. Call it when the service is idle: what runs is counted. */
export function takeCensus(service: { readonly pid: number; readonly stateDir?: string }): Census {
  const all = readProcesses();
  const below = descendants(all, service.pid);
  const launcher = below.find(({ command }) => command === NAMES.launcher);
  const supervisors = below.filter(
    ({ command, parent }) =>
      command === NAMES.supervisor && all.get(parent)?.command === NAMES.nsjail,
  );
  const inJails = supervisors.map(({ pid }) => descendants(all, pid));
  const most = (values: readonly number[]): number => Math.max(0, ...values);
  const jailPids = supervisors.flatMap(({ pid }, index) => [
    pid,
    ...(inJails[index] ?? []).map((each) => each.pid),
  ]);
  const known = new Set([launcher?.pid, ...supervisors.map(({ parent }) => parent), ...jailPids]);
  return {
    serviceRssBytes: rssBytes(service.pid),
    serviceFds: countEntries(`/proc/${service.pid}/fd`),
    serviceThreads: countEntries(`/proc/${service.pid}/task`),
    launcherFds: launcher === undefined ? 0 : countEntries(`/proc/${launcher.pid}/fd`),
    processes: below.length,
    zombies: below.filter(({ state }) => state === 'Z').length,
    jails: supervisors.length,
    strays: below.filter(({ pid }) => !known.has(pid)).length,
    hostMounts: countLines('/proc/self/mounts'),
    jailMounts: most(supervisors.map(({ pid }) => countLines(`/proc/${pid}/mounts`))),
    jailFds: most(supervisors.map(({ pid }) => countEntries(`/proc/${pid}/fd`))),
    jailProcesses: most(inJails.map(({ length }) => length + 1)),
    jailTmpfsBytes: most(supervisors.map(({ pid }) => usedBytes(`/proc/${pid}/root/run`))),
    jailsRssBytes: jailPids.reduce((sum, pid) => sum + rssBytes(pid), 0),
    cgroupFolders: cgroupFolders(supervisors.map(({ pid }) => pid)),
    stateFiles: service.stateDir === undefined ? 0 : countTree(service.stateDir),
  };
}

function readProcesses(): ReadonlyMap<number, ProcessFacts> {
  const found = new Map<number, ProcessFacts>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOr(`/proc/${name}/stat`);
    // The name stands in brackets and may itself hold blanks and brackets.
    const match = /^(\d+) \((.*)\) (\S) (\d+) /s.exec(stat);
    if (match === null) continue;
    const [, pid, command, state, parent] = match;
    found.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      command: command ?? '',
      state: state ?? '',
    });
  }
  return found;
}

function descendants(all: ReadonlyMap<number, ProcessFacts>, root: number): ProcessFacts[] {
  const below: ProcessFacts[] = [];
  const parents = new Set([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const each of all.values()) {
      if (parents.has(each.pid) || !parents.has(each.parent)) continue;
      parents.add(each.pid);
      below.push(each);
      grew = true;
    }
  }
  return below;
}

/** Folders that lie beside the jails' groups, in every hierarchy the jails are in. */
function cgroupFolders(pids: readonly number[]): number {
  const parents = new Set<string>();
  const mounts = cgroupMounts();
  for (const pid of pids) {
    for (const line of readOr(`/proc/${pid}/cgroup`).trim().split('\n')) {
      const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      const mount = mounts.get(controllers === '' ? 'v2' : controllers);
      const jail = path.split('/').findIndex((part) => /^jail-\d+$/.test(part));
      if (mount === undefined || jail < 0) continue;
      parents.add(join(mount, ...path.split('/').slice(0, jail)));
    }
  }
  return [...parents].reduce((sum, path) => sum + countFolders(path), 0);
}

function cgroupMounts(): ReadonlyMap<string, string> {
  const mounts = new Map<string, string>();
  for (const line of readOr('/proc/self/mounts').split('\n')) {
    const [, target = '', type = '', options = ''] = line.split(' ');
    if (type === 'cgroup2') mounts.set('v2', target);
    if (type !== 'cgroup') continue;
    // A v1 hierarchy is named by its controllers as /proc/PID/cgroup prints them, in the order of the options.
    const names = options.split(',').filter((each) => V1_CONTROLLERS.has(each));
    mounts.set(names.join(','), target);
  }
  return mounts;
}

const V1_CONTROLLERS = new Set(['memory', 'pids', 'cpu', 'cpuacct', 'cpuset', 'freezer']);

function countFolders(path: string): number {
  const entries = entriesOf(path).filter((entry) => entry.isDirectory());
  return entries.reduce((sum, { name }) => sum + 1 + countFolders(join(path, name)), 0);
}

function countTree(path: string): number {
  return entriesOf(path).reduce(
    (sum, entry) => sum + 1 + (entry.isDirectory() ? countTree(join(path, entry.name)) : 0),
    0,
  );
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // It went while we looked.
    return [];
  }
}

function countEntries(path: string): number {
  return entriesOf(path).length;
}

function countLines(path: string): number {
  return readOr(path).split('\n').length - 1;
}

function rssBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function usedBytes(path: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(path);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}

/** "" for a process that went while we looked. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What a descriptor of a process points to, for finding a leak; counts by kind. */
export function describeFds(pid: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of entriesOf(`/proc/${pid}/fd`)) {
    let target = 'gone';
    try {
      target = readlinkSync(`/proc/${pid}/fd/${name}`).replace(/:\[\d+\]$/, '');
    } catch {
      // Closed meanwhile.
    }
    const kind = target.startsWith('/') ? basename(target) : target;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
