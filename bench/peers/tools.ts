/**
 * The programs behind `{python}`, `{node}` … in the peers' commands: those that the service serves, at the same
 * version, so that only the judging differs.
 */
import { globSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findGo } from '../../languages/shared/go-toolchain.ts';
import { onPath } from '../../languages/shared/host.ts';
import { findJdk } from '../../languages/shared/jdk.ts';
import { cleanPython } from '../lib/clean-python.ts';
import { ROOT } from '../lib/service.ts';

/** A peer that cannot be measured here, and why. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export interface Tools {
  /** Replaces `{tool}`. Throws where this machine lacks it. */
  readonly command: (words: readonly string[]) => string[];
  /** What plain programs find in their environment; everything else of ours stays away. */
  readonly environment: Readonly<Record<string, string>>;
}

const BENCH = join(ROOT, '.assay', 'bench');
const PREPARED = join(ROOT, '.assay', 'toolchains');

/** Tools for a language that the service serves at `version`, with these Python packages. */
export function createTools(version: string, packages: readonly string[]): Tools {
  const find: Readonly<Record<string, () => string>> = {
    python: () => cleanPython(version),
    node: () => realpathSync(process.execPath),
    'g++': () => first('g++'),
    java: () => join(findJdk().home, 'bin', 'java'),
    javac: () => join(findJdk().home, 'bin', 'javac'),
    go: () => findGo().go,
  };
  return {
    command: (words) =>
      words.map((word) => {
        const tool = /^\{(.+)\}$/.exec(word)?.[1];
        return tool === undefined ? word : (find[tool]?.() ?? word);
      }),
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: BENCH,
      GOCACHE: join(BENCH, 'go-cache'),
      GOTOOLCHAIN: 'local',
      ...(packages.length === 0 ? {} : packagesEnvironment(packages)),
    },
  };
}

function first(name: string): string {
  const [path] = onPath(name);
  if (path === undefined) throw new LeftOut(`no ${name} on PATH`);
  return realpathSync(path);
}

/**
 * One thread for numeric libraries: more only cost time at the start of so small a program. The folder is the
 * service's, with its bytecode; nothing may be written to it.
 */
function packagesEnvironment(packages: readonly string[]): Record<string, string> {
  const folders = packages.map((name) => findPackage(name));
  return {
    PYTHONPATH: [...new Set(folders)].join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
    OPENBLAS_NUM_THREADS: '1',
  };
}

/** Where set-up unpacked a package for the service's own environments. */
function findPackage(name: string): string {
  const pattern = `{*,*/*,*/*/*,*/*/*/*,*/*/*/*/*}/${name}/__init__.py`;
  const found = globSync(pattern, { cwd: PREPARED }).map((path) => join(PREPARED, path));
  // Packages hold folders of such names further down (pandas/compat/numpy); set-up keeps the folder before the last, too.
  const depth = (path: string): number => path.split('/').length;
  const [newest] = found.toSorted(
    (a, b) => depth(a) - depth(b) || statSync(b).ctimeMs - statSync(a).ctimeMs,
  );
  if (newest === undefined) throw new LeftOut(`set-up has no ${name}`);
  return dirname(dirname(newest));
}
