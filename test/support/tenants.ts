/** The file of tenants that a service reads, as `assay tenant add` writes it. */
import { writeFile } from 'node:fs/promises';

import { addTenant } from '../../src/admission/tenants/edit.ts';
import { createKey } from '../../src/admission/tenants/key.ts';
import { EMPTY, type Policy } from '../../src/admission/tenants/schema.ts';

/** Writes a file of tenants with these policies, a key each; resolves with the keys by tenant. */
export async function writeTenants<Name extends string>(
  file: string,
  policies: Readonly<Record<Name, Policy>>,
): Promise<Readonly<Record<Name, string>>> {
  let directory = EMPTY;
  const keys: Partial<Record<Name, string>> = {};
  for (const [id, policy] of Object.entries<Policy>(policies)) {
    const key = createKey();
    directory = addTenant(directory, { id, policy, added: { key, now: new Date() } });
    keys[id as Name] = key.key;
  }
  await writeFile(file, JSON.stringify(directory));
  return keys as Record<Name, string>; // every name has just been given one
}
