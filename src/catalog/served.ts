/** Which languages an operator wants served, by the names callers use. Pure. */
import { type LanguageDefinition, namesOf } from '../domain/language.ts';

/** A name that means no language of the catalog; the message lists those there are. */
export class UnknownLanguageError extends Error {
  override readonly name = 'UnknownLanguageError';
}

const NOT_SERVED = 'not served';

/**
 * Ids of the languages that the names mean: an id or an alias, in any case. A name of one environment means its whole
 * language. Throws `UnknownLanguageError`.
 */
export function servedIds(
  definitions: readonly LanguageDefinition[],
  names: readonly string[],
): ReadonlySet<string> {
  const ids = new Map<string, string>();
  for (const definition of definitions) {
    for (const name of namesOf(definition).keys()) ids.set(name, definition.id);
  }
  const unknown = names.filter((name) => !ids.has(name.toLowerCase()));
  if (unknown.length > 0) {
    const known = definitions.map(({ id }) => id).join(', ');
    throw new UnknownLanguageError(`no language ${unknown.join(', ')}; there are ${known}`);
  }
  return new Set(names.flatMap((name) => ids.get(name.toLowerCase()) ?? []));
}

/** Why a language is not available that was not asked for. */
export function notServed(served: ReadonlySet<string>): string {
  return `${NOT_SERVED}: this service is configured for ${[...served].toSorted().join(', ')}`;
}

/** Whether that is the reason. */
export function isNotServed(reason: string): boolean {
  return reason.startsWith(NOT_SERVED);
}
