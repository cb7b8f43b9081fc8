/** Configuration keys as flags of a command: `queueLength` is `--queue-length`. */
import type { ArgsDef, StringArgDef } from 'citty';

import { loadProcessConfig, type LoadedConfig } from '../config/load.ts';
import { Config, CONFIG_KEYS } from '../config/schema.ts';

const configFlags = Object.fromEntries(
  CONFIG_KEYS.map((key): [string, StringArgDef] => [
    key,
    { type: 'string', description: Config.shape[key].description ?? '' },
  ]),
);

/** Arguments every command takes that needs a configuration. */
export const configArgs: ArgsDef = {
  ...configFlags,
  config: { type: 'string', description: 'A JSON file with configuration keys.' },
};

/** The effective configuration from parsed arguments and the environment. Throws ConfigError. */
export function loadCommandConfig(args: Readonly<Record<string, unknown>>): LoadedConfig {
  const flags = Object.fromEntries(
    CONFIG_KEYS.filter((key) => args[key] !== undefined).map((key) => [key, args[key]]),
  );
  const file = args['config'];
  return loadProcessConfig({ flags, file: typeof file === 'string' ? file : null });
}
