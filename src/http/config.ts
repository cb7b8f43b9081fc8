/** What the HTTP layer is configured with, and its defaults. Built by the composition root; reads no environment. */

const MIB = 1024 * 1024;

export interface HTTPConfig {
  /** Largest request body, bytes; a longer one is a 413. Also the longest line of a batch. */
  readonly bodyMaxBytes: number;
  /** Bytes of request bodies held at once over all requests; past it a request is told to come back (503). */
  readonly bodiesMaxBytes: number;
  /** A body of which nothing arrives for this long is given up (408), ms. */
  readonly bodyIdleMs: number;
  /** A body that is not whole after this long is given up (408), ms; of a batch, a line while nothing is judged. */
  readonly bodyTotalMs: number;
  readonly batch: BatchConfig;
  /** Name this replica answers with where a foreign wire has a field for it. */
  readonly podName: string | null;
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
  bodyIdleMs: 30_000,
  bodyTotalMs: 600_000,
  batch: {
    inFlightMax: 64,
    inFlightMaxBytes: 256 * MIB,
    unsentMaxBytes: 64 * MIB,
    stallMs: 60_000,
  },
  podName: null,
};
