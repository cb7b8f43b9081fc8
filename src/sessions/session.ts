/** What sessions and snapshots are, and what bounds them. Types only, and the word for a full store. */
import { Rejection } from '../domain/errors.ts';
import type { LimitsRequest } from '../domain/limits.ts';
import type { Submission } from '../domain/submission.ts';
import type { BlobStore } from './blob-store.ts';
import type { StepLog } from './step-log.ts';
import type { WorkTree } from './work-tree.ts';

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
  /** What the parent's tree was. */
  readonly parentTree: WorkTree;
  /** What it added to the store, bytes. */
  readonly newBytes: number;
  readonly createdAt: number;
  readonly endsAt: number;
}

export function storeFull(): Rejection {
  return new Rejection('session_store_full', {
    detail: 'sessions and snapshots take all the room that there is for their files; destroy some',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
