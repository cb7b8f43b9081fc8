/** What the benchmark and the probe inside the measured service say to each other. */

/** `reset` starts a new window of the loop's delay, `loop` reads it, `collect` runs a full collection first. */
export type ProbeQuestion = 'read' | 'reset' | 'loop' | 'collect';

/** Delay of the event loop since the last reset, ms, weighted by time. */
export interface LoopDelay {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly seconds: number;
}

export interface ProbeAnswer {
  /** Null unless asked for. */
  readonly loop: LoopDelay | null;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly externalBytes: number;
  /** CPU time of the service's own process since its start, ms. */
  readonly cpuMs: number;
}
