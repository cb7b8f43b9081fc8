/** Changes of a directory. Pure: from one document to the next; throws EditError for what cannot be done. */
import { TENANT_BOUNDS } from '../../domain/tenant.ts';
import type { NewKey } from './key.ts';
import type { Directory, KeyRecord, Policy, TenantRecord } from './schema.ts';

/** What cannot be done, in words for whoever asked. */
export class EditError extends Error {
  override readonly name = 'EditError';
}

interface AddedKey {
  readonly key: NewKey;
  readonly now: Date;
  readonly expires?: Date;
}

/** A new tenant, with a key unless it is who calls without. */
export function addTenant(
  directory: Directory,
  {
    id,
    policy,
    added,
  }: { readonly id: string; readonly policy: Policy; readonly added: AddedKey | null },
): Directory {
  if (directory.tenants.some((each) => each.id === id))
    throw new EditError(
      `there is a tenant ${id}; \`assay tenant rotate ${id}\` gives it a new key`,
    );
  if (directory.tenants.length >= TENANT_BOUNDS.tenants)
    throw new EditError(`there are ${TENANT_BOUNDS.tenants} tenants, and no room for more`);
  const keys = added === null ? [] : [toRecord(added)];
  return { ...directory, tenants: [...directory.tenants, { id, policy, keys }] };
}

/** One more key; those that there are end at `graceUntil` if they do not earlier, and expired ones go. */
export function rotateKeys(
  directory: Directory,
  {
    id,
    added,
    graceUntil,
  }: { readonly id: string; readonly added: AddedKey; readonly graceUntil: Date },
): Directory {
  return change(directory, id, (tenant) => {
    const kept = tenant.keys
      .map((key) => ({ ...key, expires: earlier(key.expires, graceUntil) }))
      .filter(({ expires }) => new Date(expires) > added.now);
    if (kept.length >= TENANT_BOUNDS.keys)
      throw new EditError(`${id} has ${kept.length} keys; revoke one first`);
    return { ...tenant, keys: [...kept, toRecord(added)] };
  });
}

/** Other limits from now on. */
export function setPolicy(
  directory: Directory,
  id: string,
  to: (before: Policy) => Policy,
): Directory {
  return change(directory, id, (tenant) => ({ ...tenant, policy: to(tenant.policy) }));
}

/** Without one key, or without the tenant and all of them. */
export function revoke(
  directory: Directory,
  { id, key }: { readonly id: string; readonly key: string | null },
): Directory {
  if (key === null) {
    change(directory, id, (tenant) => tenant);
    return { ...directory, tenants: directory.tenants.filter((each) => each.id !== id) };
  }
  return change(directory, id, (tenant) => {
    const keys = tenant.keys.filter((each) => each.id !== key);
    if (keys.length === tenant.keys.length)
      throw new EditError(`${id} has no key ${key}; \`assay tenant list\` tells them`);
    return { ...tenant, keys };
  });
}

function change(
  directory: Directory,
  id: string,
  to: (tenant: TenantRecord) => TenantRecord,
): Directory {
  if (!directory.tenants.some((each) => each.id === id))
    throw new EditError(`there is no tenant ${id}`);
  return {
    ...directory,
    tenants: directory.tenants.map((each) => (each.id === id ? to(each) : each)),
  };
}

function earlier(expires: string | undefined, until: Date): string {
  if (expires !== undefined && new Date(expires) <= until) return expires;
  return until.toISOString();
}

function toRecord({ key: { id, sha256 }, now, expires }: AddedKey): KeyRecord {
  const created = now.toISOString();
  return {
    id,
    sha256,
    created,
    ...(expires === undefined ? {} : { expires: expires.toISOString() }),
  };
}
