/** `assay config`: the effective configuration and where each value comes from. */
import { defineCommand } from 'citty';

import { Config, CONFIG_KEYS, environmentName } from '../../config/schema.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';

export const configCommand = defineCommand({
  meta: { name: 'config', description: 'Print the effective configuration.' },
  args: { json: { type: 'boolean', description: 'As JSON.' }, ...configArgs },
  run({ args }) {
    const { config, sources } = loadCommandConfig(args);
    if (args.json) {
      console.log(JSON.stringify({ config, sources: allSources(sources) }, null, 2));
      return;
    }
    for (const key of CONFIG_KEYS) {
      const value = JSON.stringify(config[key]);
      const about = Config.shape[key].description ?? '';
      console.log(`${environmentName(key)}=${value}  # ${sources.get(key) ?? 'default'}. ${about}`);
    }
  },
});

function allSources(sources: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(CONFIG_KEYS.map((key) => [key, sources.get(key) ?? 'default']));
}
