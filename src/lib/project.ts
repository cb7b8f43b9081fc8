/** Where this checkout's own files are. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** An absolute path below the folder that holds package.json. */
export function projectPath(...parts: readonly string[]): string {
  return path.join(ROOT, ...parts);
}

/** The version in package.json. */
export function projectVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed;
  return version && typeof parsed.version === 'string' ? parsed.version : '0.0.0';
}
