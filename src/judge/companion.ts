/**
 * Further jails under a submission's permit, for programs that are the problem's and not the candidate's. They come from
 * pools of their own, in whose jails no candidate ever runs, and are taken only when they are needed. Their memory is part
 * of the candidate's lease, so nobody waits for memory while holding some.
 */
import type { Environment } from '../domain/language.ts';
import type { EnvironmentPool, Lease } from '../pool/environment-pool.ts';
import { poolId } from './isolates.ts';
import type { Place, Workshop } from './place.ts';

export class Companions {
  readonly #pools: ReadonlyMap<string, EnvironmentPool>;
  readonly #workshop: Workshop;
  readonly #leases: Lease[] = [];

  constructor(pools: ReadonlyMap<string, EnvironmentPool>, workshop: Workshop) {
    this.#pools = pools;
    this.#workshop = workshop;
  }

  /**
   * Leases one more jail until the submission ends. A submission takes at most one of each environment: its pool has as
   * many jails as there are permits. Throws faults, and the signal's reason.
   */
  async open(environment: Environment): Promise<Place> {
    const pool = this.#pools.get(poolId(environment, 'verifier'));
    if (pool === undefined) throw new Error(`environment ${environment.id} has no verifier pool`);
    const lease = await pool.acquire(this.#workshop.signal, null);
    this.#leases.push(lease);
    const { session } = lease;
    // Compilers that are kept ready are the candidate's language's.
    return { ...this.#workshop, compilers: null, session, environment, runtime: 'process' };
  }

  /** Gives all jails back. */
  release(): void {
    for (const lease of this.#leases.splice(0)) lease.release();
  }

  /** Gives up all jails: something of ours went wrong in one of them. */
  discard(): void {
    for (const lease of this.#leases.splice(0)) lease.discard('fault');
  }
}
