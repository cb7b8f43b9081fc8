/** What identifies an environment: equal fingerprints mean that the same program gets the same verdicts. Pure. */
import { createHash } from 'node:crypto';

import type { LanguageDefinition, ToolchainProbe } from '../domain/language.ts';
import { canonicalJson } from '../lib/canonical-json.ts';

export interface FingerprintParts {
  readonly definition: LanguageDefinition;
  readonly toolchain: ToolchainProbe;
  readonly runnerVersion: string;
}

/**
 * `sha256:` and 64 hex digits over the definition, the toolchain's version, tools and packages, and the runner's version.
 * Where the host keeps its files is left out, so that replicas of the same versions agree.
 */
export function fingerprintOf({ definition, toolchain, runnerVersion }: FingerprintParts): string {
  const { version, tools, packages } = toolchain;
  const facts = canonicalJson({ definition, version, tools, packages, runnerVersion });
  return `sha256:${createHash('sha256').update(facts).digest('hex')}`;
}
