/** A catalog entry as callers see it. Pure. */
import type { CatalogEntry } from '../domain/language.ts';
import type { LanguageInfo } from './door.ts';
import { hasIsolates } from './runtime.ts';

export function toLanguageInfo(entry: CatalogEntry): LanguageInfo {
  const { definition, environment, reason } = entry;
  return {
    id: definition.id,
    title: definition.title,
    aliases: definition.aliases,
    version: environment?.toolchain.version ?? null,
    available: environment !== null,
    reason,
    sourceFile: definition.sourceFile,
    compiled: definition.compile !== null,
    environments:
      environment === null
        ? []
        : [
            {
              id: environment.id,
              packages: environment.toolchain.packages,
              fingerprint: environment.fingerprint,
              warm: hasIsolates(environment),
            },
          ],
  };
}
