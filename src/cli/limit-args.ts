/** The limits of a submission as flags of a command: `--cpu-ms 2000`. */
import type { StringArgDef } from 'citty';

import { flagName } from './check-words.ts';
import { UsageError } from './exit-codes.ts';

const flag = (description: string): StringArgDef => ({ type: 'string', description });

export const limitArgs = {
  cpuMs: flag('CPU limit, ms.'),
  wallMs: flag('Wall limit, ms.'),
  memoryMb: flag('Memory limit, MiB.'),
  outputKb: flag('Limit of stdout and of stderr, KiB.'),
  processes: flag('Processes and threads at once.'),
  diskMb: flag('Size of the private file system, MiB.'),
  files: flag('Open file descriptors.'),
  compileCpuMs: flag('CPU limit of the compile step, ms.'),
} as const;

/** The wire's `limits`, with those that were given. Throws UsageError for one that is no whole number. */
export function wireLimits(args: Readonly<Record<string, unknown>>): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const key of Object.keys(limitArgs)) {
    const given = args[key];
    if (typeof given !== 'string') continue;
    if (!/^\d+$/.test(given)) throw new UsageError(`--${flagName(key)} takes a whole number`);
    limits[flagName(key).replaceAll('-', '_')] = Number(given);
  }
  return limits;
}
