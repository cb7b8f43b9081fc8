/**
 * The catalog: every language of `languages/`, with its environment on this host or the reason why there is none. Made
 * once at start; a mistake in a definition ends the start, a toolchain that is missing does not.
 */
import type {
  CatalogEntry,
  LanguageDefinition,
  ProbeOutput,
  ToolchainProbe,
} from '../domain/language.ts';
import { loadDefinitions } from './definitions.ts';
import { canonicalJson, fingerprintOf } from './fingerprint.ts';
import { openProbeCache, type ProbeCache } from './probe-cache.ts';
import { probeEnv, type ProbeHost, probeProgram, type ProbeResult, runProbe } from './probe.ts';

export interface CatalogOptions extends Omit<ProbeHost, 'timeoutMs'> {
  /** Part of every fingerprint. */
  readonly runnerVersion: string;
  /** Where the probes' answers are kept between starts; null for nowhere. */
  readonly cacheFile: string | null;
  /** Of one probe, ms; they run side by side. */
  readonly timeoutMs?: number;
}

/** A busy small host takes a few seconds for GCC's first start. */
const PROBE_TIMEOUT_MS = 30_000;

/**
 * Loads the catalog: one entry per language, by id. Throws `CatalogError` when a definition is wrong or two languages
 * claim one name.
 */
export async function loadCatalog(options: CatalogOptions): Promise<CatalogEntry[]> {
  const definitions = await loadDefinitions(options.languagesDir);
  const host: ProbeHost = { ...options, timeoutMs: options.timeoutMs ?? PROBE_TIMEOUT_MS };
  const cache = await openProbeCache(options.cacheFile);
  const entries = await Promise.all(
    definitions.map(async (definition) => {
      const result = await findToolchain(definition, host, cache);
      return toEntry(definition, result, options.runnerVersion);
    }),
  );
  await cache.save();
  return entries;
}

async function findToolchain(
  definition: LanguageDefinition,
  host: ProbeHost,
  cache: ProbeCache,
): Promise<ProbeResult> {
  const program = probeProgram(definition, host);
  const key = canonicalJson({
    probe: definition.probe,
    program,
    node: host.nodePath,
    env: probeEnv(host),
  });
  const remembered = await cache.get(definition.id, key);
  if (remembered !== null) return { kind: 'found', output: remembered };
  const result = await runProbe(definition, host);
  if (result.kind === 'found') {
    const alsoWatch = [program, host.nodePath];
    await cache.set(definition.id, { key, output: result.output, alsoWatch });
  }
  return result;
}

function toEntry(
  definition: LanguageDefinition,
  result: ProbeResult,
  runnerVersion: string,
): CatalogEntry {
  if (result.kind === 'missing') {
    return { definition, environment: null, reason: result.reason };
  }
  const toolchain = withoutWatch(result.output);
  const missing = toolNames(definition).find((name) => toolchain.tools[name] === undefined);
  if (missing !== undefined) {
    return { definition, environment: null, reason: `the toolchain probe found no ${missing}` };
  }
  const fingerprint = fingerprintOf({ definition, toolchain, runnerVersion });
  const environment = { id: definition.id, language: definition, toolchain, fingerprint };
  return { definition, environment, reason: null };
}

function withoutWatch({ watch: _watch, ...toolchain }: ProbeOutput): ToolchainProbe {
  return toolchain;
}

/** Names of the tools that a definition's commands use. */
function toolNames({ compile, run, env }: LanguageDefinition): string[] {
  const texts = [...(compile?.command ?? []), ...run.command, ...Object.values(env)];
  return texts.flatMap((text) =>
    [...text.matchAll(/\{tools\.([^{}\s]+)\}/g)].flatMap(([, name]) => name ?? []),
  );
}

/** The entry of a language by id or alias, exact and lower-cased; null when there is none. */
export function findLanguage(entries: readonly CatalogEntry[], name: string): CatalogEntry | null {
  const wanted = name.toLowerCase();
  const fits = ({ definition }: CatalogEntry): boolean =>
    definition.id === wanted || definition.aliases.includes(wanted);
  return entries.find(fits) ?? null;
}
