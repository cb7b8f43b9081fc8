/**
 * Probe of the isolate host: whether this Node can run it, and what its jail sees: Node with its libraries, the host's
 * own files and its two packages, nothing else.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { baseMounts, bind, libraryFolders, type Mount, unreachable } from './host.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const JAIL_ROOT = '/opt/assay';
const MAIN = 'runners/javascript/main.ts';
/** Below the project's root. */
const PARTS = [
  'package.json',
  'runners/javascript',
  'src/domain',
  'src/lib',
  'src/runner',
  'node_modules/isolated-vm',
  'node_modules/node-gyp-build',
  'node_modules/piscina',
] as const;
/**
 * isolated-vm needs the first (its README). The others save two milliseconds an isolate: the snapshot is made by the
 * very process that uses it, so there is nothing to verify, and its hash seed is as random as the process.
 */
const FLAGS = [
  '--no-node-snapshot',
  '--no-verify-snapshot-checksum',
  '--no-rehash-snapshot',
  '--disable-warning=ExperimentalWarning',
] as const;

/** Below the time that the whole probe has. */
const CHECK_TIMEOUT_MS = 20_000;

export interface IsolateHost {
  readonly command: readonly string[];
  readonly mounts: readonly Mount[];
}

/** The host for this Node, whose path in the jail is `node`; null where it does not run. */
export function findIsolateHost(executable: string, node: string): IsolateHost | null {
  try {
    const parts = PARTS.map((part) => realpathSync(join(ROOT, part)));
    if (parts.some((part) => unreachable(part) !== null)) return null;
    if (!runs(executable)) return null;
    const base = baseMounts().filter(({ target }) => target !== '/usr/bin' && target !== '/bin');
    return {
      command: [node, ...FLAGS, join(JAIL_ROOT, MAIN)],
      mounts: [
        ...base.filter(({ target }) => !target.startsWith('/usr/local/')),
        ...libraryFolders([executable]).map(bind),
        { kind: 'bind', source: executable, target: node },
        ...PARTS.map((part, index): Mount => {
          return { kind: 'bind', source: parts[index] ?? '', target: join(JAIL_ROOT, part) };
        }),
      ],
    };
  } catch {
    // A package is missing, or the check failed: programs run as processes, and the environment is not called warm.
    return null;
  }
}

/** Whether the host makes its snapshots and a thread here. On a host too busy to tell, its first jail tells. */
function runs(executable: string): boolean {
  const options = { env: {}, stdio: 'ignore', timeout: CHECK_TIMEOUT_MS } as const;
  const { error, status } = spawnSync(executable, [...FLAGS, join(ROOT, MAIN), '--check'], options);
  return status === 0 || (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT');
}

/** What makes the answer stale. */
export function isolateHostFiles(): string[] {
  const folder = join(ROOT, 'runners/javascript');
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return [...own, join(ROOT, 'node_modules/isolated-vm/package.json'), import.meta.filename];
}
