/** What the operating system and the engine say of this process. */

export interface ProcessFacts {
  /** User and system time of all its threads; jails are not its children's. */
  readonly cpuSeconds: number;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly nodeVersion: string;
}

export function processFacts(): ProcessFacts {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    startedAt: performance.timeOrigin / 1000,
    heapBytes: heapUsed,
    externalBytes: external,
    nodeVersion: process.version,
  };
}
