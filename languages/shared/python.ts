/**
 * Probe of CPython: the standard library alone, never the host's site-packages. The interpreter is the one that
 * ASSAY_PYTHON names; else the first of `python3` on PATH and /usr/bin/python3 that is CPython 3.9 or newer and that a
 * jail can reach. A shim (pyenv, asdf) or a virtual environment is followed to the real interpreter once, here.
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
  onPath,
  output,
  places,
  requireReachable,
  runProbe,
  type Toolchain,
  Unavailable,
} from './host.ts';

const VERSION_LEAST = [3, 9] as const;
const SYSTEM_PYTHON = '/usr/bin/python3';
/** Where an interpreter with a prefix of its own is found in the jail; CPython finds its library from there. */
const TARGET = '/opt/python';

/** Asked of a candidate; prints one JSON object. */
const QUESTION = `
import json, os, platform, sys, sysconfig
base = getattr(sys, "_base_executable", None) or sys.executable
print(json.dumps({
    "implementation": sys.implementation.name,
    "version": platform.python_version(),
    "executable": os.path.realpath(base),
    "prefix": os.path.realpath(sys.base_prefix),
    "libraries": sorted({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}),
}))
`;

interface Interpreter {
  readonly implementation: string;
  readonly version: string;
  readonly executable: string;
  readonly prefix: string;
  readonly libraries: readonly string[];
}

runProbe(() => {
  const asked = process.env['ASSAY_PYTHON'] ?? '';
  const candidates = asked === '' ? [...new Set([...onPath('python3'), SYSTEM_PYTHON])] : [asked];
  const watch = asked === '' ? [...places('python3'), SYSTEM_PYTHON] : [asked];
  const reasons: string[] = [];
  for (const candidate of candidates) {
    try {
      return {
        ...describe(inspect(candidate), watch),
        choice: { program: candidate, skipped: reasons },
      };
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Unavailable(`no usable Python 3.9 or newer: ${reasons.join('; ')}`);
});

function inspect(candidate: string): Interpreter {
  if (!existsSync(candidate)) throw new Unavailable(`${candidate} does not exist`);
  // The interpreter answers QUESTION, which is ours and prints exactly this shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const found = JSON.parse(output(candidate, ['-I', '-S', '-c', QUESTION])) as Interpreter;
  const [major = 0, minor = 0] = found.version.split('.').map(Number);
  if (found.implementation !== 'cpython') {
    throw new Unavailable(`${candidate} is ${found.implementation}`);
  }
  if (major !== VERSION_LEAST[0] || minor < VERSION_LEAST[1]) {
    throw new Unavailable(`${candidate} is Python ${found.version}`);
  }
  for (const path of [found.executable, ...found.libraries]) requireReachable(path);
  return found;
}

function describe(python: Interpreter, watch: readonly string[]): Toolchain {
  const isSystem = python.prefix === '/usr';
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
    watch: [...watch, python.executable],
  };
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
  const program = `${TARGET}/bin/python${version}`;
  const mounts: Mount[] = [
    { kind: 'bind', source: python.executable, target: program },
    { kind: 'symlink', source: `python${version}`, target: `${TARGET}/bin/python3` },
    { kind: 'symlink', source: program, target: '/usr/local/bin/python3' },
  ];
  for (const library of python.libraries) {
    const target = library.replace(python.prefix, TARGET);
    mounts.push({ kind: 'bind', source: library, target }, ...hidden(library, target));
  }
  const folder = join(python.prefix, 'lib');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((each) => /^libpython3[\d.]*\.so/.test(each))) {
    const source = realpathSync(join(folder, name));
    mounts.push({ kind: 'bind', source, target: `${TARGET}/lib/${name}` });
  }
  return { tool: `${TARGET}/bin/python3`, mounts };
}

/** The host's own packages, hidden behind empty folders. */
function hidden(library: string, target: string): Mount[] {
  return ['site-packages', 'dist-packages']
    .filter((name) => existsSync(join(library, name)))
    .map((name) => ({ kind: 'empty', target: join(target, name) }));
}
