/**
 * What this service offers: names of languages and environments, and which of them are refused because a self-test
 * failed. Turns what a caller names into an environment, or into the rejection that says what there is.
 */
import { Rejection } from '../domain/errors.ts';
import {
  type CatalogEntry,
  type Environment,
  type LanguageDefinition,
  namesOf,
  type OfferedEnvironment,
} from '../domain/language.ts';
import type { LanguageInfo } from './door.ts';
import { toLanguageInfo } from './language-info.ts';

/** What a caller asks for. */
interface Wanted {
  readonly language: string;
  /** Null for the one that the language's name means. */
  readonly environment: string | null;
}

interface Meaning {
  readonly entry: CatalogEntry;
  /** Id of the environment that the name means, null for the default. */
  readonly environment: string | null;
}

export class Offer {
  readonly #catalog: readonly CatalogEntry[];
  readonly #names = new Map<string, Meaning>();
  /** Environment id → why it is not offered although its toolchain was found. */
  readonly #refused = new Map<string, string>();

  constructor(catalog: readonly CatalogEntry[]) {
    this.#catalog = catalog;
    for (const entry of catalog) {
      for (const [name, environment] of namesOf(entry.definition)) {
        this.#names.set(name, { entry, environment });
      }
    }
  }

  /** Offers an environment no more. */
  refuse(environment: string, reason: string): void {
    this.#refused.set(environment, reason);
  }

  /** By id or alias, in any case; null when there is none. */
  language(name: string): LanguageInfo | null {
    const meaning = this.#names.get(name.toLowerCase());
    return meaning === undefined ? null : toLanguageInfo(this.#withRefusals(meaning.entry));
  }

  languages(): readonly LanguageInfo[] {
    return this.#catalog.map((entry) => toLanguageInfo(this.#withRefusals(entry)));
  }

  /**
   * The environment a caller means. Throws Rejection `unknown_language`, `unknown_environment` (also where the name of
   * the language means another environment than the one asked for) or `language_unavailable`.
   */
  resolve(wanted: Wanted): {
    readonly environment: Environment;
    /** The language with all its names, and with the environment's warm runtime. */
    readonly definition: LanguageDefinition;
  } {
    const meaning = this.#names.get(wanted.language.toLowerCase());
    if (meaning === undefined) {
      const known = this.#catalog.map(({ definition }) => definition.id).join(', ');
      const message = `unknown language; this service has ${known}`;
      throw rejection('unknown_language', 'language', message);
    }
    const { definition, environments } = this.#withRefusals(meaning.entry);
    const offered = choose(wanted, meaning, environments);
    if (offered.environment === null) {
      const isDefault = offered.definition.id === environments[0].definition.id;
      const name = isDefault ? definition.id : `${definition.id} (${offered.definition.id})`;
      throw new Rejection('language_unavailable', {
        detail: `${name} is not available on this host: ${offered.reason ?? 'unknown'}`,
      });
    }
    const { environment } = offered;
    return { environment, definition: { ...definition, warm: environment.language.warm } };
  }

  #withRefusals(entry: CatalogEntry): CatalogEntry {
    const [first, ...others] = entry.environments;
    const check = (offered: OfferedEnvironment): OfferedEnvironment => {
      const refusal = this.#refused.get(offered.definition.id);
      const isRefused = refusal !== undefined && offered.environment !== null;
      return isRefused ? { ...offered, environment: null, reason: refusal } : offered;
    };
    return { ...entry, environments: [check(first), ...others.map(check)] };
  }
}

function choose(
  { environment: wanted }: Wanted,
  { entry, environment: meant }: Meaning,
  environments: CatalogEntry['environments'],
): OfferedEnvironment {
  const [first] = environments;
  const byName = (name: string): OfferedEnvironment | undefined =>
    environments.find(({ definition: { id, aliases } }) => id === name || aliases.includes(name));
  const byLanguage = meant === null ? first : (byName(meant) ?? first);
  if (wanted === null) return byLanguage;
  const asked = wanted.toLowerCase();
  // The language's own id is always a name of its default environment.
  const chosen = asked === entry.definition.id ? first : byName(asked);
  const { id } = entry.definition;
  if (chosen === undefined) {
    const known = environments.map(({ definition }) => definition.id).join(', ');
    throw rejection(
      'unknown_environment',
      'environment',
      `unknown environment; ${id} has ${known}`,
    );
  }
  if (meant !== null && chosen !== byLanguage) {
    const message = `the language already means environment ${byLanguage.definition.id}; ask for ${id} to have another`;
    throw rejection('unknown_environment', 'environment', message);
  }
  return chosen;
}

function rejection(
  code: 'unknown_language' | 'unknown_environment',
  path: string,
  message: string,
): Rejection {
  return new Rejection(code, { detail: message, errors: [{ path, message }] });
}
