/** The cores this process may use. */
import { readFileSync } from 'node:fs';

/** Core numbers in rising order, from the affinity mask; at least one. */
export function allowedCpus(status: string = readFileSync('/proc/self/status', 'utf8')): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '0';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
