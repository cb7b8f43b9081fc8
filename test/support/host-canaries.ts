/**
 * What no submission may change although it is nobody's jail: files that were laid out for it, the host's own, its clock,
 * its keys and the service's limits. One value that can be compared; it knows nothing of walls.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { temporaryFolder } from './service.ts';

export interface Canaries extends AsyncDisposable {
  /** The folder of those that were laid out, and the text in each of them. */
  readonly folder: string;
  readonly text: string;
  /** All of them as they are now, as lines. */
  look(): readonly string[];
}

/** Ids from here on belong to jails (deploy/host-setup.md). */
const JAIL_IDS_FROM = 100_000;
/** A clock that is set jumps by more; one that is disciplined drifts by less. */
const CLOCK_STEP_MS = 2000;
const HOST_FILES = ['/etc/passwd', '/etc/group', '/etc/hosts', '/etc/resolv.conf'];
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/run/lock'];

/** Lays canaries out for a service. `text` is in every file; it is secret. */
export async function layCanaries(service: number, text: string): Promise<Canaries> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'below'));
  const own = ['canary', 'expected_output', 'below/canary'].map((name) => path.join(folder, name));
  for (const file of own) await writeFile(file, text);
  const offset = clockOffset();
  return {
    folder,
    text,
    look: () => [
      ...[...own, ...HOST_FILES].map(fileFacts),
      `names ${readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted().join(' ')}`,
      `limits ${readFileSync(`/proc/${service}/limits`, 'utf8')}`,
      `keys ${keysOfJails()}`,
      `files of jails ${filesOfJails().join(' ')}`,
      `clock steps ${Math.round((clockOffset() - offset) / CLOCK_STEP_MS)}`,
    ],
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

function fileFacts(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return `${file} is not there`;
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  return [file, stat.mode, stat.uid, stat.gid, stat.nlink, stat.mtimeMs, digest].join(' ');
}

/** The wall clock less the one that nobody can set, ms. */
function clockOffset(): number {
  return Date.now() - performance.now();
}

/** How many keys the kernel holds for ids of jails. */
function keysOfJails(): string {
  const lines = readFileSync('/proc/key-users', 'utf8').split('\n');
  return lines.filter((line) => Number.parseInt(line, 10) >= JAIL_IDS_FROM).join(';');
}

/** What lies in folders that everybody may write to and belongs to an id of a jail. */
function filesOfJails(): readonly string[] {
  return SHARED_FOLDERS.flatMap((folder) =>
    listed(folder)
      .map((name) => path.join(folder, name))
      .filter((file) => (statSync(file, { throwIfNoEntry: false })?.uid ?? 0) >= JAIL_IDS_FROM),
  );
}

function listed(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder)
    : [];
}
