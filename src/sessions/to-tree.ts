/** Files with their contents as a tree with its contents: both ways into a session come through here. */
import type { WorkEntry } from '../domain/workspace.ts';
import type { Contents } from './blob-store.ts';
import { digestAll } from './hash.ts';
import { type FileNode, type TreeNode, WorkTree } from './work-tree.ts';

/** A tree of which nothing is held yet; the contents are those that a store may not have. */
export interface Grown {
  readonly tree: WorkTree;
  readonly contents: Contents;
}

/** A file on its way into a tree. */
export interface Given {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode?: number | undefined;
}

const FILE_MODE = 0o644;

/** What a run has left. Precondition: every path's folders are among the entries. */
export async function toTree(entries: readonly WorkEntry[]): Promise<Grown> {
  const files = entries.filter((entry) => entry.kind === 'file');
  const digests = await digestAll(files.map(({ content }) => content));
  const contents = new Map<string, Uint8Array>();
  const nodes = new Map<string, TreeNode>();
  let at = 0;
  for (const { path, ...entry } of entries) {
    if (entry.kind !== 'file') {
      nodes.set(path, entry);
      continue;
    }
    const { kind, mode, mtimeUs, content } = entry;
    const digest = digests[at++] ?? '';
    contents.set(digest, content);
    nodes.set(path, { kind, mode, mtimeUs, digest, bytes: content.byteLength });
  }
  return { tree: new WorkTree(nodes), contents };
}

/** A tree with files put into it, changed now. Throws TreeConflict. */
export async function grow(
  tree: WorkTree,
  files: readonly Given[],
  mtimeUs: number,
): Promise<Grown> {
  const digests = await digestAll(files.map(({ content }) => content));
  const contents = new Map<string, Uint8Array>();
  const nodes = files.map(({ path, content, mode = FILE_MODE }, at): [string, FileNode] => {
    const digest = digests[at] ?? '';
    contents.set(digest, content);
    return [path, { kind: 'file', mode, mtimeUs, digest, bytes: content.byteLength }];
  });
  return { tree: tree.withAll(nodes), contents };
}
