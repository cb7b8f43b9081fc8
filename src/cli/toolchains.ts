/** What the start says of the programs that were found on this host. Pure. */
import type { CatalogEntry } from '../domain/language.ts';

/**
 * One line with all that were taken, and one for each language of which something else was found first: that nothing is
 * wrong, what was not taken, and why.
 */
export function describeToolchains(catalog: readonly CatalogEntry[]): string[] {
  const found = catalog.flatMap(({ definition, environments: [{ environment, choice }] }) =>
    environment === null || choice === undefined
      ? []
      : [{ id: definition.id, version: environment.toolchain.version, ...choice }],
  );
  if (found.length === 0) return [];
  const taken = found.map(({ id, version, program }) => `${id} ${version} (${program})`);
  const skipped = found
    .filter(({ skipped: reasons }) => reasons.length > 0)
    .map(
      ({ id, program, skipped: reasons }) =>
        `note: ${id} is served by ${program}; not taken: ${reasons.join('; ')}`,
    );
  return [`languages: ${taken.join(', ')}`, ...skipped];
}
