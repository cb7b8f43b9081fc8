/**
 * What a hostile program could have left on the host, as one value that can be compared: processes of runs, jails
 * without a supervisor, mounts, control groups, files of the state folder, descriptors, SysV IPC, abstract sockets.
 * What may differ between two moments of a healthy service (how many jails are held ready) is normalised away.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { openDescriptors, ownedProcesses, processFacts } from './process-tree.ts';

export interface HostSnapshot {
  /** Processes of runs that are still there. */
  readonly runs: readonly number[];
  readonly launchers: number;
  /** Jails of which the wall's process is there and not their first ones, or the other way round; 0 when all are whole. */
  readonly unpairedJails: number;
  /** Group folders of jails minus jails and groups per jail: 0 when every jail has its own and there are no others. */
  readonly strayGroups: number;
  /** The host's mount table as the service sees it. */
  readonly mounts: readonly string[];
  /** Mounts and descriptors of each supervisor that was there before: `pid mounts descriptors`. */
  readonly supervisors: ReadonlyMap<number, string>;
  readonly stateFiles: readonly string[];
  /** Descriptors of the service that belong neither to a jail nor to a caller. */
  readonly serviceDescriptors: readonly string[];
  /** Descriptors of the launcher. */
  readonly launcherDescriptors: number;
  readonly sysvIpc: string;
  readonly abstractSockets: readonly string[];
}

interface SnapshotOf {
  readonly pid: number;
  readonly stateDir: string;
}

/** Of each jail of gVisor's: the sandbox and its gofer are the first in pid namespaces of their own. */
const GVISOR_FIRST_PROCESSES = 2;
/** What runsc keeps of a jail goes with it. */
const JAIL_STATE = /\/j\/jail-\d+/;

/** What is looked at may end meanwhile; then it is looked at again. */
const LOOKS_MAX = 50;

/** Takes a picture of the host. It shows one moment; use `expectSame` to wait for the jail's own housekeeping. */
export function takeSnapshot(of: SnapshotOf): HostSnapshot {
  for (let looks = 1; looks < LOOKS_MAX; looks += 1) {
    const seen = unlessGone(() => look(of), null);
    if (seen !== null) return seen;
  }
  return look(of);
}

function look({ pid, stateDir }: SnapshotOf): HostSnapshot {
  const owned = ownedProcesses(pid);
  const [launcher] = owned.launchers;
  const groups = groupsOf(pid);
  const hierarchies = new Set(groups.map((group) => path.dirname(group))).size;
  const isGvisor = launcher !== undefined && argvOf(launcher).includes('--runsc');
  return {
    runs: owned.runs,
    launchers: owned.launchers.length,
    unpairedJails:
      owned.nsjails.length - owned.supervisors.length / (isGvisor ? GVISOR_FIRST_PROCESSES : 1),
    strayGroups: groups.length - hierarchies * owned.nsjails.length,
    mounts: mountsOf(pid),
    // What a sandbox of gVisor's holds open is a cache of its own.
    supervisors: new Map(
      isGvisor ? [] : owned.supervisors.map((each) => [each, supervisorFacts(each)]),
    ),
    stateFiles: filesBelow(stateDir),
    serviceDescriptors: lastingDescriptors(pid),
    launcherDescriptors: launcher === undefined ? 0 : openDescriptors(launcher).length,
    sysvIpc: ['shm', 'sem', 'msg']
      .map((kind) => readFileSync(`/proc/sysvipc/${kind}`, 'utf8'))
      .join(),
    abstractSockets: abstractSockets(),
  };
}

/** The parts of two pictures that must be equal; supervisors only as far as both pictures show them. */
export function comparable(
  now: HostSnapshot,
  before: HostSnapshot,
): Omit<HostSnapshot, 'supervisors'> & {
  readonly supervisors: readonly string[];
} {
  const shared = [...now.supervisors].filter(([pid]) => before.supervisors.has(pid));
  return { ...now, supervisors: shared.map(([pid, facts]) => `${pid} ${facts}`) };
}

/** Folders of control groups that belong to jails of this service: those its jails' processes are in. */
export function groupsOf(pid: number): readonly string[] {
  return groupParents(pid).flatMap((parent) =>
    unlessGone(() => readdirSync(parent, { withFileTypes: true }), [])
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('jail-'))
      .map((entry) => path.join(parent, entry.name)),
  );
}

/** Folders in which the launcher makes groups: its own `--cgroup` arguments. */
export function groupParents(pid: number): readonly string[] {
  const [launcher] = ownedProcesses(pid).launchers;
  if (launcher === undefined) return [];
  // The launchers of a start's probes live for moments.
  const argv = argvOf(launcher);
  return argv.flatMap((each, i) => (argv[i - 1] === '--cgroup' ? [each] : []));
}

function argvOf(pid: number): readonly string[] {
  return unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0');
}

function supervisorFacts(pid: number): string {
  if (processFacts(pid) === null) return 'gone';
  return unlessGone(
    () => `mounts ${mountsOf(pid).length} descriptors ${openDescriptors(pid).length}`,
    'gone',
  );
}

/** What `look` sees, or `otherwise` when the process or its group ended while it was looked at. */
function unlessGone<Seen>(look: () => Seen, otherwise: Seen): Seen {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ESRCH)$/.test(String(error.code))) {
      return otherwise;
    }
    throw error;
  }
}

function mountsOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trimEnd().split('\n');
}

/** Whole entries of the compile cache come and go by their own rules; drafts of them do not stay. */
const CACHE_ENTRY = /^compile-cache\/[0-9a-f]{64}$/;

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !CACHE_ENTRY.test(name) && !JAIL_STATE.test(name)).toSorted();
}

/** Sockets come and go with callers and jails; pipes, files and event descriptors do not. */
function lastingDescriptors(pid: number): readonly string[] {
  return openDescriptors(pid)
    .filter((target) => !target.startsWith('socket:'))
    .map((target) => target.replace(/\d{4,}/, 'N'))
    .toSorted();
}

function abstractSockets(): readonly string[] {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .flatMap((line) => / (@.*)$/.exec(line)?.[1] ?? [])
    .toSorted();
}
