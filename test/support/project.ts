/** Where the project's files lie, for tests that start it from outside or read its data. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Path of a file of the project. */
export function projectFile(...parts: readonly string[]): string {
  return path.join(PROJECT_ROOT, ...parts);
}

/** Text of a file of the project. */
export function readProjectFile(...parts: readonly string[]): string {
  return readFileSync(projectFile(...parts), 'utf8');
}
