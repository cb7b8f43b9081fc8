/** How a client of Redis connects, and connects again; for ioredis. */

/** Between two tries, at most, ms. */
const RETRY_MAX_MS = 1000;

export const RECONNECTING = {
  connectTimeout: 2000,
  retryStrategy: (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), RETRY_MAX_MS),
} as const;
