/** Who pays for a submission, and what they may do. Owns the types; knows nothing of keys, stores or wires. */
import type { LimitsRequest } from './limits.ts';
import type { Submission } from './submission.ts';

/** All that queue and caches need to know of a tenant. */
export interface Payer {
  /** Identifier of the tenant. */
  readonly tenant: string;
  /** Share of the slots beside other tenants' when all want more than there is; above 0. */
  readonly weight: number;
  /** Whose compiled programs it uses and leaves behind; the tenant's own unless given. */
  readonly builds?: string;
}

/** Whoever calls without a key. */
export const ANONYMOUS: Payer = { tenant: 'anonymous', weight: 1 };

/** Name under which tenants share compiled programs, where they may; no tenant can have it. */
export const SHARED_BUILDS = '*';

/** What a tenant's submissions are counted against; null for no limit. */
export interface LimitPolicy {
  /** Submissions a second in the long run; above 0. */
  readonly requestsPerS: number | null;
  /** Submissions at once after a pause, 1 at least. */
  readonly burst: number;
  /** Submissions that wait or run at once. */
  readonly concurrency: number | null;
  /** Seconds of CPU time a minute in the long run, one minute's worth at once; 0.01 at least. */
  readonly cpuSPerMinute: number | null;
}

export interface TenantPolicy extends LimitPolicy {
  /** Largest limits of one submission, where they are below the operator's; asking for more is clamped and reported. */
  readonly maxima: LimitsRequest;
  /** Highest priority that its requests may ask for. */
  readonly priorityMax: number;
  /** As in `Payer`. */
  readonly weight: number;
  /** Ids of the languages that its programs may be in; null for all. */
  readonly languages: readonly string[] | null;
  /** Every submission gets this wall at least; null for what the service has. */
  readonly wall: Submission['wall'];
  /** Whether compiled programs are shared with all tenants that do so. */
  readonly sharesBuilds: boolean;
  /** Whether `/v1/stats` tells it of all tenants. */
  readonly isOperator: boolean;
}

export const DEFAULT_POLICY: TenantPolicy = {
  requestsPerS: null,
  burst: 1,
  concurrency: null,
  cpuSPerMinute: null,
  maxima: {},
  priorityMax: 10,
  weight: 1,
  languages: null,
  wall: null,
  sharesBuilds: false,
  isOperator: false,
};

export interface Tenant {
  readonly id: string;
  readonly policy: TenantPolicy;
}

/** Priorities that a request can ask for; 0 is where nobody asks. */
export const PRIORITY = { least: -10, most: 10 } as const;

/** Bounds of a directory of tenants. */
export const TENANT_BOUNDS = {
  /** Tenants of one directory. */
  tenants: 10_000,
  /** Keys of one tenant, revoked ones not counted. */
  keys: 16,
  /** Of the directory as text, bytes. */
  documentBytes: 16 * 1024 * 1024,
  /** Tenants that `/v1/stats` tells of one by one. */
  counted: 256,
} as const;
