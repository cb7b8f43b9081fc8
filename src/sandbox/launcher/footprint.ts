/**
 * What jails hold in memory, from the host's /proc: the proportional set size of all processes of one jail. Reads the
 * kernel's word alone, a bounded number of small files, and nothing that a program can write.
 */
import { readdir, readFile } from 'node:fs/promises';

/** Processes of an idle jail: the wall's own, the first process and its warm runtime; more than a few are none. */
const PROCESSES_MAX = 32;
/** Jails of a launcher that are looked at. */
const JAILS_MAX = 256;

/** Where a process says which jail it is of: in its `--name`, or as its last argument. */
export type NamedBy = 'option' | 'last_argument';

interface Found {
  /** The launcher's child. */
  readonly outer: number;
  /** The process that has the name. */
  readonly named: number;
}

export interface FootprintReader {
  /** Bytes; null where the kernel does not tell, or no such jail is there any more. */
  measure(jail: string): Promise<number | null>;
}

/**
 * `launcher` is the process whose children are the jails' outermost; null while there is none. These have the name
 * themselves where it is their last argument, else their only child has it.
 */
export function createFootprintReader(
  launcher: () => number | null,
  namedBy: NamedBy,
): FootprintReader {
  /** Where jails were found; made anew whenever one is not there. Bounded by `JAILS_MAX`. */
  let known = new Map<string, Found>();
  return {
    async measure(jail) {
      let found = known.get(jail);
      if (found === undefined || (await nameOf(found.named, namedBy)) !== jail) {
        known = await findJails(launcher(), namedBy);
        found = known.get(jail);
      }
      return found === undefined ? null : await sizeOf(found.outer);
    },
  };
}

async function findJails(launcher: number | null, namedBy: NamedBy): Promise<Map<string, Found>> {
  const jails = new Map<string, Found>();
  if (launcher === null) return jails;
  for (const outer of (await childrenOf(launcher)).slice(0, JAILS_MAX)) {
    const named = namedBy === 'last_argument' ? outer : (await childrenOf(outer))[0];
    const name = named === undefined ? null : await nameOf(named, namedBy);
    if (named !== undefined && name !== null) jails.set(name, { outer, named });
  }
  return jails;
}

async function sizeOf(outer: number): Promise<number | null> {
  const processes = [outer];
  for (let at = 0; at < processes.length && processes.length < PROCESSES_MAX; at += 1) {
    processes.push(...(await childrenOf(processes[at] ?? 0)));
  }
  const sizes = await Promise.all(processes.slice(0, PROCESSES_MAX).map(proportionalSize));
  const known = sizes.filter((size) => size !== null);
  return known.length < sizes.length ? null : known.reduce((sum, size) => sum + size, 0);
}

/** The name of a jail in a command line; null for any other process. */
async function nameOf(pid: number, namedBy: NamedBy): Promise<string | null> {
  const words = (await read(`/proc/${pid}/cmdline`)).split('\0');
  if (namedBy === 'last_argument') return words.at(-2) ?? null;
  const at = words.indexOf('--name');
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** Of all its threads: each has those that it made itself (proc(5)). */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch((): string[] => []);
  const texts = await Promise.all(threads.map((id) => read(`/proc/${pid}/task/${id}/children`)));
  return texts
    .flatMap((text) => text.split(' '))
    .flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []));
}

/** proc(5), smaps_rollup: shared pages count by the number of processes that share them. */
async function proportionalSize(pid: number): Promise<number | null> {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}

/** Empty where the process has ended, or the kernel has no such file. */
async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // Both are ordinary: the caller then knows nothing of it.
    return '';
  }
}
