/** A catalog entry as callers see it. Pure. */
import type { CatalogEntry, OfferedEnvironment } from '../domain/language.ts';
import type { EnvironmentInfo, LanguageInfo } from './door.ts';
import { hasIsolates } from './isolates.ts';
import { codeKindsOf } from './test-kinds.ts';

/** A language is available when its default environment is. */
export function toLanguageInfo({ definition, environments }: CatalogEntry): LanguageInfo {
  const [{ environment, reason }] = environments;
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
    testPackages: environment?.toolchain.verifier?.packages ?? null,
    hasCells: definition.cells !== null,
    determinism: definition.determinism,
    allowance: {
      cpuMs: definition.startGraceMs,
      memoryMb: definition.extraMemoryMb,
      processes: definition.extraProcesses,
    },
    tests: environment === null ? [] : codeKindsOf(definition, environment.toolchain),
    environments: environments.map((offered) => toEnvironmentInfo(definition.title, offered)),
  };
}

function toEnvironmentInfo(
  title: string,
  { definition, environment, reason }: OfferedEnvironment,
): EnvironmentInfo {
  return {
    id: definition.id,
    title: definition.title ?? title,
    aliases: definition.aliases,
    available: environment !== null,
    reason,
    packages: environment?.toolchain.packages ?? {},
    fingerprint: environment?.fingerprint ?? null,
    warm: environment !== null && (environment.language.warm !== null || hasIsolates(environment)),
  };
}
