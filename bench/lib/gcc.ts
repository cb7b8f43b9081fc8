/** Builds the C parts of a benchmark with the machine's gcc, into an ignored folder, when they are out of date. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './service.ts';

const SOURCES = join(ROOT, 'bench', 'baseline');
const BUILT = join(ROOT, '.assay', 'bench');

/** Path of the program built from `bench/baseline/<name>.c`. */
export function buildBaseline(name: string, flags: readonly string[] = []): string {
  const source = join(SOURCES, `${name}.c`);
  const program = join(BUILT, name);
  mkdirSync(BUILT, { recursive: true });
  const isCurrent = existsSync(program) && statSync(program).mtimeMs > statSync(source).mtimeMs;
  if (!isCurrent) execFileSync('gcc', ['-O2', ...flags, '-o', program, source]);
  return program;
}
