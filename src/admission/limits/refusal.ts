/** How a caller reads that a limit was reached. Pure. */
import { Rejection } from '../../domain/errors.ts';
import type { LimitPolicy } from '../../domain/tenant.ts';
import type { LimitName, Taken } from './limiter.ts';

const WORDS: Readonly<Record<LimitName, (policy: LimitPolicy) => string>> = {
  cpu: ({ cpuSPerMinute }) => `has used its ${cpuSPerMinute} s of CPU time a minute`,
  rate: ({ requestsPerS, burst }) =>
    `may send ${requestsPerS} submissions a second, ${burst} at once`,
  concurrency: ({ concurrency }) => `may have ${concurrency} submissions under way`,
};

/** Where nobody knows when something under way will end, ms. */
const UNKNOWN_MS = 1000;

export function rateLimited(
  { tenant, policy }: { readonly tenant: string; readonly policy: LimitPolicy },
  { by, retryAfterMs }: Extract<Taken, { readonly granted: false }>,
): Rejection {
  return new Rejection('rate_limited', {
    detail: `tenant ${tenant} ${WORDS[by](policy)}`,
    retryAfterMs: retryAfterMs ?? UNKNOWN_MS,
  });
}
