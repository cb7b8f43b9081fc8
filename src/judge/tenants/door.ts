/**
 * The door for callers: who asks, and the service as it is to them. The types only; `callers.ts` is the implementation.
 */
import type { LimitPolicy } from '../../domain/tenant.ts';
import type { Service } from '../door.ts';

export interface Credentials {
  /** As it was sent; null for none. */
  readonly key: string | null;
  /** Whether it comes from this machine, and no proxy passed it on. */
  readonly isLocal: boolean;
}

/** What is left to a tenant with limits. */
export interface Allowance {
  readonly policy: LimitPolicy;
  /** As in `LimitState`. */
  readonly tokens: number | null;
  readonly fullInMs: number;
  readonly active: number;
}

interface CallOptions {
  /** Whether submissions wait where a limit of the tenant is reached; else they are refused with `rate_limited`. */
  readonly waits: boolean;
  /** Asked for; lowered to the tenant's maximum. Default 0. */
  readonly priority?: number;
  readonly onAllowance?: (allowance: Allowance) => void;
}

export interface Caller {
  /** Of the tenant. */
  readonly tenant: string;
  /** The service within the tenant's limits: every submission is counted, charged and paid for by it. */
  service(options: CallOptions): Service;
  /** Whether it looks after this service: it may see what concerns all tenants. */
  readonly isOperator: boolean;
  /** What it may see of tenants: its own, or all. */
  stats(): TenantsStats;
}

/** What a tenant has done since the start of this replica. */
interface TenantStats {
  readonly id: string;
  /** Submissions let in, those without a report included. */
  readonly submissions: number;
  /** Refused for a limit of the tenant. */
  readonly rateLimited: number;
  readonly running: number;
  /** For a limit of its own; those that wait for a slot are running. */
  readonly waiting: number;
  /** Charged, ms. */
  readonly cpuMs: number;
}

export interface TenantsStats {
  /** The one tenant that it is about; null for all. */
  readonly only: string | null;
  readonly limits: LimitsStats;
  readonly tenants: readonly TenantStats[];
}

export interface LimitsStats {
  /** Where limits are counted. */
  readonly store: 'memory' | 'redis';
  /** Redis does not answer: this replica counts by itself. */
  readonly degraded: boolean;
}

export interface Callers {
  /** Throws Rejection `unknown_key` for a key that is nobody's, and where a key is needed; `not_ready`. */
  identify(credentials: Credentials): Promise<Caller>;
  /** For work that a tenant left behind; null for one that there is not any more. Throws `not_ready`. */
  tenant(id: string): Promise<Caller | null>;
  limits(): LimitsStats;
}
