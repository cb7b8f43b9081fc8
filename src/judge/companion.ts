/**
 * Further jails under a submission's permit: for programs that are the problem's and not the candidate's, from pools of
 * their own, in whose jails no candidate ever runs; and for further runs of the candidate's at the same time. They are
 * taken only when they are needed, and a pool makes as many as are asked for, so nobody waits for another's. Their memory is part
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

  /** Leases one more jail for a program of the problem's, until the submission ends. Throws faults, and the signal's reason. */
  async open(environment: Environment): Promise<Place> {
    const pool = this.#pools.get(poolId(environment, 'verifier'));
    if (pool === undefined) throw new Error(`environment ${environment.id} has no verifier pool`);
    return await this.#lease(pool, environment);
  }

  /**
   * Leases further jails for runs of the candidate's program beside the one in its own jail, until the submission ends.
   * Throws as `open`.
   */
  async beside(environment: Environment, count: number): Promise<Place[]> {
    const pool = this.#pools.get(poolId(environment, 'process'));
    if (pool === undefined) throw new Error(`environment ${environment.id} has no pool`);
    const places: Place[] = [];
    while (places.length < count) places.push(await this.#lease(pool, environment));
    return places;
  }

  async #lease(pool: EnvironmentPool, environment: Environment): Promise<Place> {
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
