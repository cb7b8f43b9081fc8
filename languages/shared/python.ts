/**
 * Probe of CPython: the standard library alone, never the host's site-packages. With the name of a set of packages as its
 * argument: and these.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, normalize } from 'node:path';

import {
  baseMounts,
  bind,
  foldersOf,
  isWithin,
  libraries,
  type Mount,
  runProbe,
  type Toolchain,
  Unavailable,
} from './host.ts';
import {
  findPython,
  inJail,
  type Interpreter,
  isSystemPython,
  PYTHON_TARGET,
  SYSTEM_PYTHON,
} from './python-interpreter.ts';
import { locatePackages, lockFile, packageSet, type PackageSet } from './python-packages.ts';

/** Which environments' packages are there. */
const FEATURE = 'packages';
/** Where test runners find what they have besides: apart from the interpreter's own folders. */
const VERIFIER_TARGET = '/opt/assay/pytest';
const VERIFIER_SET = 'pytest';

runProbe(() => {
  const { python, choice, watch } = findPython();
  const [name] = process.argv.slice(2);
  const described = describe(python, watch);
  return { ...(name === undefined ? described : withPackages(described, python, name)), choice };
});

/**
 * The same interpreter with a set of packages, or with the reason why that cannot be had: as a feature, because that is
 * remembered.
 */
function withPackages(toolchain: Toolchain, python: Interpreter, name: string): Toolchain {
  const lock = lockFile(name);
  let set: PackageSet;
  try {
    set = packageSet(name, python);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const watch = [...toolchain.watch, lock];
    return { ...toolchain, features: { [FEATURE]: error.message }, watch };
  }
  const { folder, reason } = locatePackages(set);
  const watch = [...toolchain.watch, lock, folder];
  if (reason !== null) return { ...toolchain, features: { [FEATURE]: reason }, watch };
  return {
    ...toolchain,
    mounts: [
      ...foldersOf(librariesFor(folder)).map(bind),
      ...toolchain.mounts.filter(({ target }) => target !== set.target),
      { kind: 'bind', source: folder, target: set.target },
    ],
    packages: set.versions,
    features: { [FEATURE]: null },
    watch,
  };
}

/** The host's libraries that packages need; they bring most themselves. */
function librariesFor(folder: string): string[] {
  const own = realpathSync(folder);
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.so(?:\.|$)/.test(path))
    .map((path) => join(folder, path));
  // Those that they bring name each other without a path, which ldd cannot follow from each alone.
  return libraries(modules, { optional: true }).filter(
    (path) => !isWithin(realpathSync(path), own),
  );
}

function describe(python: Interpreter, watch: readonly string[]): Toolchain {
  const isSystem = isSystemPython(python);
  const modules = python.libraries.map((library) => join(library, 'lib-dynload'));
  const shared = modules
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const needed = [
    ...libraries([python.executable]),
    // A module whose library is missing cannot be imported on the host either.
    ...libraries(shared, { optional: true }),
  ];
  const isOwn = (path: string): boolean => !isSystem && isWithin(realpathSync(path), python.prefix);
  const placed = isSystem ? system(python) : relocated(python);
  // What a loader finds by an absolute run path has to stay where it is; the rest is found by the folder.
  const own = needed.filter(isOwn).map((path): Mount => {
    return { kind: 'bind', source: realpathSync(path), target: normalize(path) };
  });
  const folders = foldersOf(needed.filter((path) => !isOwn(path)));
  return {
    version: python.version,
    tools: { python: placed.tool },
    mounts: [...baseMounts(), ...folders.map(bind), ...own, ...placed.mounts],
    packages: {},
    ...verifier(python, watch),
  };
}

function verifier(
  python: Interpreter,
  watch: readonly string[],
): Pick<Toolchain, 'verifier' | 'watch'> {
  const lock = lockFile(VERIFIER_SET);
  let set: PackageSet;
  try {
    set = packageSet(VERIFIER_SET, python);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { watch: [...watch, lock] };
  }
  const { folder, reason } = locatePackages(set);
  const seen = [...watch, lock, folder];
  if (reason !== null) return { watch: seen };
  const mounts: Mount[] = [{ kind: 'bind', source: folder, target: VERIFIER_TARGET }];
  return { verifier: { packages: VERIFIER_TARGET, mounts }, watch: seen };
}

interface Placed {
  readonly tool: string;
  readonly mounts: readonly Mount[];
}

/** The distribution's Python: at its own paths. */
function system(python: Interpreter): Placed {
  const isDefault = existsSync(SYSTEM_PYTHON) && realpathSync(SYSTEM_PYTHON) === python.executable;
  return {
    tool: isDefault ? SYSTEM_PYTHON : python.executable,
    mounts: python.libraries.flatMap((library) => [bind(library), ...hidden(library, library)]),
  };
}

/** A Python with its own prefix: program, library and libpython beneath /opt/python. */
function relocated(python: Interpreter): Placed {
  const version = python.version.split('.').slice(0, 2).join('.');
  const program = `${PYTHON_TARGET}/bin/python${version}`;
  const mounts: Mount[] = [
    { kind: 'bind', source: python.executable, target: program },
    { kind: 'symlink', source: `python${version}`, target: `${PYTHON_TARGET}/bin/python3` },
    { kind: 'symlink', source: program, target: '/usr/local/bin/python3' },
  ];
  for (const library of python.libraries) {
    const target = inJail(python, library);
    mounts.push({ kind: 'bind', source: library, target }, ...hidden(library, target));
  }
  const folder = join(python.prefix, 'lib');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((each) => /^libpython3[\d.]*\.so/.test(each))) {
    const source = realpathSync(join(folder, name));
    mounts.push({ kind: 'bind', source, target: `${PYTHON_TARGET}/lib/${name}` });
  }
  return { tool: `${PYTHON_TARGET}/bin/python3`, mounts };
}

/** The host's own packages, hidden behind empty folders. */
function hidden(library: string, target: string): Mount[] {
  return ['site-packages', 'dist-packages']
    .filter((name) => existsSync(join(library, name)))
    .map((name) => ({ kind: 'empty', target: join(target, name) }));
}
