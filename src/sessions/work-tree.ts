/**
 * A work folder as a value: names, modes, links, and contents by their digest. Never changed; what changes is another one.
 * Its own digest is over the sorted entries and says nothing of times, so that the same steps give the same digest. Pure.
 */
import { createHash } from 'node:crypto';

import { OBJECT_WEIGHT, weightOfTexts } from './weights.ts';

const PAGE_BYTES = 4096;
const FOLDER_MODE = 0o755;

export interface FileNode {
  readonly kind: 'file';
  readonly mode: number;
  readonly mtimeUs: number;
  /** Of its content, SHA-256 in hex. */
  readonly digest: string;
  readonly bytes: number;
}

export type TreeNode =
  | FileNode
  | { readonly kind: 'folder'; readonly mode: number; readonly mtimeUs: number }
  | { readonly kind: 'link'; readonly target: string; readonly mtimeUs: number };

/** What one tree has that another has not, paths in order. */
export interface TreeDiff {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Why a path cannot be put where it is to lie. */
export class TreeConflict extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.name = 'TreeConflict';
    this.path = path;
  }
}

export class WorkTree {
  static readonly empty = new WorkTree(new Map());
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** What it takes of a file system: whole pages. */
  readonly diskBytes: number;
  /** What it takes of the service's memory, contents left out: names and targets are as long as a program makes them. */
  readonly weight: number;
  #digest: string | null = null;
  #paths: readonly string[] | null = null;

  /** Precondition: every path's folders are among the nodes. */
  constructor(nodes: ReadonlyMap<string, TreeNode>) {
    this.nodes = nodes;
    let [disk, weight] = [0, OBJECT_WEIGHT];
    for (const [path, node] of nodes) {
      disk += diskOf(node);
      weight += OBJECT_WEIGHT + weightOfTexts(node.kind === 'link' ? [path, node.target] : [path]);
    }
    this.diskBytes = disk;
    this.weight = weight;
  }

  get size(): number {
    return this.nodes.size;
  }

  /** `sha256:…` over sorted paths with kinds, modes, contents and targets. */
  get digest(): string {
    this.#digest ??= `sha256:${this.#hash()}`;
    return this.#digest;
  }

  /** Paths in the order of their bytes. */
  paths(): readonly string[] {
    this.#paths ??= inOrderOfBytes(this.nodes.keys());
    return this.#paths;
  }

  #hash(): string {
    const hash = createHash('sha256');
    for (const path of this.paths()) {
      const node = this.nodes.get(path);
      if (node !== undefined) hash.update(lineOf(path, node));
    }
    return hash.digest('hex');
  }

  /** With files at their paths, in the place of what file or link was there, and their folders. Throws TreeConflict. */
  withAll(files: Iterable<readonly [string, FileNode]>): WorkTree {
    const nodes = new Map(this.nodes);
    for (const [path, file] of files) {
      for (const folder of foldersOf(path)) {
        const there = nodes.get(folder);
        if (there === undefined)
          nodes.set(folder, { kind: 'folder', mode: FOLDER_MODE, mtimeUs: file.mtimeUs });
        else if (there.kind !== 'folder')
          throw new TreeConflict(path, `a part of it is a ${there.kind}`);
      }
      if (nodes.get(path)?.kind === 'folder') throw new TreeConflict(path, 'it is a folder');
      nodes.set(path, file);
    }
    return new WorkTree(nodes);
  }

  withFile(path: string, file: FileNode): WorkTree {
    return this.withAll([[path, file]]);
  }

  /** Without the path and all below it; the tree itself where it is not there. */
  without(path: string): WorkTree {
    if (!this.nodes.has(path)) return this;
    const below = `${path}/`;
    return new WorkTree(
      new Map([...this.nodes].filter(([each]) => each !== path && !each.startsWith(below))),
    );
  }

  /** Times do not count. */
  diffFrom(base: WorkTree): TreeDiff {
    const added: string[] = [];
    const changed: string[] = [];
    for (const path of this.paths()) {
      const before = base.nodes.get(path);
      const now = this.nodes.get(path);
      if (before === undefined) added.push(path);
      else if (now !== undefined && lineOf(path, before) !== lineOf(path, now)) changed.push(path);
    }
    const removed = base.paths().filter((path) => !this.nodes.has(path));
    return { added, changed, removed };
  }
}

function diskOf(node: TreeNode): number {
  if (node.kind === 'file') return Math.ceil(node.bytes / PAGE_BYTES) * PAGE_BYTES;
  // The kernel keeps a long target in a page of its own.
  return node.kind === 'link' ? PAGE_BYTES : 0;
}

/** Unambiguous: JSON escapes what a name may hold. */
function lineOf(path: string, node: TreeNode): string {
  const what = node.kind === 'file' ? node.digest : node.kind === 'link' ? node.target : null;
  const mode = node.kind === 'link' ? null : node.mode;
  return `${JSON.stringify([path, node.kind, mode, what])}\n`;
}

function inOrderOfBytes(paths: Iterable<string>): string[] {
  return [...paths]
    .map((path) => ({ path, bytes: Buffer.from(path, 'utf8') }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ path }) => path);
}

/** The folders that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    folders.push(path.slice(0, at));
  return folders;
}
