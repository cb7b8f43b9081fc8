/** The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, from -08 on). Pure. */
import type { Allowance } from '../../../judge/tenants/door.ts';

interface RateLimitFields {
  readonly policy: string;
  readonly state: string;
}

/**
 * One item for each limit that the draft has a unit for: submissions (a bucket of `q` that fills in `w` seconds) and those
 * under way. CPU time has none there, and is told by `Retry-After` alone. Null where there is neither limit.
 */
export function rateLimitFields(allowance: Allowance): RateLimitFields | null {
  const { requestsPerS, burst, concurrency } = allowance.policy;
  const policy: string[] = [];
  const state: string[] = [];
  if (requestsPerS !== null) {
    policy.push(`"rate";q=${burst};w=${Math.max(1, Math.ceil(burst / requestsPerS))}`);
    const left = Math.max(0, allowance.tokens ?? 0);
    state.push(`"rate";r=${left};t=${Math.ceil(allowance.fullInMs / 1000)}`);
  }
  if (concurrency !== null) {
    policy.push(`"concurrency";q=${concurrency};qu="concurrent-requests"`);
    state.push(`"concurrency";r=${Math.max(0, concurrency - allowance.active)}`);
  }
  return policy.length === 0 ? null : { policy: policy.join(', '), state: state.join(', ') };
}
