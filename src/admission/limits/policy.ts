/** A tenant's limits as rules of buckets. Pure. */
import type { LimitPolicy } from '../../domain/tenant.ts';
import type { BucketRules } from './bucket.ts';

/** A bucket of CPU time holds one minute's worth. */
const CPU_WINDOW_MS = 60_000;

export function tokenRules({ requestsPerS, burst }: LimitPolicy): BucketRules | null {
  return requestsPerS === null ? null : { capacity: burst, perMs: requestsPerS / 1000 };
}

/** In milliseconds of CPU time. */
export function cpuRules({ cpuSPerMinute }: LimitPolicy): BucketRules | null {
  if (cpuSPerMinute === null) return null;
  const capacity = cpuSPerMinute * 1000;
  return { capacity, perMs: capacity / CPU_WINDOW_MS };
}

/** Whether nothing has to be counted. */
export function isUnlimited(policy: LimitPolicy): boolean {
  const { requestsPerS, concurrency, cpuSPerMinute } = policy;
  return requestsPerS === null && concurrency === null && cpuSPerMinute === null;
}
