/**
 * A second jail beside the candidate's, from a pool that never runs candidates: for test runners, and for whatever else
 * may know what a candidate must not. Both are held under one permit, for the two work in turns.
 *
 * The order is always the candidate's jail, then the other, and a permit is held by whoever asks: no more leases of
 * either pool can be out than there are permits, and each pool makes as many jails as there are slots. So nobody waits
 * for a jail that another waiter holds; nor for memory, for the first lease has that of both.
 */
import type { EnvironmentPool, Lease } from '../pool/environment-pool.ts';
import type { Session } from '../runner/session.ts';

/** The lease of a candidate's jail, with that of its companion tied to it: what ends the one ends the other. */
export async function leaseBoth(
  pool: EnvironmentPool,
  companions: EnvironmentPool | null,
  { signal, memoryBytes }: { readonly signal: AbortSignal; readonly memoryBytes: number },
): Promise<Lease & { readonly companion: Session | null }> {
  const lease = await pool.acquire(signal, memoryBytes);
  if (companions === null) return { ...lease, companion: null };
  const second = await companions.acquire(signal, null).catch((error: unknown) => {
    lease.release();
    throw error;
  });
  return {
    session: lease.session,
    companion: second.session,
    jail: lease.jail,
    acquire: lease.acquire === 'cold' || second.acquire === 'cold' ? 'cold' : 'warm',
    acquireMs: lease.acquireMs + second.acquireMs,
    release() {
      lease.release();
      second.release();
    },
    discard(reason) {
      lease.discard(reason);
      second.discard(reason);
    },
  };
}
