/** Probe of Go: the toolchain with its sources, and the standard library that set-up compiled. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { findGo, GO_TARGET, GO_TESTS } from './go-toolchain.ts';
import { baseMounts, bind, places, runProbe } from './host.ts';
import { requirePrepared } from './prepared.ts';

/** The compile step, on the host and in a jail. */
const BUILD = join(import.meta.dirname, '../go/build.sh');
const BUILD_TARGET = '/opt/assay/build-go.sh';
/** The same of tests beside the program. */
const BUILD_TESTS = join(GO_TESTS, 'build.sh');
const BUILD_TESTS_TARGET = '/opt/assay/build-go-tests.sh';
/** The parts of a Go root that a build reads. Distributions make links of some. */
const PARTS = ['bin', 'pkg', 'src', 'lib', 'go.env', 'VERSION'] as const;

runProbe(() => {
  const { version, root, go, tools, preparation } = findGo();
  const prepared = requirePrepared(preparation);
  const parts = PARTS.map((name) => join(root, name)).filter((path) => existsSync(path));
  const linked = [...parts.map((path) => realpathSync(path)), tools];
  return {
    version,
    tools: {
      sh: '/bin/sh',
      build: BUILD_TARGET,
      goroot: root,
      gotools: tools,
      prepared: GO_TARGET,
      buildTests: BUILD_TESTS_TARGET,
      planner: `${GO_TARGET}/planner/planner`,
    },
    mounts: [
      ...baseMounts(),
      ...[...parts, ...linked].map(bind),
      { kind: 'bind', source: prepared, target: GO_TARGET },
      { kind: 'bind', source: BUILD, target: BUILD_TARGET },
    ],
    verifier: {
      packages: GO_TARGET,
      mounts: [{ kind: 'bind', source: BUILD_TESTS, target: BUILD_TESTS_TARGET }],
    },
    packages: {},
    choice: { program: go, skipped: [] },
    watch: [...places('go'), go, join(root, 'VERSION'), prepared],
  };
});
