/** Probe of Rust: the toolchain as set-up gathered it, and GCC to link with, as the C probe finds it. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

import {
  bind,
  foldersOf,
  isWithin,
  libraries,
  places,
  runProbe,
  type Toolchain,
  Unavailable,
} from './host.ts';
import { requirePrepared } from './prepared.ts';
import { findRust } from './rust-toolchain.ts';

const TARGET = '/opt/rust';

runProbe(() => {
  const { version, root, rustc, preparation } = findRust();
  const prepared = requirePrepared(preparation);
  const linker = findLinker();
  const gcc = linker.tools['gcc'];
  if (gcc === undefined) throw new Unavailable('Rust needs gcc to link with');
  const system = libraries([rustc]).filter((path) => !isWithin(realpathSync(path), root));
  return {
    version,
    tools: { rustc: `${TARGET}/bin/rustc`, sysroot: TARGET, gcc },
    mounts: [
      ...linker.mounts,
      ...foldersOf(system).map(bind),
      { kind: 'bind', source: prepared, target: TARGET },
    ],
    packages: linker.packages,
    choice: { program: rustc, skipped: [] },
    watch: [...places('rustc'), rustc, prepared, ...linker.watch],
  };
});

/** The C toolchain, by its own probe: a process, because a probe is a program. */
function findLinker(): Toolchain {
  const probe = join(import.meta.dirname, 'gcc.ts');
  try {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const;
    // The C probe is ours and prints exactly this shape.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    return JSON.parse(execFileSync(process.execPath, [probe, 'c'], options)) as Toolchain;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Unavailable(`Rust needs gcc to link with: ${stderr === '' ? 'no answer' : stderr}`);
  }
}
