/**
 * Processes of this machine as the kernel shows them, and the ones that a service owns: by ancestry and by depth of
 * pid namespaces, never by name. A jail's supervisor lives one namespace below its service, a run two.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** One letter of proc(5): R, S, D, T, Z … */
  readonly state: string;
  /** How many pid namespaces see it. */
  readonly depth: number;
  /** Its number in the innermost of them. */
  readonly innerPid: number;
  /** When it began, clock ticks since the machine did: a number may come again, with another of these. */
  readonly started: string;
}

/** What the service has started, by role. */
export interface OwnedProcesses {
  readonly launchers: readonly number[];
  readonly nsjails: readonly number[];
  readonly supervisors: readonly number[];
  /** What supervisors fork runs from. */
  readonly warmRuntimes: readonly number[];
  /** Everything of submitted programs: inits of runs and what they started. */
  readonly runs: readonly number[];
}

/** Facts of one process; null when it is gone. */
export function processFacts(pid: number): ProcessFacts | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const field = (name: string): string =>
      new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
    const numbers = field('NSpid').split(/\s+/).map(Number);
    return {
      pid,
      parent: Number(field('PPid')),
      state: field('State').slice(0, 1),
      depth: numbers.length,
      innerPid: numbers.at(-1) ?? pid,
      // The name, in parentheses, may hold anything; the start is the 22nd field (proc(5)).
      started: stat.replace(/^.*\) /s, '').split(' ')[19] ?? '',
    };
  } catch {
    // It ended between the listing and the reading.
    return null;
  }
}

/** All processes that this process can see, zombies included. */
function allProcesses(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processFacts(Number(name)) ?? []);
}

/** What descends from a process, however deep; the process itself left out. */
export function descendants(root: number): readonly ProcessFacts[] {
  const children = Map.groupBy(allProcesses(), ({ parent }) => parent);
  const found: ProcessFacts[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      open.push(child.pid);
    }
  }
  return found;
}

/** The service's processes by role. */
export function ownedProcesses(service: number): OwnedProcesses {
  const own = processFacts(service)?.depth ?? 1;
  const all = descendants(service);
  const pids = (isIt: (facts: ProcessFacts) => boolean): number[] =>
    all
      .filter(isIt)
      .map(({ pid }) => pid)
      .toSorted((a, b) => a - b);
  return {
    launchers: pids(({ depth, parent }) => depth === own && parent === service),
    nsjails: pids(({ depth, parent }) => depth === own && parent !== service),
    supervisors: pids(({ depth, innerPid }) => depth === own + 1 && innerPid === 1),
    warmRuntimes: pids(({ depth, innerPid }) => depth === own + 1 && innerPid !== 1),
    runs: pids(({ depth }) => depth > own + 1),
  };
}

/** Whether a process exists and is not only waiting to be reaped. */
export function isAlive(pid: number): boolean {
  const facts = processFacts(pid);
  return facts !== null && facts.state !== 'Z';
}

/** Targets of a process's open descriptors, e.g. `socket:[123]`. */
export function openDescriptors(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

/** Resident memory, bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}
