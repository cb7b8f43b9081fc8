/**
 * What probes found out about this host's toolchains, handed from one service under test to the next: the answers hold
 * as long as the files they name are what they were, which each service checks for itself (src/catalog/probe-cache.ts).
 * Saves seconds of each start. A file of the project's own work folder; that it is missing or broken is no error.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { projectFile } from './project.ts';

const KNOWN = projectFile('.assay', 'test-catalog.json');
const NAME = 'catalog.json';

interface CatalogFile {
  readonly entries: Readonly<Record<string, unknown>>;
}

async function read(file: string): Promise<CatalogFile> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as CatalogFile;
  } catch {
    return { entries: {} };
  }
}

/** Gives a fresh state folder what earlier services found. */
export async function lendToolchains(stateDir: string): Promise<void> {
  await copyFile(KNOWN, path.join(stateDir, NAME)).catch(() => undefined);
}

/** Keeps what a service that has started found besides. */
export async function keepToolchains(stateDir: string): Promise<void> {
  const [known, found] = await Promise.all([read(KNOWN), read(path.join(stateDir, NAME))]);
  const merged = { ...found, entries: { ...known.entries, ...found.entries } };
  if (JSON.stringify(merged.entries) === JSON.stringify(known.entries)) return;
  const draft = `${KNOWN}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(merged));
  await rename(draft, KNOWN);
}
