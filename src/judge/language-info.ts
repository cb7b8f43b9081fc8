/** A catalog entry as callers see it. Pure. */
import type { CatalogEntry } from '../domain/language.ts';
import type { LanguageInfo } from './door.ts';

export function toLanguageInfo(entry: CatalogEntry): LanguageInfo {
  const { definition, environment, reason } = entry;
  return {
    id: definition.id,
    title: definition.title,
    aliases: definition.aliases,
    fenceTags: definition.fenceTags,
    version: environment?.toolchain.version ?? null,
    available: environment !== null,
    reason,
    sourceFile: definition.sourceFile,
    compiled: definition.compile !== null,
    allowance: {
      cpuMs: definition.startGraceMs,
      memoryMb: definition.extraMemoryMb,
      processes: definition.extraProcesses,
    },
    environments:
      environment === null
        ? []
        : [
            {
              id: environment.id,
              packages: environment.toolchain.packages,
              fingerprint: environment.fingerprint,
              warm: false,
            },
          ],
  };
}
