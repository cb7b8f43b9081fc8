/** Finding GCC on the host: the compiler and its parts. Shared by the probe and by what set-up makes for C++. */
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import { nameOf, onPath, output, Unavailable } from './host.ts';

/** A compiler on PATH. */
export interface FoundCompiler {
  /** As it is on PATH. */
  readonly name: string;
  /** Its real path. */
  readonly path: string;
  /** What was passed over before it: links to a cache (ccache, distcc). */
  readonly skipped: readonly string[];
}

/** Throws `Unavailable` where there is none. */
export function findCompiler(program: string): FoundCompiler {
  const candidates = onPath(program);
  const isCache = (path: string): boolean => /cache|distcc|icecc/.test(nameOf(realpathSync(path)));
  const compiler = candidates.find((path) => !isCache(path));
  if (compiler === undefined) throw new Unavailable(`no ${program} on PATH`);
  const skipped = candidates.slice(0, candidates.indexOf(compiler));
  return { name: compiler, path: realpathSync(compiler), skipped };
}

/** The real path of a part (`cc1plus`, `as`, `ld`). */
export function partOf(compiler: string, name: string): string {
  const path = output(compiler, [`-print-prog-name=${name}`]);
  const found = isAbsolute(path) ? path : onPath(path)[0];
  if (found === undefined) throw new Unavailable(`${compiler} has no ${name}`);
  return realpathSync(found);
}
