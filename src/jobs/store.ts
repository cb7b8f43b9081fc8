/**
 * The port of jobs: where items of large batches wait, and their results are kept, while their callers are away. One contract
 * suite (store-contract.ts) holds every back end to it. An item is claimed under a lease that its worker renews, so what a
 * dead worker held is claimed again; a result counts once, however often its item was judged.
 */
import type { Payer } from '../domain/tenant.ts';

/**
 * `receiving`: its items are still coming; `running`: they wait or are judged; `done`: each has a result; `cancelled`: what
 * had no result by then gets none.
 */
type JobState = 'receiving' | 'running' | 'done' | 'cancelled';

export interface Job {
  readonly id: string;
  readonly payer: Payer;
  readonly state: JobState;
  /** Items that have come. */
  readonly total: number;
  /** Of the items as they came. */
  readonly bytes: number;
  readonly counts: JobCounts;
  /** Wall clock, ms; null for what has not been. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Items with a result; `done` is all of them. */
interface JobCounts {
  readonly done: number;
  readonly accepted: number;
  /** Failures of ours, after all tries. */
  readonly faults: number;
  /** Items that nobody could judge. */
  readonly rejected: number;
}

export interface NewItem {
  /** From 1, in the order of the request. */
  readonly line: number;
  /** A judge request as JSON. */
  readonly body: string;
}

/** An item that one worker has for as long as its lease is renewed. */
export interface Claim {
  readonly job: string;
  readonly payer: Payer;
  readonly line: number;
  readonly body: string;
  /** Tries before this one that ended in a fault. */
  readonly faults: number;
  /** The back end's own name for the claim. */
  readonly token: string;
}

export type ItemKind = 'accepted' | 'failed' | 'fault' | 'rejected';

export interface ItemResult {
  readonly kind: ItemKind;
  /** The line that callers read. */
  readonly json: string;
}

export interface ResultPage {
  readonly results: readonly string[];
  /** Behind the last of them; where nothing came, what was asked with. */
  readonly cursor: number;
  /** Whether nothing is behind it by now. */
  readonly isEnd: boolean;
}

/** Where a page begins, and how much it has at most: results, and UTF-16 units of all but the last. */
export interface PageQuery {
  /** 0 for the beginning. */
  readonly cursor: number;
  readonly limit: number;
  readonly chars: number;
}

export interface ClaimOptions {
  /** Tenants that are passed over. */
  readonly except: ReadonlySet<string>;
}

export const NO_EXCEPTION: ClaimOptions = { except: new Set() };

export interface JobStore {
  /** Begins a job in `receiving`. */
  create(job: { readonly id: string; readonly payer: Payer }): Promise<void>;
  /** Adds items to a job that is `receiving`. */
  add(id: string, items: readonly NewItem[]): Promise<void>;
  /** All items are there: the job may be worked on, and survives a crash from here on. */
  seal(id: string): Promise<void>;
  /** Of any tenant; null for none. */
  get(id: string): Promise<Job | null>;
  /** Newest first. */
  list(tenant: string): Promise<readonly Job[]>;
  /** Ends a job that has not ended. */
  cancel(id: string): Promise<void>;
  /** Forgets a job with its items and results. */
  remove(id: string): Promise<void>;
  /** The next item that may be judged, tenants and their jobs in turn; null for none. */
  claim(options?: ClaimOptions): Promise<Claim | null>;
  /** Keeps claims for another lease. */
  renew(claims: readonly Claim[]): Promise<void>;
  /** Gives an item back: to be judged after `delayMs`, with one fault more or not. */
  putBack(
    claim: Claim,
    how: { readonly delayMs: number; readonly isFault: boolean },
  ): Promise<void>;
  /** Keeps the result, unless the item has one or its job has ended. */
  complete(claim: Claim, result: ItemResult): Promise<void>;
  /** Results in the order in which they came. */
  results(id: string, query: PageQuery): Promise<ResultPage>;
  /** Bytes that items and results take, roughly: of all, or of a tenant's jobs. */
  bytes(tenant?: string): Promise<number>;
  /** Forgets jobs that ended before a time, and those that began before another and never came whole. */
  sweep(before: { readonly ended: number; readonly begun: number }): Promise<void>;
  close(): Promise<void>;
}

/** For how long a claim is kept without being renewed, ms. */
export const LEASE_MS = 4000;
