/** Callers by their keys: finds the tenant, and hands out the service as it is to that tenant. */
import type { Turnstile } from '../../admission/limits/turnstile.ts';
import type { TenantDirectory } from '../../admission/tenants/directory.ts';
import { Rejection } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/tenant.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Service } from '../door.ts';
import { Counts } from './counts.ts';
import type { Caller, Callers, Credentials, LimitsStats, TenantsStats } from './door.ts';
import { TenantService } from './tenant-service.ts';

/** Who may call without a key: by `auto` everybody while nobody has one, and then this machine. */
export type AnonymousRule = 'auto' | 'any' | 'none';

interface CallersOptions {
  readonly service: Service;
  readonly directory: Pick<TenantDirectory, 'find' | 'hasKeys' | 'anonymous' | 'tenant'>;
  readonly turnstile: Turnstile;
  readonly clock: Clock;
  readonly anonymous: AnonymousRule;
  readonly limits: () => LimitsStats;
}

export class TenantCallers implements Callers {
  readonly #options: CallersOptions;
  readonly #counts = new Counts();

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  async identify({ key, isLocal }: Credentials): Promise<Caller> {
    const { directory, anonymous: rule } = this.#options;
    const hasKeys = await directory.hasKeys();
    // Clients of other services send keys of theirs, or made-up ones: where there are no keys, they mean nothing.
    if (key !== null && hasKeys) {
      const tenant = await directory.find(key);
      if (tenant === null) throw unknownKey('this key is not known here, or no longer');
      return this.#caller(tenant, tenant.policy.isOperator);
    }
    const isOpen = rule === 'any' || (rule === 'auto' && !hasKeys);
    const isAllowed = isOpen || (rule === 'auto' && isLocal);
    if (!isAllowed) throw unknownKey('a key is needed here');
    return this.#caller(await directory.anonymous(), !hasKeys || isLocal);
  }

  async tenant(id: string): Promise<Caller | null> {
    const tenant = await this.#options.directory.tenant(id);
    return tenant === null ? null : this.#caller(tenant, false);
  }

  limits(): LimitsStats {
    return this.#options.limits();
  }

  #caller(tenant: Tenant, seesAll: boolean): Caller {
    const { service: inner, turnstile, clock } = this.#options;
    return {
      tenant: tenant.id,
      isOperator: seesAll,
      service: ({ waits, priority = 0, onAllowance = () => undefined }) =>
        new TenantService({
          inner,
          tenant,
          turnstile,
          counts: this.#counts,
          clock,
          waits,
          priority,
          onAllowance,
        }),
      stats: () => this.#stats(seesAll ? null : tenant.id),
    };
  }

  #stats(only: string | null): TenantsStats {
    const { turnstile } = this.#options;
    const shown = this.#counts.entries().filter(([id]) => only === null || id === only);
    const tenants = shown.map(([id, { submissions, rateLimited, running, cpuMs }]) => ({
      id,
      submissions,
      rateLimited,
      running,
      waiting: turnstile.waiting(id),
      cpuMs: Math.round(cpuMs),
    }));
    return { only, limits: this.limits(), tenants };
  }
}

function unknownKey(reason: string): Rejection {
  return new Rejection('unknown_key', {
    detail: `${reason}; send one as Authorization: Bearer KEY, or as X-API-Key`,
  });
}
