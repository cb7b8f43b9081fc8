/**
 * What was done with a session, in order, so that it can be done again: each step with the digest that it led to. Holds
 * what a replay needs, within bounds; a log that grew beyond them says so and is no longer kept.
 */
import type { BlobStore } from './blob-store.ts';
import { OBJECT_WEIGHT, weightOfTexts } from './weights.ts';
import { WorkTree, type FileNode } from './work-tree.ts';

export type StepWhat =
  | { readonly kind: 'exec'; readonly request: unknown }
  | { readonly kind: 'put'; readonly path: string; readonly file: FileNode }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'restore'; readonly snapshot: string; readonly tree: WorkTree };

export interface Step {
  /** From 1. */
  readonly seq: number;
  readonly what: StepWhat;
  /** Of the work folder after it. */
  readonly digest: string;
}

/** Requests in the bytes of their JSON. */
export const LOG_BOUNDS = { steps: 1000, requestBytes: 1024 * 1024 } as const;

export class StepLog {
  /** What the session began with. */
  readonly origin: WorkTree;
  readonly #store: BlobStore;
  readonly #held: WorkTree[] = [];
  readonly steps: Step[] = [];
  #requestBytes = 0;
  /** What the steps take besides trees. */
  #weight = 0;
  #isComplete = true;

  /** Precondition: the caller holds the origin, or there is room for it. */
  constructor(origin: WorkTree, store: BlobStore) {
    this.origin = origin;
    this.#store = store;
    this.#isComplete = this.#hold(origin);
  }

  /** Whether all steps are here. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Precondition: contents that the step names are held by the session. */
  add(step: Step): void {
    if (!this.#isComplete) return;
    const request = step.what.kind === 'exec' ? JSON.stringify(step.what.request) : '';
    this.#requestBytes += Buffer.byteLength(request);
    const isOver =
      this.steps.length >= LOG_BOUNDS.steps || this.#requestBytes > LOG_BOUNDS.requestBytes;
    const path = 'path' in step.what ? step.what.path : '';
    const weight = OBJECT_WEIGHT + weightOfTexts([request, path, step.digest]);
    if (isOver || !this.#reserve(weight) || !this.#holdOf(step.what)) this.close();
    else this.steps.push(step);
  }

  #reserve(weight: number): boolean {
    const isReserved = this.#store.reserve(weight);
    if (isReserved) this.#weight += weight;
    return isReserved;
  }

  /** Gives up what it holds. Idempotent. */
  close(): void {
    this.#isComplete = false;
    this.steps.length = 0;
    this.#store.release(this.#weight);
    this.#weight = 0;
    for (const tree of this.#held.splice(0)) this.#store.drop(tree);
  }

  #holdOf(what: StepWhat): boolean {
    if (what.kind === 'put') return this.#hold(new WorkTree(new Map([[what.path, what.file]])));
    return what.kind === 'restore' ? this.#hold(what.tree) : true;
  }

  #hold(tree: WorkTree): boolean {
    const isHeld = this.#store.hold(tree, new Map());
    if (isHeld) this.#held.push(tree);
    return isHeld;
  }
}
