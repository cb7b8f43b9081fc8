/** The lines about toolchains. */
import { describe, expect, it } from 'vitest';

import { anEnvironment } from '../catalog/test-environment.ts';
import { environmentsOf } from '../domain/language.ts';
import { describeToolchains } from './toolchains.ts';

describe('describeToolchains', () => {
  it('says what was taken and what was passed over, and nothing of languages without a toolchain', () => {
    const environment = anEnvironment();
    const { language } = environment;
    const [definition] = environmentsOf(language);
    const choice = { program: '/usr/bin/x', skipped: ['/root/x is behind /root'] };
    const { version } = environment.toolchain;
    expect(
      describeToolchains([
        { definition: language, environments: [{ definition, environment, reason: null, choice }] },
        {
          definition: language,
          environments: [{ definition, environment: null, reason: 'not here' }],
        },
      ]),
    ).toEqual([
      `languages: ${language.id} ${version} (/usr/bin/x)`,
      `note: ${language.id} is served by /usr/bin/x; not taken: /root/x is behind /root`,
    ]);
    expect(describeToolchains([])).toEqual([]);
  });
});
