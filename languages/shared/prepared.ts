/**
 * What set-up makes of a toolchain once (a compiled standard library, class archives) and jails mount read-only:
 * folders beneath `.assay/toolchains`, each named after its language and a digest of all that it was made from. A
 * folder is there complete or not at all.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { Unavailable } from './host.ts';

const FOLDER = join(import.meta.dirname, '../../.assay/toolchains');
/** A standard library compiles in a minute; a busy small host may take several. */
const COMMAND_TIMEOUT_MS = 600_000;

export interface Preparation {
  /** Id of the language. */
  readonly language: string;
  /** All that the content depends on: versions, options, our own sources. */
  readonly key: readonly string[];
}

/** Where the preparation of a toolchain lies, whether it is there or not. */
export function preparedFolder({ language, key }: Preparation): string {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  return join(FOLDER, `${language}-${digest}`);
}

/** The folder as a jail's probe needs it. Throws `Unavailable` when set-up has not made it. */
export function requirePrepared(preparation: Preparation): string {
  const folder = preparedFolder(preparation);
  if (existsSync(folder)) return folder;
  throw new Unavailable(
    `set-up has not prepared this ${preparation.language} toolchain: npm run setup (log: .assay/log/toolchains.log)`,
  );
}

/** A toolchain as far as set-up cares. */
interface Preparable {
  readonly preparation: Preparation;
}

/**
 * Set-up of one toolchain: finds it and fills its folder unless that is there. A toolchain that is missing is no
 * failure. Of the language's older folders the last is kept, for a service that still runs on it.
 */
export function prepare<Toolchain extends Preparable>(
  find: () => Toolchain,
  fill: (folder: string, toolchain: Toolchain) => void,
): void {
  let toolchain: Toolchain;
  try {
    toolchain = find();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stdout.write(`nothing to prepare: ${error.message}\n`);
    return;
  }
  const { preparation } = toolchain;
  const folder = preparedFolder(preparation);
  if (existsSync(folder)) return;
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  fill(draft, toolchain);
  const [, ...outdated] = readdirSync(FOLDER)
    .filter((name) => name.startsWith(`${preparation.language}-`))
    .map((name) => join(FOLDER, name))
    .filter((path) => path !== draft)
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of outdated) rmSync(path, { recursive: true, force: true });
  renameSync(draft, folder);
}

/** What changes when a file of the host does, for keys. */
export function signatureOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${path}:${size}:${mtimeMs}`;
}

/** Runs a program of the toolchain on our own input, without a shell; its messages go where ours go. */
export function build(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
  },
): string {
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8', ...options.env };
  const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
  return execFileSync(program, args, {
    cwd: options.cwd,
    env,
    stdio,
    input: options.input ?? '',
    encoding: 'utf8',
    timeout: COMMAND_TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
}

/**
 * Links files of a toolchain (copies, where that cannot be) into a folder that jails reach: rustup and SDK managers
 * keep toolchains in homes that are closed to other users, and distributions strew them over /usr and /etc.
 */
export function gather(root: string, files: readonly string[], folder: string): void {
  for (const file of files) {
    const source = realpathSync(join(root, file));
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    try {
      linkSync(source, target);
    } catch {
      // Another file system, or another owner's file.
      copyFileSync(source, target);
      const { atime, mtime } = statSync(source);
      utimesSync(target, atime, mtime);
    }
  }
}
