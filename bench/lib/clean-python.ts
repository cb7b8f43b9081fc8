/**
 * A Python interpreter to compare with: a virtual environment of its own, because a host's site-packages may hold
 * `.pth` hooks that make every start several times slower.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { onPath } from '../../languages/shared/host.ts';
import { ROOT } from './service.ts';

const SYSTEM_PYTHON = '/usr/bin/python3';

/** Path of an interpreter of this version, or of the first `python3` on PATH; made at the first call. */
export function cleanPython(version?: string): string {
  const folder = join(
    ROOT,
    '.assay',
    'bench',
    `python${version === undefined ? '' : `-${version}`}`,
  );
  const python = join(folder, 'bin', 'python3');
  if (!existsSync(python)) {
    execFileSync(findPython(version), ['-m', 'venv', '--without-pip', folder]);
  }
  return python;
}

function findPython(version: string | undefined): string {
  if (version === undefined) return 'python3';
  const found = [...onPath('python3'), SYSTEM_PYTHON].find((candidate) =>
    execFileSync(candidate, ['--version'], { encoding: 'utf8' }).includes(` ${version}`),
  );
  if (found === undefined) throw new Error(`no python3 on PATH is ${version}`);
  return found;
}
