/** Probe of Java: the JDK as set-up gathered it, with our compile step and the class archives. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

import { baseMounts, bind, foldersOf, isWithin, libraries, places, runProbe } from './host.ts';
import { findJdk, JDK_FOLDER } from './jdk.ts';
import { requirePrepared } from './prepared.ts';

const TARGET = '/opt/assay/java';

runProbe(() => {
  const { version, home, skipped, preparation } = findJdk();
  const prepared = requirePrepared(preparation);
  const elf = ['bin/java', 'lib/server/libjvm.so', 'lib/libzip.so'].map((name) => join(home, name));
  // What a library needs of the JDK itself (libjvm.so) is loaded by then and need not be found.
  const system = libraries(elf, { optional: true }).filter(
    (path) => !isWithin(realpathSync(path), home),
  );
  return {
    version,
    tools: {
      java: `${TARGET}/jdk/bin/java`,
      compiler: `${TARGET}/compiler.jar`,
      compileArchive: `${TARGET}/compile.jsa`,
      runArchive: `${TARGET}/run.jsa`,
    },
    mounts: [
      ...baseMounts(),
      ...foldersOf(system).map(bind),
      { kind: 'bind', source: prepared, target: TARGET },
      { kind: 'symlink', source: `${TARGET}/jdk/bin/java`, target: '/usr/local/bin/java' },
    ],
    packages: {},
    choice: { program: join(home, 'bin', 'javac'), skipped },
    watch: [...places('javac'), JDK_FOLDER, join(home, 'release'), prepared],
  };
});
