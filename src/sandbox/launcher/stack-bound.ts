/** How large the stack of a run can be at most: what the host lets the launcher have, whose descendants jails are. */
import { readFile } from 'node:fs/promises';

/** Bytes; null where there is no bound, or none that can be read. */
export async function readStackBound(pid: number | null): Promise<number | null> {
  if (pid === null) return null;
  return stackBoundOf(await readFile(`/proc/${pid}/limits`, 'latin1').catch(() => ''));
}

/** The hard limit in the text of /proc/PID/limits. Pure. */
export function stackBoundOf(limits: string): number | null {
  const hard = /^Max stack size\s+\S+\s+(\d+)\s/m.exec(limits)?.[1];
  return hard === undefined ? null : Number(hard);
}
