/** Facts of the machine that figures depend on, and a warning when something else is using it. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  /** Hardware threads that share a core slow each other down; null where the kernel does not say. */
  readonly threadsPerCore: number | null;
  readonly kernel: string;
  readonly memoryGib: number;
  readonly node: string;
  readonly load1: number;
}

/** Load above this share of the cores makes figures doubtful. */
const QUIET_LOAD = 0.25;

export function readMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threadsPerCore: threadsPerCore(),
    kernel: release(),
    memoryGib: totalmem() / 2 ** 30,
    node: process.version,
    load1: loadavg()[0] ?? 0,
  };
}

export function describeMachine(machine: Machine): string {
  const { cores, cpu, threadsPerCore: threads, kernel, memoryGib, node, load1 } = machine;
  const siblings = threads === null ? '' : `, ${threads} thread(s) a core`;
  const memory = `${memoryGib.toFixed(0)} GiB`;
  return `${cores} × ${cpu}${siblings}, ${memory}, Linux ${kernel}, Node ${node}, load ${load1.toFixed(2)}`;
}

/** Null when the machine is quiet. */
export function loadWarning(machine: Machine): string | null {
  if (machine.load1 <= QUIET_LOAD * machine.cores) return null;
  return `WARNING: load average ${machine.load1.toFixed(2)} on ${machine.cores} cores: something else is running, figures will be worse than they are`;
}

function threadsPerCore(): number | null {
  try {
    const path = '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list';
    const list = readFileSync(path, 'utf8').trim();
    return list.split(',').reduce((sum, part) => {
      const [low, high] = part.split('-').map(Number);
      return sum + (low === undefined || high === undefined ? 1 : high - low + 1);
    }, 0);
  } catch {
    // Not every kernel shows its topology; the figure is for information.
    return null;
  }
}
