/**
 * A folder that somebody else packed, read with care: nothing outside it, nothing but regular files, and not more than
 * fits a request. Owns what may be read; knows nothing of what it means.
 */
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../exit-codes.ts';
import { byNumber, toWireFile, type WireFile } from '../tests-file.ts';

const MIB = 1024 * 1024;
/** Bounds of a package; a request has one of its own (`body_mb`). */
export const FOLDER_BOUNDS = {
  fileBytes: 64 * MIB,
  bytes: 256 * MIB,
  entries: 20_000,
  depth: 16,
} as const;

type FolderBounds = { readonly [Name in keyof typeof FOLDER_BOUNDS]: number };

export interface Entry {
  readonly name: string;
  /** Below the root. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Throws UsageError, which names the place, for whatever may not be read. */
export class PackageFolder {
  /** As the caller named it. */
  readonly name: string;
  readonly #root: string;
  readonly #bounds: FolderBounds;
  #bytes = 0;
  #entries = 0;

  private constructor(name: string, root: string, bounds: FolderBounds) {
    this.name = name;
    this.#root = root;
    this.#bounds = bounds;
  }

  static async open(name: string, bounds: FolderBounds = FOLDER_BOUNDS): Promise<PackageFolder> {
    const root = await realpath(name).catch(() => null);
    if (root === null || !(await stat(root)).isDirectory())
      throw new UsageError(`${name}: no such folder`);
    return new PackageFolder(name, root, bounds);
  }

  /** What lies in a folder, hidden files aside, 2 before 10; empty where there is no such folder. */
  async list(folder: string): Promise<readonly Entry[]> {
    const place = await this.#place(folder);
    if (place === null || !(await stat(place)).isDirectory()) return [];
    if (folder.split('/').length > this.#bounds.depth)
      throw this.error(folder, `lies more than ${this.#bounds.depth} folders deep`);
    const names = (await readdir(place)).filter((each) => !each.startsWith('.'));
    this.#entries += names.length;
    if (this.#entries > this.#bounds.entries)
      throw this.error(folder, `there are more than ${this.#bounds.entries} files`);
    const entries: Entry[] = [];
    for (const name of names.toSorted(byNumber)) {
      const below = folder === '' ? name : `${folder}/${name}`;
      const facts = await stat((await this.#place(below)) ?? '').catch(() => null);
      if (facts === null) throw this.error(below, 'is a link to nothing');
      entries.push({ name, path: below, isFolder: facts.isDirectory() });
    }
    return entries;
  }

  /** Names of what lies at the root, whatever it is. */
  async names(): Promise<readonly string[]> {
    return await readdir(this.#root);
  }

  /** All files below a folder, by their paths in it. */
  async files(folder: string): Promise<ReadonlyMap<string, WireFile>> {
    const found = new Map<string, WireFile>();
    const visit = async (at: string): Promise<void> => {
      for (const each of await this.list(at)) {
        if (each.isFolder) await visit(each.path);
        else found.set(each.path.slice(folder.length + 1), await this.wireFile(each.path));
      }
    };
    await visit(folder);
    return found;
  }

  /** The bytes of a file; null where there is none. */
  async bytes(file: string): Promise<Buffer | null> {
    const place = await this.#place(file);
    if (place === null) return null;
    // A FIFO would otherwise be waited for.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    await using handle = await open(place, flags);
    const facts = await handle.stat();
    if (!facts.isFile()) throw this.error(file, 'is no regular file');
    if (facts.size > this.#bounds.fileBytes)
      throw this.error(file, `is larger than ${this.#bounds.fileBytes / MIB} MiB`);
    this.#bytes += facts.size;
    if (this.#bytes > this.#bounds.bytes)
      throw this.error(file, `the package is larger than ${this.#bounds.bytes / MIB} MiB`);
    return await handle.readFile();
  }

  /** A file that is text; null where there is none. */
  async text(file: string): Promise<string | null> {
    const bytes = await this.bytes(file);
    if (bytes === null) return null;
    const wire = toWireFile(bytes);
    if (typeof wire !== 'string') throw this.error(file, 'is no text in UTF-8');
    return wire.replace(/^\uFEFF/, '');
  }

  /** A file as the wire has it. */
  async wireFile(file: string): Promise<WireFile> {
    const bytes = await this.bytes(file);
    if (bytes === null) throw this.error(file, 'is not there');
    return toWireFile(bytes);
  }

  error(file: string, message: string): UsageError {
    return new UsageError(`${path.posix.join(this.name, file)}: ${message}`);
  }

  /** Where a file really lies; null where there is none. Throws for a link that leads out of the package. */
  async #place(file: string): Promise<string | null> {
    const place = await realpath(path.join(this.#root, file)).catch(() => null);
    if (place === null) return null;
    if (place !== this.#root && !place.startsWith(`${this.#root}${path.sep}`))
      throw this.error(file, 'leads out of the package');
    return place;
  }
}
