/** Probe of Bash: /bin/bash with the usual commands. */
import { existsSync, realpathSync } from 'node:fs';

import {
  baseMounts,
  bind,
  libraryFolders,
  output,
  requireReachable,
  runProbe,
  Unavailable,
} from './host.ts';

const BASH = '/bin/bash';

runProbe(() => {
  if (!existsSync(BASH)) throw new Unavailable(`${BASH} does not exist`);
  requireReachable(BASH);
  const version = /version (\d+\.\d+\.\d+)/.exec(output(BASH, ['--version']))?.[1];
  if (version === undefined) throw new Unavailable(`${BASH} does not tell its version`);
  return {
    version,
    tools: { bash: BASH },
    mounts: [...baseMounts(), ...libraryFolders([BASH]).map(bind)],
    packages: {},
    watch: [BASH, realpathSync(BASH)],
    choice: { program: BASH, skipped: [] },
  };
});
