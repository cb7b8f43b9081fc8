/**
 * Reads the configuration: flags over environment over file over defaults. The only reader of the environment in
 * the product.
 */
import { readFileSync } from 'node:fs';

import { Config, CONFIG_KEYS, environmentName } from './schema.ts';
import { tracesConfig, type TracesConfig } from './traces.ts';

type ConfigSource = 'flag' | 'environment' | 'file' | 'default';

export interface LoadedConfig {
  readonly config: Config;
  /** Where the values came from that are not defaults. */
  readonly sources: ReadonlyMap<string, ConfigSource>;
  /** The machine's PATH, to look for toolchains and nsjail in. */
  readonly searchPath: string;
  /** The home folder, where version managers keep what their shims on PATH lead to. */
  readonly home: string;
  /** The Node that runs this process. */
  readonly nodePath: string;
  /** Null where no traces are asked for. */
  readonly traces: TracesConfig | null;
}

/** A configuration that cannot be used; the message names the value, its source and what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface LoadInput {
  /** Values from the command line, by configuration key. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a JSON file with configuration keys; null for the one that ASSAY_CONFIG names, if any. */
  readonly file?: string | null;
}

/** Variables of the prefix that other parts of the project read: tests and scripts. */
const FOREIGN_NAMES = /^ASSAY_(TEST|BENCH|SETUP|CGROUP_V2)_/;

/** As `loadConfig`, with this process' environment. */
export function loadProcessConfig(input: Omit<LoadInput, 'environment'>): LoadedConfig {
  return loadConfig({ ...input, environment: process.env });
}

export function loadConfig(input: LoadInput): LoadedConfig {
  const layers: readonly { source: ConfigSource; values: Readonly<Record<string, unknown>> }[] = [
    {
      source: 'file',
      values: fileValues(input.file ?? input.environment['ASSAY_CONFIG'] ?? null),
    },
    { source: 'environment', values: environmentValues(input.environment) },
    { source: 'flag', values: input.flags ?? {} },
  ];
  const merged: Record<string, unknown> = {};
  const sources = new Map<string, ConfigSource>();
  for (const { source, values } of layers) {
    for (const key of CONFIG_KEYS) {
      if (values[key] === undefined) continue;
      merged[key] = values[key];
      sources.set(key, source);
    }
  }
  const parsed = Config.safeParse(merged);
  if (parsed.success) {
    return {
      config: parsed.data,
      sources,
      searchPath: input.environment['PATH'] ?? '',
      home: input.environment['HOME'] ?? '',
      nodePath: process.execPath,
      traces: tracesOf(input.environment),
    };
  }
  const lines = parsed.error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '');
    const source = sources.get(key) ?? 'default';
    const name = source === 'environment' ? environmentName(key) : key;
    const wanted = 'expected' in issue ? `must be a ${String(issue.expected)}` : issue.message;
    return `${name} (from ${source}): ${wanted}, not ${JSON.stringify(merged[key])}`;
  });
  throw new ConfigError(`the configuration is not valid:\n  ${lines.join('\n  ')}`);
}

function tracesOf(environment: LoadInput['environment']): TracesConfig | null {
  try {
    return tracesConfig(environment);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new ConfigError(`the configuration is not valid:\n  ${cause.message}`, { cause });
  }
}

function environmentValues(environment: LoadInput['environment']): Record<string, unknown> {
  const names = new Map(CONFIG_KEYS.map((key) => [environmentName(key), key]));
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('ASSAY_') || FOREIGN_NAMES.test(name)) continue;
    const key = names.get(name);
    if (key === undefined && name !== 'ASSAY_CONFIG') {
      throw new ConfigError(
        `${name} is not a setting of Assay; \`assay config\` lists those there are`,
      );
    }
    if (key !== undefined && value !== '') values[key] = value;
  }
  return values;
}

function fileValues(file: string | null): Record<string, unknown> {
  if (file === null || file === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ConfigError(`the configuration file ${file} cannot be read as JSON`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(`the configuration file ${file} must hold one JSON object`);
  }
  const values = ownValues(parsed);
  const unknown = Object.keys(values).filter((key) => !CONFIG_KEYS.some((known) => known === key));
  if (unknown.length > 0) {
    throw new ConfigError(`the configuration file ${file} has unknown keys: ${unknown.join(', ')}`);
  }
  return values;
}

/** What `assay config --json` prints is a file too: its values are under `config`, beside `sources`. */
function ownValues(parsed: object): Record<string, unknown> {
  const isPrinted = 'config' in parsed && 'sources' in parsed && Object.keys(parsed).length === 2;
  if (!isPrinted || typeof parsed.config !== 'object') return { ...parsed };
  return { ...parsed.config };
}
