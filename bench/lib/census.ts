/**
 * A census of everything a service holds on this machine, read from /proc from outside: descriptors, processes,
 * mounts, cgroup folders, memory. Only reads; knows the shape of a jail's process tree and nothing else of it.
 */
import { readFileSync, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly state: string;
}

/**
 * The jails differ in what they hold, so each kind is counted by itself: a supervisor alone, one that keeps a warm
 * interpreter, and the host of isolates.
 */
export const JAIL_KINDS = ['plain', 'warm', 'isolate'] as const;
export type JailKind = (typeof JAIL_KINDS)[number];

/** Of the jails of one kind: the most of any, but for their number and the mean. */
export interface JailsCensus {
  readonly jails: number;
  readonly mounts: number;
  readonly fds: number;
  readonly processes: number;
  /** The jail's own and those below it, over all hierarchies. */
  readonly cgroupFolders: number;
  /** What its first process has mapped: grows with every page it allocates, touched or not. */
  readonly mappedBytes: number;
  readonly rssBytes: number;
  readonly rssMeanBytes: number;
  readonly tmpfsBytes: number;
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
  readonly byKind: Readonly<Record<JailKind, JailsCensus>>;
  /** Below the service, of no jail: what leaked out of a run would be here. */
  readonly strays: number;
  readonly hostMounts: number;
  /** Of all jails together. */
  readonly jailsRssBytes: number;
  /** The most of any jail. */
  readonly jailTmpfsBytes: number;
  /** Beside the groups of the jails there are, in all hierarchies. */
  readonly strayCgroupFolders: number;
  /** Beside the compile cache, which has a bound of its own. */
  readonly stateFiles: number;
}

/** The kernel cuts names to 15 bytes. */
const NAMES = { launcher: 'launcher', nsjail: 'nsjail', supervisor: 'supervisor' } as const;
const COMPILE_CACHE = 'compile-cache';
/** An argument of supervisors that have a warm interpreter to keep. */
const WARM_ARGUMENT = '--warm-arg';

interface Jail {
  readonly kind: JailKind;
  readonly cgroupFolders: readonly string[];
  /** Its processes, the first one first; nsjail is none of them. */
  readonly pids: readonly number[];
  readonly facts: Omit<JailsCensus, 'jails' | 'rssMeanBytes'>;
}

/** Takes the census. Call it when the service is idle: what runs is counted. */
export function takeCensus(service: { readonly pid: number; readonly stateDir?: string }): Census {
  const all = readProcesses();
  const below = descendants(all, service.pid);
  const launcher = below.find(({ command }) => command === NAMES.launcher);
  const walls = below.filter(({ command }) => command === NAMES.nsjail);
  const mounts = cgroupMounts();
  const jails = below
    .filter(({ parent }) => walls.some(({ pid }) => pid === parent))
    .map((first) => lookAt(first, descendants(all, first.pid), mounts));
  const known = new Set([
    launcher?.pid,
    ...walls.map(({ pid }) => pid),
    ...jails.flatMap(({ pids }) => pids),
  ]);
  const ofKind = (kind: JailKind): JailsCensus =>
    summarise(jails.filter((each) => each.kind === kind));
  return {
    serviceRssBytes: rssBytes(service.pid),
    serviceFds: countEntries(`/proc/${service.pid}/fd`),
    serviceThreads: countEntries(`/proc/${service.pid}/task`),
    launcherFds: launcher === undefined ? 0 : countEntries(`/proc/${launcher.pid}/fd`),
    processes: below.length,
    zombies: below.filter(({ state }) => state === 'Z').length,
    jails: jails.length,
    byKind: { plain: ofKind('plain'), warm: ofKind('warm'), isolate: ofKind('isolate') },
    strays: below.filter(({ pid }) => !known.has(pid)).length,
    hostMounts: countLines('/proc/self/mounts'),
    jailsRssBytes: jails.reduce((bytes, { facts }) => bytes + facts.rssBytes, 0),
    jailTmpfsBytes: most(jails.map(({ facts }) => facts.tmpfsBytes)),
    strayCgroupFolders: strayFolders(jails.flatMap(({ cgroupFolders }) => cgroupFolders)),
    stateFiles: service.stateDir === undefined ? 0 : countTree(service.stateDir),
  };
}

function lookAt(
  first: ProcessFacts,
  others: readonly ProcessFacts[],
  mounts: ReadonlyMap<string, string>,
): Jail {
  const { pid } = first;
  const pids = [pid, ...others.map((each) => each.pid)];
  const folders = jailFolders(pid, mounts);
  return {
    kind: kindOf(first),
    cgroupFolders: folders,
    pids,
    facts: {
      mounts: countLines(`/proc/${pid}/mounts`),
      fds: countEntries(`/proc/${pid}/fd`),
      processes: pids.length,
      cgroupFolders: folders.reduce((count, folder) => count + 1 + countFolders(folder), 0),
      mappedBytes: statusBytes(pid, 'VmSize'),
      rssBytes: pids.reduce((bytes, each) => bytes + rssBytes(each), 0),
      tmpfsBytes: usedBytes(`/proc/${pid}/root/run`),
    },
  };
}

function kindOf({ pid, command }: ProcessFacts): JailKind {
  if (command !== NAMES.supervisor) return 'isolate';
  const args = readOr(`/proc/${pid}/cmdline`).split('\0');
  return args.includes(WARM_ARGUMENT) ? 'warm' : 'plain';
}

function summarise(jails: readonly Jail[]): JailsCensus {
  const mostOf = (key: keyof Jail['facts']): number => most(jails.map(({ facts }) => facts[key]));
  const rss = jails.reduce((bytes, { facts }) => bytes + facts.rssBytes, 0);
  return {
    jails: jails.length,
    mounts: mostOf('mounts'),
    fds: mostOf('fds'),
    processes: mostOf('processes'),
    cgroupFolders: mostOf('cgroupFolders'),
    mappedBytes: mostOf('mappedBytes'),
    rssBytes: mostOf('rssBytes'),
    rssMeanBytes: jails.length === 0 ? 0 : rss / jails.length,
    tmpfsBytes: mostOf('tmpfsBytes'),
  };
}

function most(values: readonly number[]): number {
  return Math.max(0, ...values);
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

/** A jail's own group in every hierarchy that has one for it. */
function jailFolders(pid: number, mounts: ReadonlyMap<string, string>): string[] {
  const lines = readOr(`/proc/${pid}/cgroup`).trim().split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const mount = mounts.get(controllers === '' ? 'v2' : controllers);
    const parts = path.split('/');
    const jail = parts.findIndex((part) => /^jail-\d+$/.test(part));
    return mount === undefined || jail < 0 ? [] : [join(mount, ...parts.slice(0, jail + 1))];
  });
}

/** Folders that lie beside those of the jails and in none of them. */
function strayFolders(jails: readonly string[]): number {
  const own = new Set(jails);
  const parents = new Set(jails.map((folder) => dirname(folder)));
  const beside = [...parents].flatMap((parent) =>
    entriesOf(parent)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(parent, name)),
  );
  return beside
    .filter((folder) => !own.has(folder))
    .reduce((count, folder) => count + 1 + countFolders(folder), 0);
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
  return entriesOf(path)
    .filter(({ name }) => name !== COMPILE_CACHE)
    .reduce(
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
  return statusBytes(pid, 'VmRSS');
}

/** A figure of /proc/PID/status (proc_pid_status(5)) that is in kB; 0 for a process that went. */
function statusBytes(pid: number, key: 'VmRSS' | 'VmSize'): number {
  const line = readOr(`/proc/${pid}/status`)
    .split('\n')
    .find((each) => each.startsWith(`${key}:`));
  return Number(/(\d+) kB/.exec(line ?? '')?.[1] ?? 0) * 1024;
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
