/**
 * Builds on disk: one file each, in a folder of its own, within a budget of bytes; the least recently used goes first.
 * Files come whole or not at all (written aside, then renamed) and are believed only with their digest. A disk that
 * fails costs compile time and nothing else. Several services may share a folder; each keeps to the budget by what it
 * knows of.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';
import { isDeadInstance, newInstanceName } from '../../sandbox/instance.ts';
import { type Build, decodeEntry, encodeEntry } from './entry.ts';

export interface ArtefactStoreOptions {
  readonly folder: string;
  /** Budget of all files together. */
  readonly bytesMax: number;
  readonly clock: Clock;
  /** Entries at most, which bounds the index in memory. */
  readonly entriesMax?: number;
}

export interface ArtefactStoreStats {
  readonly entries: number;
  readonly bytes: number;
  readonly bytesMax: number;
  /** Entries that went to make room. */
  readonly evicted: number;
  /** Files that were not what was written. */
  readonly corrupt: number;
  /** Builds that could not be written. */
  readonly writeFailures: number;
}

interface IndexEntry {
  readonly bytes: number;
  /** When the file's own time was set, ms of the clock. */
  touchedAt: number;
}

const ENTRIES_MAX = 20_000;
/** `<64 hex digits>` is an entry, `<instance>.<n>.tmp` one that is being written. */
const ENTRY_NAME = /^[0-9a-f]{64}$/;
/** The order after a restart is this exact. */
const TOUCH_MS = 60_000;
const STATS_AT_ONCE = 64;

export class ArtefactStore {
  readonly #options: Required<ArtefactStoreOptions>;
  readonly #instance: string;
  /** Least recently used first. */
  readonly #index = new Map<string, IndexEntry>();
  #bytes = 0;
  /** Of files that are being written. */
  #reserved = 0;
  #writes = 0;
  #evicted = 0;
  #corrupt = 0;
  #writeFailures = 0;

  private constructor(options: Required<ArtefactStoreOptions>, instance: string) {
    this.#options = options;
    this.#instance = instance;
  }

  /** Reads the folder, made when missing: keeps the entries, removes what a crash left half-written. */
  static async open(options: ArtefactStoreOptions): Promise<ArtefactStore> {
    const store = new ArtefactStore(
      { entriesMax: ENTRIES_MAX, ...options },
      await newInstanceName(),
    );
    await store.#load();
    return store;
  }

  /** The build of a key, or null. A file that is not what was written is removed. */
  async get(key: string): Promise<Build | null> {
    const entry = this.#index.get(key);
    if (entry === undefined) return null;
    const bytes = await this.#read(key);
    const build = bytes === null ? null : await decodeEntry(key, bytes);
    if (build === null) {
      if (bytes !== null) this.#corrupt += 1;
      await this.#remove(key);
      return null;
    }
    // It may be gone by now, to make room.
    if (this.#index.delete(key)) this.#index.set(key, entry);
    await this.#touch(key, entry);
    return build;
  }

  /** Keeps a build if it fits the budget. Never rejects. Precondition: `isStorable(build)`. */
  async put(key: string, build: Build): Promise<void> {
    const bytes = await encodeEntry(key, build);
    if (!this.#reserve(bytes.length)) return;
    this.#writes += 1;
    const draft = join(this.#options.folder, `${this.#instance}.${this.#writes}.tmp`);
    try {
      await this.#makeRoom();
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path(key));
      this.#add(key, bytes.length);
    } catch {
      // A full or read-only disk: the next one compiles again, and the count tells the operator.
      this.#writeFailures += 1;
      await rm(draft, { force: true }).catch(() => undefined);
    } finally {
      this.#reserved -= bytes.length;
    }
  }

  stats(): ArtefactStoreStats {
    return {
      entries: this.#index.size,
      bytes: this.#bytes,
      bytesMax: this.#options.bytesMax,
      evicted: this.#evicted,
      corrupt: this.#corrupt,
      writeFailures: this.#writeFailures,
    };
  }

  async #load(): Promise<void> {
    const { folder, clock } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: { key: string; bytes: number; usedAt: number }[] = [];
    const names = await readdir(folder);
    for (let i = 0; i < names.length; i += STATS_AT_ONCE) {
      const some = names.slice(i, i + STATS_AT_ONCE).map(async (name) => {
        if (!ENTRY_NAME.test(name)) return await this.#sweep(name);
        const { size, mtimeMs } = await stat(join(folder, name));
        found.push({ key: name, bytes: size, usedAt: mtimeMs });
      });
      // Another service may remove files meanwhile.
      await Promise.allSettled(some);
    }
    found.sort((a, b) => a.usedAt - b.usedAt);
    for (const { key, bytes } of found) this.#add(key, bytes, clock.now());
    await this.#makeRoom();
  }

  /** Removes a draft of a service that has ended. */
  async #sweep(name: string): Promise<void> {
    const isLeft = name.endsWith('.tmp') && (await isDeadInstance(name.split('.', 1)[0] ?? ''));
    if (isLeft) await rm(join(this.#options.folder, name), { force: true });
  }

  async #read(key: string): Promise<Buffer<ArrayBuffer> | null> {
    try {
      return await readFile(this.#path(key));
    } catch {
      // Another service made room, or the disk fails: compiling answers both.
      return null;
    }
  }

  async #touch(key: string, entry: IndexEntry): Promise<void> {
    const { clock } = this.#options;
    if (clock.now() - entry.touchedAt < TOUCH_MS) return;
    entry.touchedAt = clock.now();
    const date = clock.date();
    // Only the order after a restart depends on it.
    await utimes(this.#path(key), date, date).catch(() => undefined);
  }

  #add(key: string, bytes: number, touchedAt = this.#options.clock.now()): void {
    this.#forget(key);
    this.#index.set(key, { bytes, touchedAt });
    this.#bytes += bytes;
  }

  #forget(key: string): void {
    this.#bytes -= this.#index.get(key)?.bytes ?? 0;
    this.#index.delete(key);
  }

  async #remove(key: string): Promise<void> {
    this.#forget(key);
    await rm(this.#path(key), { force: true }).catch(() => undefined);
  }

  /** Claims room for a file before it is written; false when it cannot fit beside those being written. */
  #reserve(bytes: number): boolean {
    if (this.#reserved + bytes > this.#options.bytesMax) return false;
    this.#reserved += bytes;
    return true;
  }

  async #makeRoom(): Promise<void> {
    const { bytesMax, entriesMax } = this.#options;
    const isOver = (): boolean =>
      this.#bytes + this.#reserved > bytesMax || this.#index.size > entriesMax - 1;
    for (const key of this.#index.keys()) {
      if (!isOver()) return;
      this.#evicted += 1;
      await this.#remove(key);
    }
  }

  #path(key: string): string {
    return join(this.#options.folder, key);
  }
}
