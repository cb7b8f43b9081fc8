/** Whether jails start at all: what the service's readiness depends on besides its self-tests. Pure. */
import type { EnvironmentPool } from '../pool/environment-pool.ts';

/** So many starts in a row fail by no accident. */
const START_FAILURES_MAX = 3;

/** Why nothing can run: jails do not start, and no pool has any. */
export function failingStarts(pools: readonly EnvironmentPool[]): string[] {
  const failing = pools.filter(({ startFailures }) => startFailures >= START_FAILURES_MAX);
  const hasJails = pools.some((pool) => {
    const { ready, leased } = pool.stats();
    return ready + leased > 0;
  });
  if (hasJails) return [];
  return [...new Set(failing.map(({ name }) => `jails of ${name} do not start`))];
}
