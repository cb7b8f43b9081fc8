/** Probe of Node: the very program that runs the service, alone; what a jail sees is one file. */
import { realpathSync } from 'node:fs';

import { arrange, baseMounts, bind, libraryFolders, requireReachable, runProbe } from './host.ts';
import { findIsolateHost, isolateHostFiles } from './isolate-host.ts';

const TARGET = '/opt/node/bin/node';

runProbe(() => {
  const executable = realpathSync(process.execPath);
  requireReachable(executable);
  const { node, v8, amaro } = process.versions;
  const host = findIsolateHost(executable, TARGET);
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
    ...(host === null ? {} : { isolateHost: { ...host, mounts: arrange(host.mounts) } }),
    watch: [executable, ...isolateHostFiles()],
    choice: { program: executable, skipped: [] },
  };
});
