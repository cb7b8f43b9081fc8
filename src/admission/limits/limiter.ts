/**
 * The port of limiters: what one tenant has used, and whether one more submission may be taken. Three limits in one step:
 * a token bucket of submissions, leases of those under way, and a bucket of CPU time that is charged afterwards. Two stores
 * implement it (`memory-limiter.ts`, `redis-limiter.ts`) and pass one contract suite; neither knows who waits or answers.
 */
import type { LimitPolicy } from '../../domain/tenant.ts';

export interface Passage {
  readonly tenant: string;
  readonly policy: LimitPolicy;
  /** Identifies one submission under way, over all replicas. */
  readonly lease: string;
  /** How long the lease holds unless it is renewed, ms: what a replica that died held comes free so late. */
  readonly leaseMs: number;
}

/** What is left of each limit; null where there is none. */
export interface LimitState {
  /** Submissions that may be taken at once. */
  readonly tokens: number | null;
  /** Until the bucket is full again, ms. */
  readonly fullInMs: number;
  /** Submissions under way, this one included where it was taken. */
  readonly active: number;
  /** CPU time to be used at once, ms; below 0 what was used ahead. */
  readonly cpuMs: number | null;
}

/** Which limit refused; the first in this order. */
export type LimitName = 'cpu' | 'rate' | 'concurrency';

export type Taken =
  | { readonly granted: true; readonly state: LimitState }
  | {
      readonly granted: false;
      readonly by: LimitName;
      /** When it may be granted at the earliest, ms; null where that hangs on submissions under way. */
      readonly retryAfterMs: number | null;
      readonly state: LimitState;
    };

/** What came of a submission. */
export interface Spent {
  /** CPU time to be charged, ms. */
  readonly cpuMs: number;
  /** Whether the token comes back: nothing was run, or it was our fault. */
  readonly isRefunded: boolean;
}

/** Leases of one renewal, at most: they are arguments of one command. */
export const RENEWED_AT_ONCE = 1000;

export interface Renewal extends Pick<Passage, 'tenant' | 'leaseMs'> {
  readonly leases: readonly string[];
}

export interface Limiter {
  /** Takes a token and a lease, or nothing at all. */
  take(passage: Passage): Promise<Taken>;
  /** Ends a lease and charges what was spent. Of a lease that has expired only the charge remains. */
  give(passage: Passage, spent: Spent): Promise<void>;
  /** Makes leases last so long from now; those that were lost are there again. */
  renew(renewal: Renewal): Promise<void>;
}
