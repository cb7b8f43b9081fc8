/**
 * A Python interpreter to compare with: a virtual environment of its own, because a host's site-packages may hold
 * `.pth` hooks that make every start several times slower.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './service.ts';

/** Path of the interpreter; made at the first call. */
export function cleanPython(): string {
  const folder = join(ROOT, '.assay', 'bench', 'python');
  const python = join(folder, 'bin', 'python3');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', '--without-pip', folder]);
  return python;
}
