/** What each tenant has done, for as many as can be told of one by one: the rest are those that were quiet longest. */
import { TENANT_BOUNDS } from '../../domain/tenant.ts';

export interface Count {
  submissions: number;
  rateLimited: number;
  running: number;
  cpuMs: number;
}

export class Counts {
  /** The one that was heard of last comes last. */
  readonly #byTenant = new Map<string, Count>();

  /** Of a tenant, to be changed in place. */
  of(tenant: string): Count {
    const count = this.#byTenant.get(tenant) ?? {
      submissions: 0,
      rateLimited: 0,
      running: 0,
      cpuMs: 0,
    };
    this.#byTenant.delete(tenant);
    this.#byTenant.set(tenant, count);
    if (this.#byTenant.size > TENANT_BOUNDS.counted) this.#dropOne();
    return count;
  }

  entries(): readonly (readonly [string, Readonly<Count>])[] {
    return [...this.#byTenant];
  }

  #dropOne(): void {
    for (const [tenant, { running }] of this.#byTenant) {
      if (running > 0) continue;
      this.#byTenant.delete(tenant);
      return;
    }
  }
}
