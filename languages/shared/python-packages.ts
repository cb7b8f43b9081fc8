/**
 * Sets of Python packages: `languages/python/packages/NAME.txt` pins versions and hashes; `npm run packages` unpacks them
 * for the interpreter that is served; a jail has them, read-only, in the first folder where that interpreter looks for
 * packages, so that no program finds them otherwise than where pip would have put them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Unavailable } from './host.ts';
import { type Preparation, preparedFolder } from './prepared.ts';
import { inJail, type Interpreter } from './python-interpreter.ts';

const FOLDER = join(import.meta.dirname, '../python/packages');
/** Part of the key: how the folder is filled. */
const LAYOUT = '1';
const COMMAND = 'npm run packages, then restart the service';

/** Node's names of machines → those of wheels. */
const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** A set for one interpreter on this machine. */
export interface PackageSet {
  readonly name: string;
  /** Host path of the pins. */
  readonly lock: string;
  /** Package → version. */
  readonly versions: Readonly<Record<string, string>>;
  /** `3.11` */
  readonly python: string;
  /** As wheels call it: x86_64, aarch64. */
  readonly machine: string;
  /** Where jails have it. */
  readonly target: string;
  readonly preparation: Preparation;
}

/** Host path of the pins of a set. */
export function lockFile(name: string): string {
  return join(FOLDER, `${name}.txt`);
}

/** The set of that name for an interpreter. Throws `Unavailable` where there are no wheels for it. */
export function packageSet(name: string, python: Interpreter): PackageSet {
  const lock = lockFile(name);
  const text = readFileSync(lock, 'utf8');
  const version = python.version.split('.').slice(0, 2).join('.');
  const machine = MACHINES[process.arch] ?? process.arch;
  const pythons = listOf(text, 'python');
  if (!pythons.includes(version)) {
    throw new Unavailable(
      `its packages are for Python ${pythons.join(', ')}, and the Python here is ${version}`,
    );
  }
  if (!listOf(text, 'machine').includes(machine)) {
    throw new Unavailable(`its packages are not for ${machine}`);
  }
  const target = inJail(python, python.packages);
  const pins = [...text.matchAll(/^([A-Za-z0-9._-]+)==(\S+)/gm)];
  return {
    name,
    lock,
    versions: Object.fromEntries(pins.map(([, id = '', pinned = '']) => [id, pinned])),
    python: version,
    machine,
    target,
    preparation: {
      language: `python-${name}`,
      key: [LAYOUT, version, machine, target, text],
    },
  };
}

/** What a comment of the pins lists after `NAME:`. */
function listOf(text: string, name: string): string[] {
  const line = new RegExp(`^# ${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return line.split(' ').filter((each) => each !== '');
}

/** Names of all sets. */
export function packageSets(): string[] {
  return readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, ''));
}

/** Where the set lies on the host, and why it cannot be had: null where it is unpacked. */
export function locatePackages({ preparation }: PackageSet): {
  readonly folder: string;
  readonly reason: string | null;
} {
  const folder = preparedFolder(preparation);
  const reason = existsSync(folder) ? null : `its packages are not installed: ${COMMAND}`;
  return { folder, reason };
}
