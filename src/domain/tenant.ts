/** Who pays for a submission: all that queue and caches need to know of a tenant. */

export interface Payer {
  /** Identifier of the tenant. */
  readonly tenant: string;
  /** Share of the slots beside other tenants' when all want more than there is; above 0. */
  readonly weight: number;
}

/** Whoever calls without a key. */
export const ANONYMOUS: Payer = { tenant: 'anonymous', weight: 1 };
