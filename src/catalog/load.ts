/**
 * The catalog: every language of `languages/`, with its environments on this host or the reasons why there are none. Made
 * once at start; a mistake in a definition ends the start, a toolchain that is missing does not.
 */
import {
  type CatalogEntry,
  type EnvironmentDefinition,
  environmentsOf,
  type LanguageDefinition,
  type OfferedEnvironment,
  type ProbeOutput,
  type ToolchainProbe,
} from '../domain/language.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { loadDefinitions } from './definitions.ts';
import { resolveLanguage } from './environments.ts';
import { fingerprintOf } from './fingerprint.ts';
import { notServed, servedIds } from './served.ts';
import { openProbeCache, type ProbeCache } from './probe-cache.ts';
import { probeEnv, type ProbeHost, probeProgram, type ProbeResult, runProbe } from './probe.ts';

export interface CatalogOptions extends Omit<ProbeHost, 'timeoutsMs'> {
  /** Names of the languages to serve; the others are neither probed nor offered. Null: all. */
  readonly languages?: readonly string[] | null;
  /** Part of every fingerprint. */
  readonly runnerVersion: string;
  /** Where the probes' answers are kept between starts; null for nowhere. */
  readonly cacheFile: string | null;
  /** Of each try of one probe, ms; they run side by side. */
  readonly timeoutsMs?: readonly number[];
  /** Told of each probe that is tried again because it did not end. */
  readonly onLate?: (late: LateProbe) => void;
}

interface LateProbe {
  readonly language: string;
  /** What it had, and what it gets now, ms. */
  readonly timeoutMs: number;
  readonly nextTimeoutMs: number;
}

/** A busy small host takes a few seconds for GCC's first start; one under full load may take a minute. */
const PROBE_TIMEOUTS_MS = [30_000, 60_000, 120_000];

/**
 * Loads the catalog: one entry per language, by id. Throws `CatalogError` when a definition is wrong or two languages
 * claim one name, `UnknownLanguageError` for a name to serve that means none.
 */
export async function loadCatalog(options: CatalogOptions): Promise<CatalogEntry[]> {
  const definitions = await loadDefinitions(options.languagesDir);
  const { languages = null, onLate, timeoutsMs = PROBE_TIMEOUTS_MS } = options;
  const served = languages === null ? null : servedIds(definitions, languages);
  const host: ProbeHost = { ...options, timeoutsMs };
  const cache = await openProbeCache(options.cacheFile);
  const isServed = ({ id }: LanguageDefinition): boolean => served === null || served.has(id);
  const probed = toolchainFinder(host, cache, onLate);
  const find: ToolchainFinder = async (definition) =>
    served === null || isServed(definition)
      ? await probed(definition)
      : { kind: 'missing', reason: notServed(served) };
  const entries = await Promise.all(
    definitions.map((definition) => toEntry(definition, find, options.runnerVersion)),
  );
  await cache.save();
  return entries;
}

type ToolchainFinder = (definition: LanguageDefinition) => Promise<ProbeResult>;

/** Finds toolchains; environments of a language that ask the same question get one answer. */
function toolchainFinder(
  host: ProbeHost,
  cache: ProbeCache,
  onLate: CatalogOptions['onLate'],
): ToolchainFinder {
  const asked = new Map<string, Promise<ProbeResult>>();
  return async (definition) => {
    const question = canonicalJson([definition.id, definition.probe]);
    const answer = asked.get(question) ?? findToolchain(definition, { host, cache, onLate });
    asked.set(question, answer);
    return await answer;
  };
}

interface FindParts {
  readonly host: ProbeHost;
  readonly cache: ProbeCache;
  readonly onLate: CatalogOptions['onLate'];
}

async function findToolchain(
  definition: LanguageDefinition,
  { host, cache, onLate }: FindParts,
): Promise<ProbeResult> {
  const program = probeProgram(definition, host);
  const key = canonicalJson({
    probe: definition.probe,
    program,
    node: host.nodePath,
    env: probeEnv(host),
  });
  const name = [definition.id, definition.probe.program, ...definition.probe.args].join(' ');
  const remembered = await cache.get(name, key);
  if (remembered !== null) return { kind: 'found', output: remembered };
  const result = await runProbe(definition, host, (timeoutMs, nextTimeoutMs) =>
    onLate?.({ language: definition.id, timeoutMs, nextTimeoutMs }),
  );
  if (result.kind === 'found') {
    const alsoWatch = [program, host.nodePath];
    await cache.set(name, { key, output: result.output, alsoWatch });
  }
  return result;
}

async function toEntry(
  definition: LanguageDefinition,
  find: ToolchainFinder,
  runnerVersion: string,
): Promise<CatalogEntry> {
  const offer = async (wanted: EnvironmentDefinition): Promise<OfferedEnvironment> => {
    const language = resolveLanguage(definition, wanted);
    const result = await find(language);
    const reason = reasonAgainst(wanted, language, result);
    if (reason !== null || result.kind === 'missing') {
      return { definition: wanted, environment: null, reason };
    }
    const toolchain = toToolchain(result.output);
    const fingerprint = fingerprintOf({
      definition: language,
      toolchain: { ...toolchain, tools: usedTools(language, toolchain) },
      runnerVersion,
    });
    const environment = { id: wanted.id, language, toolchain, fingerprint };
    return { definition: wanted, environment, reason: null, choice: result.output.choice };
  };
  const [first, ...others] = environmentsOf(definition);
  const environments = await Promise.all([offer(first), ...others.map(offer)] as const);
  return { definition, environments };
}

/** Why a toolchain cannot carry an environment, or null. */
function reasonAgainst(
  { needs }: EnvironmentDefinition,
  language: LanguageDefinition,
  result: ProbeResult,
): string | null {
  if (result.kind === 'missing') return result.reason;
  const { tools, features } = result.output;
  const tool = toolNames(language).find((name) => tools[name] === undefined);
  if (tool !== undefined) return `the toolchain probe found no ${tool}`;
  for (const name of needs) {
    const why = features[name];
    if (why === undefined) return `the toolchain probe did not look for ${name}`;
    if (why !== null) return why;
  }
  return null;
}

function toToolchain({
  version,
  tools,
  mounts,
  packages,
  verifier,
  isolateHost,
  compileHost,
}: ProbeOutput): ToolchainProbe {
  const hosts = {
    ...(verifier === undefined ? {} : { verifier }),
    ...(isolateHost === undefined ? {} : { isolateHost }),
    ...(compileHost === undefined ? {} : { compileHost }),
  };
  return { version, tools, mounts, packages, ...hosts };
}

/** The tools that decide what a program does; one that only saves time is left out. */
function usedTools(
  language: LanguageDefinition,
  { tools }: ToolchainProbe,
): ToolchainProbe['tools'] {
  const used = new Set(toolNames(language));
  return Object.fromEntries(Object.entries(tools).filter(([name]) => used.has(name)));
}

/** Names of the tools that a definition's commands use. */
function toolNames({ compile, run, env }: LanguageDefinition): string[] {
  const texts = [...(compile?.command ?? []), ...run.command, ...Object.values(env)];
  return texts.flatMap((text) =>
    [...text.matchAll(/\{tools\.([^{}\s]+)\}/g)].flatMap(([, name]) => name ?? []),
  );
}
