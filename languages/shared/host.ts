/**
 * What the toolchain probes share: finding programs on the host, checking that a jail can reach them, and the mounts
 * that every environment needs. Runs once at the start of the service, as a process of its own, and prints JSON.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** As `ToolchainProbe['mounts']` in src/domain/language.ts. */
export type Mount =
  | { readonly kind: 'bind'; readonly source: string; readonly target: string }
  | { readonly kind: 'symlink'; readonly source: string; readonly target: string }
  | { readonly kind: 'empty'; readonly target: string };

/** What a probe prints. */
export interface Toolchain {
  readonly version: string;
  /** Name → path in the jail. */
  readonly tools: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly packages: Readonly<Record<string, string>>;
  /** What test runners have besides, and no candidate. */
  readonly verifier?: { readonly packages: string; readonly mounts: readonly Mount[] };
  /** A warm host for programs of this language, where there is one. */
  readonly isolateHost?: { readonly command: readonly string[]; readonly mounts: readonly Mount[] };
  /** A compiler that is kept ready, where there is one. */
  readonly compileHost?: { readonly command: readonly string[]; readonly mounts: readonly Mount[] };
  /** What environments may need: name → null when it is there, else why not. */
  readonly features?: Readonly<Record<string, string | null>>;
  /** Host paths, existing or not, whose change makes this answer stale. */
  readonly watch: readonly string[];
  /** Which program of the host was taken, and which were passed over and why, in the order of the search. */
  readonly choice?: { readonly program: string; readonly skipped: readonly string[] };
}

/** Why a toolchain cannot be offered: one line, for the operator. */
export class Unavailable extends Error {}

/** Set-up is in no hurry. */
const SETUP_TIMEOUT_MS = 120_000;
/** A probe looks at several programs, some twice. */
const SHARE_OF_PROBE = 1 / 3;
/** EX_TEMPFAIL (sysexits.h): the host was too slow, ask again (src/catalog/probe.ts). */
const TOO_SLOW = 75;

/** Of one command: what the service gives this try of the probe decides. */
function commandTimeoutMs(): number {
  const limitMs = process.env['ASSAY_PROBE_LIMIT_MS'];
  return limitMs === undefined ? SETUP_TIMEOUT_MS : Number(limitMs) * SHARE_OF_PROBE;
}

/**
 * A program that does not answer in time is not missing, and passing it over would take another one on a busy day: the
 * probe ends, to be asked again with more time. Only in the last try is it passed over.
 */
function endIfTooSlow(error: unknown): void {
  const isLate = typeof error === 'object' && error !== null && 'code' in error;
  if (!isLate || error.code !== 'ETIMEDOUT' || process.env['ASSAY_PROBE_TRIES_LEFT'] === '0')
    return;
  if (process.env['ASSAY_PROBE_TRIES_LEFT'] !== undefined) process.exit(TOO_SLOW);
}

/** Prints what a probe found; a thrown error becomes one line on stderr and exit status 1. */
export function runProbe(probe: () => Toolchain): void {
  try {
    const found = probe();
    const answer = {
      ...found,
      mounts: arrange(found.mounts),
      watch: [...found.watch, import.meta.filename],
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason.split('\n', 1)[0]}\n`);
    process.exitCode = 1;
  }
}

/** Runs a host program without a shell and returns its standard output, trimmed. Its input is empty by default. */
export function output(
  program: string,
  args: readonly string[],
  { input = '' }: { readonly input?: string } = {},
): string {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
  const options = { encoding: 'utf8', stdio, timeout: commandTimeoutMs(), input } as const;
  try {
    return execFileSync(program, args, options).trim();
  } catch (error) {
    endIfTooSlow(error);
    const hasStderr = typeof error === 'object' && error !== null && 'stderr' in error;
    const stderr = hasStderr && typeof error.stderr === 'string' ? error.stderr.trim() : '';
    const why = stderr.split('\n').at(-1) ?? '';
    throw new Unavailable(
      `${program} failed: ${why === '' ? String(error).split('\n', 1)[0] : why}`,
    );
  }
}

/** What a host program says on standard error, whatever its exit status. */
export function messages(program: string, args: readonly string[]): string {
  const options = { encoding: 'utf8', timeout: commandTimeoutMs() } as const;
  const { stderr, error } = spawnSync(program, args, options);
  endIfTooSlow(error);
  return stderr;
}

/** What a host program says on standard output, whatever its exit status. */
function answers(program: string, args: readonly string[]): string {
  const options = { encoding: 'utf8', timeout: commandTimeoutMs(), maxBuffer: 2 ** 24 } as const;
  const { stdout, error } = spawnSync(program, args, options);
  endIfTooSlow(error);
  return stdout ?? '';
}

/** Every place where PATH may have a program of this name, in PATH order, existing or not. */
export function places(name: string): string[] {
  const path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  return path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name));
}

/** The executables of this name on PATH, in order. */
export function onPath(name: string): string[] {
  return places(name).filter((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      // Not there, or not executable: not a candidate.
      return false;
    }
  });
}

/**
 * Why a jail cannot mount a path, or null. A jail of a service that runs as root is another user on the host, so every
 * folder on the way must be open to others; a jail of an ordinary user is that user.
 */
export function unreachable(path: string): string | null {
  const real = realpathSync(path);
  if (process.getuid?.() !== 0) {
    try {
      accessSync(real, constants.R_OK);
      return null;
    } catch {
      return `${real} is not readable`;
    }
  }
  if ((statSync(real).mode & 0o4) === 0) return `${real} is not readable by other users`;
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o1) === 0) {
      return `${real} is behind ${folder}, which is closed to other users`;
    }
    if (folder === '/') return null;
  }
}

/** Throws unless a jail can mount the path. */
export function requireReachable(path: string): void {
  const why = unreachable(path);
  if (why !== null) throw new Unavailable(why);
}

/** Files that one call of ldd is asked about. */
const LDD_FILES_MAX = 200;

/**
 * The shared libraries that ELF files need, at the paths where the loader finds them. One that is missing is an error
 * unless `optional`. A file that is static, or no program of this machine's kind, needs none.
 */
export function libraries(
  files: readonly string[],
  options: { optional?: boolean } = {},
): string[] {
  const found = new Set<string>();
  for (let at = 0; at < files.length; at += LDD_FILES_MAX) {
    const asked = files.slice(at, at + LDD_FILES_MAX);
    let file = asked[0];
    for (const line of answers('ldd', asked).split('\n')) {
      // The name of a file stands before its libraries, where there are more files than one.
      if (/^\S.*:$/.test(line)) file = line.slice(0, -1);
      const missing = /^\s*(\S+) => not found/.exec(line)?.[1];
      if (missing !== undefined && options.optional !== true) {
        throw new Unavailable(`${file} needs ${missing}, which this host does not have`);
      }
      const path = /(?:=>\s*|^\s*)(\/\S+) \(0x/.exec(line)?.[1];
      if (path !== undefined) found.add(path);
    }
  }
  return [...found];
}

/** The real folders of the shared libraries that ELF files need. */
export function libraryFolders(files: readonly string[]): string[] {
  return foldersOf(libraries(files));
}

/** The real folders of some files, each of which a jail can reach. */
export function foldersOf(files: readonly string[]): string[] {
  const folders = new Set(files.map((file) => dirname(realpathSync(file))));
  for (const folder of folders) requireReachable(folder);
  return [...folders];
}

export function bind(path: string): Mount {
  return { kind: 'bind', source: path, target: path };
}

/** Programs that Debian reaches through /etc/alternatives, which a jail does not have. */
const ALTERNATIVES = ['awk', 'nawk', 'which'] as const;

/**
 * The least that any program finds: the usual commands, the C library and its loader, locales and time zones, and the
 * top-level links of a host with a merged /usr. Nothing of /etc, /home, /usr/local or /var.
 */
export function baseMounts(): Mount[] {
  const mounts: Mount[] = [bind('/usr/bin')];
  for (const name of ['bin', 'lib', 'lib64']) {
    const path = `/${name}`;
    if (!existsSync(path)) continue;
    if (lstatSync(path).isSymbolicLink()) {
      mounts.push({ kind: 'symlink', source: readlinkSync(path), target: path });
    } else if (name !== 'lib') {
      mounts.push(bind(path));
    }
  }
  const libraries = libraryFolders(['/bin/sh', '/usr/bin/env']);
  const optional = ['/usr/lib64', '/usr/lib/locale', '/usr/share/zoneinfo'];
  const folders = [...libraries, ...optional.filter((path) => existsSync(path))];
  mounts.push(...folders.map(bind));
  for (const name of ALTERNATIVES) {
    const path = `/usr/bin/${name}`;
    if (!existsSync(path)) continue;
    const isAlternative =
      lstatSync(path).isSymbolicLink() && readlinkSync(path).startsWith('/etc/');
    const link = {
      kind: 'symlink',
      source: realpathSync(path),
      target: `/usr/local/bin/${name}`,
    } as const;
    if (isAlternative) mounts.push(link);
  }
  return mounts;
}

/** Whether `path` is `folder` or beneath it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../'));
}

/**
 * Mounts in an order in which each can be made: parents first, each target once. A bind that a parent's bind shows
 * anyway is left out; so is a link in a folder that is bound, which is read-only.
 */
export function arrange(mounts: readonly Mount[]): Mount[] {
  const kept: Mount[] = [];
  const sorted = mounts.toSorted((a, b) =>
    a.target < b.target ? -1 : a.target > b.target ? 1 : 0,
  );
  for (const mount of sorted) {
    const binds = kept.filter((each) => each.kind === 'bind');
    const isTaken = kept.some((each) => each.target === mount.target);
    const isShown = binds.some((each) => {
      if (!isWithin(mount.target, each.target)) return false;
      if (mount.kind !== 'bind') return mount.kind === 'symlink';
      return join(each.source, relative(each.target, mount.target)) === mount.source;
    });
    if (!isTaken && !isShown) kept.push(mount);
  }
  return kept;
}

/** The name by which a program is known, `gcc` for `/usr/bin/gcc`. */
export const nameOf = basename;
