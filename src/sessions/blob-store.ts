/**
 * Contents by their digest, each once however many trees have it; a content is there for as long as a tree that is held has
 * it. Bounded: what does not fit is refused whole. Memory only, so that nothing can outlive the service.
 */
import { strict as assert } from 'node:assert';

import type { WorkTree } from './work-tree.ts';

interface Blob {
  readonly content: Uint8Array;
  holders: number;
}

/** Contents that may be new to the store, by digest. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/** What all stores together hold, bytes. */
export class Room {
  readonly bytesMax: number;
  bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }
}

/** One tenant's: nothing tells whether others have the same content. */
export class BlobStore {
  readonly #room: Room;
  readonly #bytesMax: number;
  readonly #blobs = new Map<string, Blob>();
  #bytes = 0;

  constructor(room: Room, bytesMax: number) {
    this.#room = room;
    this.#bytesMax = bytesMax;
  }

  /** Contents, each once, and what trees, logs and the rest take besides. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Holds a tree, whose contents are here or are given. False, and nothing is changed, where there is no room for what is
   * new. `drop` it once for each time.
   */
  hold(tree: WorkTree, given: Contents): boolean {
    const fresh = new Map<string, Uint8Array>();
    for (const node of tree.nodes.values()) {
      if (node.kind !== 'file' || this.#blobs.has(node.digest)) continue;
      const content = given.get(node.digest);
      assert(content?.byteLength === node.bytes, 'a content is missing');
      fresh.set(node.digest, content);
    }
    const added = [...fresh.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (!this.reserve(added + tree.weight)) return false;
    for (const [digest, content] of fresh) this.#blobs.set(digest, { content, holders: 0 });
    for (const node of tree.nodes.values())
      if (node.kind === 'file') this.#of(node.digest).holders += 1;
    return true;
  }

  /** Counts what is no tree. False, and nothing is counted, where there is no room; `release` as much. */
  reserve(bytes: number): boolean {
    const isFull =
      this.#bytes + bytes > this.#bytesMax || this.#room.bytes + bytes > this.#room.bytesMax;
    if (!isFull) this.#count(bytes);
    return !isFull;
  }

  release(bytes: number): void {
    this.#count(-bytes);
  }

  drop(tree: WorkTree): void {
    this.#count(-tree.weight);
    for (const node of tree.nodes.values()) {
      if (node.kind !== 'file') continue;
      const blob = this.#of(node.digest);
      blob.holders -= 1;
      if (blob.holders > 0) continue;
      this.#blobs.delete(node.digest);
      this.#count(-blob.content.byteLength);
    }
  }

  /** Precondition: a tree that is held has it. */
  content(digest: string): Uint8Array {
    return this.#of(digest).content;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#room.bytes += bytes;
  }

  #of(digest: string): Blob {
    const blob = this.#blobs.get(digest);
    assert(blob !== undefined, 'no tree that is held has this content');
    return blob;
  }
}
