/**
 * Finds the Rust toolchain and the few of its files that a compile step needs; the probe and
 * `languages/rust/prepare.ts` agree by it.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

import { isWithin, libraries, onPath, output, Unavailable } from './host.ts';
import { type Preparation, signatureOf } from './prepared.ts';

export interface RustToolchain {
  readonly version: string;
  /** The folder that rustc takes its libraries from. */
  readonly root: string;
  readonly rustc: string;
  /** Relative to `root`: rustc, its own libraries, and the standard library of this machine. */
  readonly files: readonly string[];
  readonly preparation: Preparation;
}

/** `-Cstrip` and the 2021 edition. */
const MINOR_LEAST = 59;

/** The `rustc` of PATH; a rustup proxy is followed to the real one. Throws `Unavailable`. */
export function findRust(): RustToolchain {
  const [candidate] = onPath('rustc');
  if (candidate === undefined) throw new Unavailable('no rustc on PATH');
  const root = realpathSync(output(candidate, ['--print', 'sysroot']));
  const rustc = join(root, 'bin', 'rustc');
  if (!existsSync(rustc)) throw new Unavailable(`${root} has no bin/rustc`);
  const facts = output(rustc, ['--version', '--verbose']);
  const version = /^release: (\S+)$/m.exec(facts)?.[1] ?? '';
  const host = /^host: (\S+)$/m.exec(facts)?.[1] ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  if (major < 1 || (major === 1 && minor < MINOR_LEAST)) {
    throw new Unavailable(`${rustc} is Rust ${version}, older than 1.${MINOR_LEAST}`);
  }
  const target = join('lib', 'rustlib', host, 'lib');
  if (!existsSync(join(root, target))) throw new Unavailable(`${root} has no ${target}`);
  const files = [
    join('bin', 'rustc'),
    ...libraries([rustc])
      .filter((path) => isWithin(realpathSync(path), root))
      .map((path) => relative(root, realpathSync(path))),
    ...namesIn(root, target, /\.(?:rlib|rmeta|so|o)$/),
    ...namesIn(root, join('lib', 'rustlib', host, 'bin'), /^rust-lld$/),
    ...namesIn(root, join('lib', 'rustlib', host, 'bin', 'gcc-ld'), /^/),
  ];
  const key = [version, signatureOf(rustc), ...files];
  return { version, root, rustc, files, preparation: { language: 'rust', key } };
}

function namesIn(root: string, folder: string, pattern: RegExp): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}
