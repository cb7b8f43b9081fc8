/**
 * Holds the imports of src/ to the import table. Tests beside the code are free: they arrange with whatever they
 * need.
 */
import { posix } from 'node:path';

import { COMPOSITION, IMPORT_TABLE, SPAWNERS } from './import-table.ts';
import { isProduct, type Source } from './source.ts';

/** What is wrong with the file's imports, one line each, empty when nothing is. */
export function checkImports(source: Source): string[] {
  if (!isProduct(source.path)) return [];
  return source.imports.flatMap(({ specifier, line, names }) => {
    const at = `${source.path}:${line}`;
    if (/^(?:node:)?child_process$/.test(specifier)) return spawnFindings(source.path, at, names);
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(source.path), specifier);
    if (!target.startsWith('src/')) return [`${at} imports ${target}, which is outside src/`];
    return mayImport(source.path, target) ? [] : [`${at} may not import ${target}`];
  });
}

/** Whether the import table lets the file `from` import the file `target`; both begin with `src/`. */
export function mayImport(from: string, target: string): boolean {
  if (isWithin(from, COMPOSITION)) return true;
  if (isWithin(target, COMPOSITION)) return false;
  const folder = ruledFolder(from);
  return folder !== null && isWithin(target, [folder, ...(IMPORT_TABLE[folder]?.may ?? [])]);
}

/** Folders of src/ that the table does not know, among the folders of these files. */
export function unknownFolders(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => path.startsWith('src/') && !isWithin(path, COMPOSITION))
    .filter((path) => ruledFolder(path) === null)
    .map((path) => path.split('/')[1] ?? '');
  return [...new Set(folders)];
}

/** The folder of the import table that rules a file: the longest that fits. */
function ruledFolder(path: string): string | null {
  const fitting = Object.keys(IMPORT_TABLE).filter((folder) => isWithin(path, [folder]));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** Whether a path of the repository is, or lies in, one of these paths below src/. */
function isWithin(path: string, entries: readonly string[]): boolean {
  return entries.some((entry) => path === `src/${entry}` || path.startsWith(`src/${entry}/`));
}

function spawnFindings(path: string, at: string, names: readonly string[]): string[] {
  if (!Object.keys(SPAWNERS).some((prefix) => path.startsWith(prefix))) {
    return [`${at} starts processes; only ${Object.keys(SPAWNERS).join(', ')} may`];
  }
  const unsafe = names.filter((name) => ['exec', 'execSync', '*', 'default'].includes(name));
  return unsafe.map((name) => `${at} imports ${name} of child_process: argv arrays only`);
}
