/** Probe of Node: the very program that runs the service, alone; what a jail sees is one file. */
import { realpathSync } from 'node:fs';

import { baseMounts, bind, libraryFolders, requireReachable, runProbe } from './host.ts';

const TARGET = '/opt/node/bin/node';

runProbe(() => {
  const executable = realpathSync(process.execPath);
  requireReachable(executable);
  const { node, v8, amaro } = process.versions;
  return {
    version: node,
    tools: { node: TARGET },
    mounts: [
      ...baseMounts(),
      ...libraryFolders([executable]).map(bind),
      { kind: 'bind', source: executable, target: TARGET },
      { kind: 'symlink', source: TARGET, target: '/usr/local/bin/node' },
    ],
    packages: { v8, ...(amaro === undefined ? {} : { amaro }) },
    watch: [executable],
    choice: { program: executable, skipped: [] },
  };
});
