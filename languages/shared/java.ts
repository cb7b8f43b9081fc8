/** Probe of Java: the JDK as set-up gathered it, with our compile step and the class archives. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import {
  arrange,
  baseMounts,
  bind,
  foldersOf,
  isWithin,
  libraries,
  places,
  runProbe,
} from './host.ts';
import { findJdk, JDK_FOLDER } from './jdk.ts';
import { JUNIT, junitOf, TEST_ARCHIVE, TEST_RUNNER, TEST_TOOLS } from './junit.ts';
import { preparedFolder, requirePrepared } from './prepared.ts';

const TARGET = '/opt/assay/java';
const JUNIT_TARGET = '/opt/assay/junit';
/**
 * The compile server's: as the compile step's (language.json), but for the heap: half of that one's, so that it compiles
 * nothing for which the step would have no memory; what it has no memory for it ends at. The young generation holds one
 * compilation, and the heap shrinks again after a large one.
 */
const SERVER_FLAGS = [
  ...['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Xlog:disable', '-ea'],
  ...['-Xmx384m', '-Xms48m', '-Xmn16m', '-XX:MinHeapFreeRatio=10', '-XX:MaxHeapFreeRatio=30'],
  // It tells nobody what it had in hand when it crashes, and nobody attaches.
  ...['-XX:+ExitOnOutOfMemoryError', '-XX:+SuppressFatalErrorMessage'],
  ...['-XX:+DisableAttachMechanism', '-XX:-UseContainerSupport'],
] as const;

runProbe(() => {
  const { version, home, skipped, preparation } = findJdk();
  const prepared = requirePrepared(preparation);
  const junit = preparedFolder(junitOf({ home, version }).preparation);
  const elf = ['bin/java', 'lib/server/libjvm.so', 'lib/libzip.so'].map((name) => join(home, name));
  // What a library needs of the JDK itself (libjvm.so) is loaded by then and need not be found.
  const system = libraries(elf, { optional: true }).filter(
    (path) => !isWithin(realpathSync(path), home),
  );
  const base = baseMounts().filter(({ target }) => target !== '/usr/bin' && target !== '/bin');
  const needed = [
    ...foldersOf(system).map(bind),
    { kind: 'bind', source: prepared, target: TARGET } as const,
  ];
  return {
    version,
    compileHost: {
      command: [
        `${TARGET}/jdk/bin/java`,
        ...SERVER_FLAGS,
        `-XX:SharedArchiveFile=${TARGET}/compile.jsa`,
        ...['-jar', `${TARGET}/compiler.jar`],
      ],
      mounts: arrange([
        ...base.filter(({ target }) => !target.startsWith('/usr/local/')),
        ...needed,
      ]),
    },
    tools: {
      java: `${TARGET}/jdk/bin/java`,
      compiler: `${TARGET}/compiler.jar`,
      compileArchive: `${TARGET}/compile.jsa`,
      runArchive: `${TARGET}/run.jsa`,
      testArchive: existsSync(join(junit, TEST_ARCHIVE))
        ? `${JUNIT_TARGET}/${TEST_ARCHIVE}`
        : `${TARGET}/run.jsa`,
      testTools: `${JUNIT_TARGET}/${TEST_TOOLS}`,
      testLibraries: [JUNIT, TEST_RUNNER].map((name) => `${JUNIT_TARGET}/${name}`).join(':'),
    },
    mounts: [
      ...baseMounts(),
      ...needed,
      { kind: 'symlink', source: `${TARGET}/jdk/bin/java`, target: '/usr/local/bin/java' },
    ],
    packages: {},
    ...(existsSync(junit)
      ? {
          verifier: {
            packages: JUNIT_TARGET,
            mounts: [{ kind: 'bind', source: junit, target: JUNIT_TARGET } as const],
          },
        }
      : {}),
    choice: { program: join(home, 'bin', 'javac'), skipped },
    watch: [...places('javac'), JDK_FOLDER, join(home, 'release'), prepared, junit],
  };
});
