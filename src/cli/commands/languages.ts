/** `assay languages`: what can be run here, and why something cannot. */
import { defineCommand } from 'citty';
import { z } from 'zod';

import { expectSuccess, openApi } from '../api.ts';
import { configArgs } from '../config-args.ts';

const Answer = z.looseObject({
  languages: z.array(
    z.looseObject({
      id: z.string(),
      aliases: z.array(z.string()),
      version: z.string().nullable(),
      available: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
});

export const languagesCommand = defineCommand({
  meta: { name: 'languages', description: 'List the languages of a service.' },
  args: {
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print the whole answer.' },
    ...configArgs,
  },
  async run({ args }) {
    await using api = await openApi(args);
    const answer = expectSuccess(await api.get('/v1/languages'));
    if (args.json) {
      console.log(JSON.stringify(answer, null, 2));
      return;
    }
    for (const language of Answer.parse(answer).languages) {
      const state = language.available
        ? (language.version ?? '')
        : `NOT AVAILABLE: ${language.reason}`;
      console.log(`${language.id.padEnd(12)} ${state}  (${language.aliases.join(', ')})`);
    }
  },
});
