/**
 * What jails hold in memory, from the host's /proc: the proportional set size of all processes of one jail. Reads the
 * kernel's word alone, a bounded number of small files, and nothing that a program can write.
 */
import { readFile } from 'node:fs/promises';

/** Processes of an idle jail: nsjail, the first process and its warm runtime; more than a few are none. */
const PROCESSES_MAX = 16;
/** Jails of a launcher that are looked at. */
const JAILS_MAX = 256;

interface FirstProcess {
  readonly nsjail: number;
  readonly first: number;
}

export interface FootprintReader {
  /** Bytes; null where the kernel does not tell, or no such jail is there any more. */
  measure(jail: string): Promise<number | null>;
}

/** `launcher` is the process whose children are the jails' nsjails; null while there is none. */
export function createFootprintReader(launcher: () => number | null): FootprintReader {
  /** Where jails were found; made anew whenever one is not there. Bounded by `JAILS_MAX`. */
  let known = new Map<string, FirstProcess>();
  return {
    async measure(jail) {
      let found = known.get(jail);
      if (found === undefined || (await nameOf(found.first)) !== jail) {
        known = await findJails(launcher());
        found = known.get(jail);
      }
      return found === undefined ? null : await sizeOf(found);
    },
  };
}

async function findJails(launcher: number | null): Promise<Map<string, FirstProcess>> {
  const jails = new Map<string, FirstProcess>();
  if (launcher === null) return jails;
  for (const nsjail of (await childrenOf(launcher)).slice(0, JAILS_MAX)) {
    // nsjail's only child is the jail's first process.
    const [first] = await childrenOf(nsjail);
    const name = first === undefined ? null : await nameOf(first);
    if (first !== undefined && name !== null) jails.set(name, { nsjail, first });
  }
  return jails;
}

async function sizeOf({ nsjail, first }: FirstProcess): Promise<number | null> {
  const processes = [nsjail, first];
  for (let at = 1; at < processes.length && processes.length < PROCESSES_MAX; at += 1) {
    processes.push(...(await childrenOf(processes[at] ?? 0)));
  }
  const sizes = await Promise.all(processes.slice(0, PROCESSES_MAX).map(proportionalSize));
  const known = sizes.filter((size) => size !== null);
  return known.length < sizes.length ? null : known.reduce((sum, size) => sum + size, 0);
}

/** The value of `--name` in a first process's command line; null for any other process. */
async function nameOf(pid: number): Promise<string | null> {
  const words = (await read(`/proc/${pid}/cmdline`)).split('\0');
  const at = words.indexOf('--name');
  return at < 0 ? null : (words[at + 1] ?? null);
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await read(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []));
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
