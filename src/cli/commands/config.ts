/**
 * `assay config`: the effective configuration and where each value comes from, in the form of an environment file; with
 * `--json` in that of a configuration file. Both can be given back.
 */
import { defineCommand } from 'citty';

import {
  Config,
  CONFIG_KEYS,
  environmentName,
  environmentValue,
  shownValue,
} from '../../config/schema.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';

export const configCommand = defineCommand({
  meta: { name: 'config', description: 'Print the effective configuration.' },
  args: { json: { type: 'boolean', description: 'As JSON.' }, ...configArgs },
  run({ args }) {
    const { config, sources } = loadCommandConfig(args);
    if (args.json) {
      const shown = Object.fromEntries(CONFIG_KEYS.map((key) => [key, shownValue(config, key)]));
      console.log(JSON.stringify({ config: shown, sources: allSources(sources) }, null, 2));
      return;
    }
    for (const key of CONFIG_KEYS) {
      const about = Config.shape[key].description ?? '';
      console.log(`# ${about === '' ? '' : `${about} `}(${sources.get(key) ?? 'default'})`);
      console.log(`${environmentName(key)}=${quoted(environmentValue(shownValue(config, key)))}`);
    }
  },
});

/** Plain where no reader of such files can misread it, else in the single quotes of shells and `node --env-file`. */
function quoted(value: string): string {
  return /^[\w./:,@+-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function allSources(sources: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(CONFIG_KEYS.map((key) => [key, sources.get(key) ?? 'default']));
}
