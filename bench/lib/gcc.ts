/** Builds the C parts of a benchmark with the machine's gcc, into an ignored folder, when they are out of date. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './service.ts';

const SOURCES = join(ROOT, 'bench', 'baseline');
const BUILT = join(ROOT, '.assay', 'bench');

/** Path of the program built from `bench/baseline/<name>.c`. */
export function buildBaseline(name: string, flags: readonly string[] = []): string {
  const source = join(SOURCES, `${name}.c`);
  const program = join(BUILT, name);
  mkdirSync(BUILT, { recursive: true });
  // A header may have changed.
  const changed = readdirSync(SOURCES).map((file) => statSync(join(SOURCES, file)).mtimeMs);
  const isCurrent = existsSync(program) && statSync(program).mtimeMs > Math.max(...changed);
  if (!isCurrent) execFileSync('gcc', ['-O2', ...flags, '-o', program, source]);
  return program;
}
