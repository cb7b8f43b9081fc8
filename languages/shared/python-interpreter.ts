/**
 * Which CPython is served: the one that ASSAY_PYTHON names; else the first of `python3` on PATH and /usr/bin/python3 that
 * is CPython 3.9 or newer and that a jail can reach. A shim (pyenv, asdf) or a virtual environment is followed to the real
 * interpreter once, here.
 */
import { existsSync } from 'node:fs';

import { onPath, output, places, requireReachable, Unavailable } from './host.ts';

const VERSION_LEAST = [3, 9] as const;
export const SYSTEM_PYTHON = '/usr/bin/python3';
/** Where an interpreter with a prefix of its own is found in the jail; CPython finds its library from there. */
export const PYTHON_TARGET = '/opt/python';
const SYSTEM_PREFIX = '/usr';

/** Asked of a candidate; prints one JSON object. */
const QUESTION = `
import json, os, platform, site, sys, sysconfig
base = getattr(sys, "_base_executable", None) or sys.executable
print(json.dumps({
    "implementation": sys.implementation.name,
    "version": platform.python_version(),
    "executable": os.path.realpath(base),
    "prefix": os.path.realpath(sys.base_prefix),
    "libraries": sorted({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}),
    "packages": site.getsitepackages([os.path.realpath(sys.base_prefix)])[0],
}))
`;

export interface Interpreter {
  readonly implementation: string;
  /** Three numbers. */
  readonly version: string;
  readonly executable: string;
  readonly prefix: string;
  /** Folders of the standard library. */
  readonly libraries: readonly string[];
  /** The first folder, existing or not, in which it looks for packages. */
  readonly packages: string;
}

export interface FoundPython {
  readonly python: Interpreter;
  readonly choice: { readonly program: string; readonly skipped: readonly string[] };
  /** Host paths that decided it. */
  readonly watch: readonly string[];
}

/** Throws `Unavailable`, with the reason against each candidate. */
export function findPython(): FoundPython {
  const asked = process.env['ASSAY_PYTHON'] ?? '';
  const candidates = asked === '' ? [...new Set([...onPath('python3'), SYSTEM_PYTHON])] : [asked];
  const watch = asked === '' ? [...places('python3'), SYSTEM_PYTHON] : [asked];
  const skipped: string[] = [];
  for (const program of candidates) {
    try {
      const python = inspect(program);
      return { python, choice: { program, skipped }, watch: [...watch, python.executable] };
    } catch (error) {
      skipped.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Unavailable(`no usable Python 3.9 or newer: ${skipped.join('; ')}`);
}

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

/** Whether it is the distribution's, which stays at its own paths in a jail. */
export function isSystemPython({ prefix }: Interpreter): boolean {
  return prefix === SYSTEM_PREFIX;
}

/** Where one of its host paths is found in a jail. */
export function inJail(python: Interpreter, path: string): string {
  return isSystemPython(python) ? path : path.replace(python.prefix, PYTHON_TARGET);
}
