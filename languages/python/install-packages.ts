/**
 * `npm run packages`: unpacks every set of packages for the Python that is served. The host's pip downloads the wheels
 * that the pins name by hash and unpacks them; nothing of them is executed here. What they hold is compiled ahead, because
 * jails have it read-only. A Python that a set has no wheels for is no failure: its environment says so.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { onPath, places, Unavailable } from '../shared/host.ts';
import { build, prepare } from '../shared/prepared.ts';
import { findPython, type Interpreter } from '../shared/python-interpreter.ts';
import { packageSet, packageSets, type PackageSet } from '../shared/python-packages.ts';

/** The newest tag first; wheels for an older C library run on a newer one. */
const PLATFORMS = ['manylinux_2_28', 'manylinux_2_17', 'manylinux2014'] as const;
/** What packages bring besides modules, and what would be found as modules there. */
const NO_MODULES = ['bin', 'share'] as const;
const DOWNLOAD_TIMEOUT_MS = 1_800_000;
/** The script has it in a log. */
const LOG_FD = 1;

// Jails read it as another user.
process.umask(0o022);
for (const name of packageSets()) {
  prepare(
    () => find(name),
    (folder, set) => fill(folder, set, set.interpreter),
  );
}

function find(name: string): PackageSet & { readonly interpreter: Interpreter } {
  try {
    const { python } = findPython();
    return { ...packageSet(name, python), interpreter: python };
  } catch (error) {
    say(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

function fill(folder: string, set: PackageSet, interpreter: Interpreter): void {
  const names = Object.entries(set.versions).map(([name, version]) => `${name} ${version}`);
  say(`${set.name}, for Python ${set.python}: ${names.join(', ')}`);
  timed('downloading and unpacking (100 MB)', () => unpack(folder, set));
  for (const name of NO_MODULES) rmSync(join(folder, name), { recursive: true, force: true });
  timed('compiling', () => compile(folder, set, interpreter));
}

/** By a pip of any Python, told for which one. Its settings are the user's own, so that it finds what he finds. */
function unpack(folder: string, { lock, python, machine }: PackageSet): void {
  const args = [
    ...['-m', 'pip', 'install', '--require-hashes', '--no-deps', '--only-binary=:all:'],
    ...['--no-compile', '--no-input', '--disable-pip-version-check', '--no-warn-script-location'],
    ...['--root-user-action=ignore', '--progress-bar=off', '--implementation', 'cp'],
    ...['--python-version', python],
    ...PLATFORMS.flatMap((tag) => ['--platform', `${tag}_${machine}`]),
    ...['--target', folder, '--requirement', lock],
  ];
  const stdio: ['ignore', number, number] = ['ignore', LOG_FD, LOG_FD];
  execFileSync(pythonWithPip(), args, { stdio, timeout: DOWNLOAD_TIMEOUT_MS });
}

function pythonWithPip(): string {
  const candidates = [...onPath('python3'), '/usr/bin/python3', ...places('python')];
  const hasPip = (program: string): boolean => {
    try {
      execFileSync(program, ['-m', 'pip', '--version'], { stdio: 'ignore' });
      return true;
    } catch {
      // Not there, or without pip: the next.
      return false;
    }
  };
  const found = candidates.filter((path) => existsSync(path)).find(hasPip);
  if (found === undefined) throw new Unavailable('no python3 with pip (Debian: python3-pip)');
  return found;
}

/**
 * Compiled files that hold whatever the time of their source, with the paths that jails see. Tests of the packages are left
 * out: a third of the time, for modules that programs do not import.
 */
function compile(folder: string, { target }: PackageSet, { executable }: Interpreter): void {
  const args = [
    ...['-I', '-S', '-m', 'compileall', '-q', '-j', '0', '-x', '/tests/'],
    ...['--invalidation-mode', 'unchecked-hash', '-s', folder, '-p', target, folder],
  ];
  build(executable, args, { cwd: '/' });
}

function timed(what: string, work: () => void): void {
  say(`${what} …`);
  const since = performance.now();
  work();
  say(`${what}: ${((performance.now() - since) / 1000).toFixed(0)} s`);
}

/** Progress, for the user; all else is for the log. */
function say(text: string): void {
  process.stderr.write(`packages: ${text}\n`);
}
