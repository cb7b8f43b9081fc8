/** What the HTTP layer is configured with, and its defaults. Built by the composition root; reads no environment. */

import { DEFAULT_SURFACES, type Surface } from '../domain/surfaces.ts';
import type { ArrivalLimits } from './middleware/body/arrival.ts';

const MIB = 1024 * 1024;

export interface HTTPConfig {
  /** Largest request body, bytes; a longer one is a 413. Also the longest line of a batch. */
  readonly bodyMaxBytes: number;
  /** Bytes of request bodies held at once over all requests; past it a request is told to come back (503). */
  readonly bodiesMaxBytes: number;
  /** How a body must come, or it is given up (408); of a batch, a line while nothing is judged. */
  readonly arrival: ArrivalLimits;
  readonly batch: BatchConfig;
  /** Name this replica answers with where a foreign wire has a field for it. */
  readonly podName: string | null;
  /** Whether the service listens to this machine alone. */
  readonly isLoopback: boolean;
  /** The wires of others that are served. */
  readonly surfaces: readonly Surface[];
  /** Whether open-instruct's list of words fails a program that has one. */
  readonly openInstructWords: boolean;
}

export interface BatchConfig {
  /** Lines of one batch being judged at once. */
  readonly inFlightMax: number;
  /** Bytes of lines being judged at once; one line alone may be longer. */
  readonly inFlightMaxBytes: number;
  /**
   * Bytes of finished reports that wait for a caller who is still sending; past it nothing more is read. Large, since
   * ordinary clients read no answer before they have sent their whole body.
   */
  readonly unsentMaxBytes: number;
  /** A caller who takes no report for this long while the unsent ones are at their maximum is cut off, ms. */
  readonly stallMs: number;
}

export const DEFAULT_HTTP_CONFIG: HTTPConfig = {
  bodyMaxBytes: 256 * MIB,
  bodiesMaxBytes: 1024 * MIB,
  arrival: { idleMs: 30_000, totalMs: 600_000, minBytesPerS: 16 * 1024, graceMs: 10_000 },
  batch: {
    inFlightMax: 64,
    inFlightMaxBytes: 256 * MIB,
    unsentMaxBytes: 64 * MIB,
    stallMs: 60_000,
  },
  podName: null,
  isLoopback: true,
  surfaces: DEFAULT_SURFACES,
  openInstructWords: true,
};
