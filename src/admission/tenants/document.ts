/**
 * Where the directory of tenants is kept: the port, and its two implementations. Both hold one text, and both replace it
 * only where it is still what was read, so that of two changes at once none is lost.
 */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { TENANT_BOUNDS } from '../../domain/tenant.ts';
import type { Clock } from '../../lib/clock.ts';
import { runScript, toScript, type Connection } from '../redis/connection.ts';

export interface TenantDocument {
  /** In words, for messages. */
  readonly place: string;
  /** Null where there is none. */
  read(): Promise<string | null>;
  /** False where it is no longer `from`. */
  replace(from: string | null, to: string): Promise<boolean>;
}

const LOCK_TRIES = 50;
const LOCK_STEP_MS = 100;

/** A file that only its owner may read. A change is whole or not there at all. */
export function fileDocument(file: string, clock: Clock): TenantDocument {
  const lock = `${file}.lock`;
  const read = async (): Promise<string | null> => {
    const found = await stat(file).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (found === null) return null;
    if (found.size > TENANT_BOUNDS.documentBytes) throw new Error('it is too large');
    return await readFile(file, 'utf8');
  };
  return {
    place: file,
    read,
    async replace(from, to) {
      await mkdir(path.dirname(file), { recursive: true });
      await using _ = await lockFile(lock, clock);
      if ((await read()) !== from) return false;
      const next = `${file}.next`;
      await using handle = await open(next, 'w', 0o600);
      await handle.writeFile(to);
      await handle.sync();
      await rename(next, file);
      return true;
    },
  };
}

async function lockFile(lock: string, clock: Clock): Promise<AsyncDisposable> {
  for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
    const handle = await open(lock, 'wx').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
      throw error;
    });
    if (handle !== null) {
      await handle.close();
      return { [Symbol.asyncDispose]: async () => await rm(lock, { force: true }) };
    }
    await clock.sleep(LOCK_STEP_MS);
  }
  throw new Error(`somebody else is changing it; if not, delete ${lock}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const KEY = 'assay:tenants';

// KEYS 1 the document; ARGV 1 what it was, 2 '1' where there was one, 3 what it is to be.
const REPLACE = toScript(`
local was = redis.call('GET', KEYS[1])
if (ARGV[2] == '1') ~= (was and true or false) then return 0 end
if was and was ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[3])
return 1
`);

/** One value of Redis, shared by all replicas. */
export function redisDocument(connection: Connection): TenantDocument {
  return {
    place: `key ${KEY} of Redis`,
    read: async () => await connection.ask(async (client) => await client.get(KEY)),
    async replace(from, to) {
      const args = [from ?? '', from === null ? '0' : '1', to];
      return (await runScript(connection, REPLACE, [KEY], args)) === 1;
    },
  };
}

const EDIT_TRIES = 5;

/** Reads, changes and writes; reads anew where somebody else was quicker. Throws what `edit` throws. */
export async function editDocument(
  document: TenantDocument,
  edit: (text: string | null) => string,
): Promise<void> {
  for (let tries = 0; tries < EDIT_TRIES; tries += 1) {
    const from = await document.read();
    if (await document.replace(from, edit(from))) return;
  }
  throw new Error('it changes all the time; try again');
}
