/** What the start says of the programs that were found on this host. Pure. */
import type { CatalogEntry } from '../domain/language.ts';

/** One line with all that were taken, and one for each that was passed over on the way. */
export function describeToolchains(catalog: readonly CatalogEntry[]): string[] {
  const found = catalog.flatMap(({ definition, environments: [{ environment, choice }] }) =>
    environment === null || choice === undefined
      ? []
      : [{ id: definition.id, version: environment.toolchain.version, ...choice }],
  );
  if (found.length === 0) return [];
  const taken = found.map(({ id, version, program }) => `${id} ${version} (${program})`);
  const skipped = found.flatMap(({ id, skipped: reasons }) =>
    reasons.map((reason) => `passed over for ${id}: ${reason}`),
  );
  return [`languages: ${taken.join(', ')}`, ...skipped];
}
