/** What sessions and snapshots are, what bounds them, and the words for where there is no room. */
import { randomBytes } from 'node:crypto';

import { Rejection } from '../domain/errors.ts';
import type { LimitsRequest } from '../domain/limits.ts';
import type { Submission } from '../domain/submission.ts';
import type { BlobStore } from './blob-store.ts';
import type { StepLog } from './step-log.ts';
import { OBJECT_WEIGHT, weightOfRecord } from './weights.ts';
import type { TreeDiff, WorkTree } from './work-tree.ts';

/** Keys that a session remembers: so many steps are not done twice, whatever became of their answers. */
export const KEYS_MAX = 1000;

/** When to come back where there is no room, ms. */
export const RETRY_AFTER_MS = 5000;

export interface SessionBounds {
  /** Sessions in all, and of one tenant. */
  readonly sessions: number;
  readonly sessionsOfTenant: number;
  /** Snapshots of one tenant. */
  readonly snapshotsOfTenant: number;
  /** Contents of all sessions and snapshots, and of one tenant's. */
  readonly bytes: number;
  readonly bytesOfTenant: number;
  /** Longest that a session may be asked to be kept without use, and in all; snapshots for as long as the latter. */
  readonly idleMs: number;
  readonly lifeMs: number;
}

/** What a session was made as. */
export interface SessionSpec extends Pick<
  Submission,
  'language' | 'environment' | 'wall' | 'env' | 'seed' | 'labels'
> {
  readonly limits: LimitsRequest;
  /** What its work folder may take, bytes of whole pages, and entries. */
  readonly diskBytes: number;
  readonly entriesMax: number;
  readonly idleMs: number;
  readonly lifeMs: number;
}

export interface Session {
  readonly id: string;
  readonly tenant: string;
  readonly spec: SessionSpec;
  /** The snapshot that it was made of, or restored to last. */
  base: Snapshot | null;
  tree: WorkTree;
  readonly store: BlobStore;
  /** Of the store, besides the tree and the log: what it was made as, its base, its keys; bytes. */
  reserved: number;
  readonly log: StepLog;
  readonly createdAt: number;
  /** When it ends whatever is done with it, and since when it is not used; ms of the clock. */
  readonly endsAt: number;
  idleSince: number;
  /** Steps so far. */
  seq: number;
  /** Keys of steps that were done, at most `KEYS_MAX`, the newest ones. */
  readonly doneKeys: Set<string>;
  execs: number;
  cpuMs: number;
  isBusy: boolean;
  /** Aborts with the Rejection that tells what became of it. */
  readonly end: AbortController;
}

export interface Snapshot {
  readonly id: string;
  readonly tenant: string;
  readonly parent: string | null;
  /** As what its session was made. */
  readonly spec: SessionSpec;
  readonly labels: Readonly<Record<string, string>>;
  readonly tree: WorkTree;
  /** From the parent's tree, or from the empty one. */
  readonly diff: TreeDiff;
  /** Of the store, besides the tree; bytes. */
  readonly reserved: number;
  /** What it added to the store, bytes. */
  readonly newBytes: number;
  readonly createdAt: number;
  readonly endsAt: number;
}

/** Of the service's memory, bytes. */
export function weightOfSpec({ env, labels }: SessionSpec): number {
  return OBJECT_WEIGHT + weightOfRecord(env) + weightOfRecord(labels);
}

export function storeFull(): Rejection {
  return new Rejection('session_store_full', {
    detail: 'sessions and snapshots take all the room that there is for their files; destroy some',
    retryAfterMs: RETRY_AFTER_MS,
  });
}

export function full(detail: string): Rejection {
  return new Rejection('sessions_full', { detail, retryAfterMs: RETRY_AFTER_MS });
}

export function newId(kind: 'ses' | 'snap'): string {
  return `${kind}_${randomBytes(16).toString('hex')}`;
}
