/**
 * Sessions and snapshots: who has which, how many, how much, for how long. A session is a work folder as a value and what
 * may be run in it; nothing of the kernel's stands behind one between two runs, so nothing can be left behind. Knows no
 * jail and no wire; what runs is handed in.
 */
import { randomBytes } from 'node:crypto';

import { Rejection } from '../domain/errors.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { BlobStore, Room, type Contents } from './blob-store.ts';
import {
  KEYS_MAX,
  RETRY_AFTER_MS,
  type Session,
  type SessionBounds,
  type SessionSpec,
  type Snapshot,
  storeFull,
} from './session.ts';
import { StepLog, type StepWhat } from './step-log.ts';
import { WorkTree } from './work-tree.ts';

/** How often what has had its time is looked for, ms. */
const SWEEP_MS = 1000;

export type EndReason = 'destroyed' | 'idle' | 'lifetime' | 'closed';

const NOTHING: Contents = new Map();

/** What a session begins with. */
interface Beginning {
  /** Of which the tree is, if of any. */
  readonly base: Snapshot | null;
  readonly tree: WorkTree;
  /** Those that the tenant's store may not have. */
  readonly contents?: Contents;
}

interface OfTenant {
  readonly store: BlobStore;
  sessions: number;
  snapshots: number;
}

export class Sessions {
  /** What a session of nothing begins with. */
  readonly empty = WorkTree.empty;
  readonly bounds: SessionBounds;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #sessions = new Map<string, Session>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #tenants = new Map<string, OfTenant>();
  readonly #ended: Record<EndReason, number> = { destroyed: 0, idle: 0, lifetime: 0, closed: 0 };
  #created = 0;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(bounds: SessionBounds, clock: Clock) {
    this.bounds = bounds;
    this.#clock = clock;
    this.#room = new Room(bounds.bytes);
  }

  /** Throws Rejection `sessions_full`, `session_store_full`, `draining`. */
  create(
    tenant: string,
    spec: SessionSpec,
    { base, tree, contents = NOTHING }: Beginning,
  ): Session {
    this.#checkOpen();
    const { sessions, sessionsOfTenant } = this.bounds;
    const known = this.#tenants.get(tenant)?.sessions ?? 0;
    if (known >= sessionsOfTenant)
      throw full(`${known} sessions of yours are there, of ${sessionsOfTenant}: destroy some`);
    if (this.#sessions.size >= sessions)
      throw full(`${this.#sessions.size} sessions are there, of ${sessions} in all`);
    const of = this.#ofTenant(tenant);
    if (!of.store.hold(tree, contents)) {
      this.#forget(tenant);
      throw storeFull();
    }
    of.sessions += 1;
    this.#created += 1;
    const now = this.#clock.now();
    const session: Session = {
      ...{ id: newId('ses'), tenant, spec, base, tree, store: of.store },
      log: new StepLog(tree, of.store),
      createdAt: this.#clock.date().getTime(),
      endsAt: now + spec.lifeMs,
      idleSince: now,
      doneKeys: new Set(),
      ...{ seq: 0, execs: 0, cpuMs: 0, isBusy: false, end: new AbortController() },
    };
    this.#sessions.set(session.id, session);
    this.#schedule();
    return session;
  }

  /** Throws `no_such_session` for what is not there, is over, or is another tenant's. */
  get(tenant: string, id: string): Session {
    const session = this.#sessions.get(id);
    if (session?.tenant !== tenant) throw noSuchSession();
    const over = this.#overOf(session);
    if (over === null) return session;
    this.#end(session, over);
    throw noSuchSession();
  }

  /** In the order of their making; those that have all the labels. */
  list(tenant: string, labels: ReadonlyMap<string, string>): readonly Session[] {
    return [...this.#sessions.values()].filter(
      (each) => each.tenant === tenant && hasLabels(each.spec, labels),
    );
  }

  /** It is used. */
  touch(session: Session): void {
    session.idleSince = this.#clock.now();
  }

  destroy(session: Session): void {
    this.#end(session, 'destroyed');
  }

  /** Ms until it ends if it is not used. */
  restMs(session: Session): number {
    return Math.max(0, this.#endOf(session) - this.#clock.now());
  }

  /**
   * Does one thing with a session at a time; others are refused with `session_busy`. What is under way when the session
   * ends is told by `session.end`, and is answered with why it ended.
   */
  async use<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
    if (session.isBusy)
      throw new Rejection('session_busy', {
        detail: 'something is under way in this session; one thing is done at a time',
        retryAfterMs: 100,
      });
    session.isBusy = true;
    try {
      const result = await work();
      session.end.signal.throwIfAborted();
      return result;
    } catch (error) {
      session.end.signal.throwIfAborted();
      throw error;
    } finally {
      session.isBusy = false;
      session.idleSince = this.#clock.now();
    }
  }

  /** The folder is as the snapshot's was. Throws Rejection `too_large`, `session_store_full`. */
  restore(session: Session, snapshot: Snapshot): void {
    const { tree } = snapshot;
    const { diskBytes, entriesMax } = session.spec;
    if (tree.diskBytes > diskBytes || tree.size > entriesMax)
      throw new Rejection('too_large', {
        detail: `the snapshot has ${tree.size} entries of ${entriesMax}, ${tree.diskBytes} bytes of ${diskBytes}`,
      });
    if (!this.commit(session, tree, NOTHING)) throw storeFull();
    session.base = snapshot;
    this.note(session, { kind: 'restore', snapshot: snapshot.id, tree });
  }

  /** Whether the folder is now what is given; it is what it was where there is no room. */
  commit(session: Session, tree: WorkTree, contents: Contents): boolean {
    session.end.signal.throwIfAborted();
    if (!session.store.hold(tree, contents)) return false;
    session.store.drop(session.tree);
    session.tree = tree;
    return true;
  }

  /** Remembers that the step of this key is done. */
  noteKey({ doneKeys }: Session, key: string): void {
    doneKeys.add(key);
    const [oldest] = doneKeys;
    if (doneKeys.size > KEYS_MAX && oldest !== undefined) doneKeys.delete(oldest);
  }

  /** Counts a step and remembers it. */
  note(session: Session, what: StepWhat): number {
    session.seq += 1;
    session.log.add({ seq: session.seq, what, digest: session.tree.digest });
    return session.seq;
  }

  /** Throws `sessions_full`, `session_store_full`. */
  snapshot(session: Session, labels: Readonly<Record<string, string>>): Snapshot {
    this.#checkOpen();
    const { tenant, tree, base, spec, store } = session;
    const of = this.#ofTenant(tenant);
    const { snapshotsOfTenant, lifeMs } = this.bounds;
    if (of.snapshots >= snapshotsOfTenant)
      throw full(
        `${of.snapshots} snapshots of yours are there, of ${snapshotsOfTenant}: delete some`,
      );
    if (!store.hold(tree, new Map())) throw storeFull();
    of.snapshots += 1;
    const parentTree = base?.tree ?? WorkTree.empty;
    const snapshot: Snapshot = {
      ...{ id: newId('snap'), tenant, parent: base?.id ?? null, spec, labels, tree, parentTree },
      newBytes: newBytesOf(tree, parentTree),
      createdAt: this.#clock.date().getTime(),
      endsAt: this.#clock.now() + lifeMs,
    };
    session.base = snapshot;
    this.#snapshots.set(snapshot.id, snapshot);
    return snapshot;
  }

  /** Throws `no_such_snapshot`. */
  getSnapshot(tenant: string, id: string): Snapshot {
    const snapshot = this.#snapshots.get(id);
    if (snapshot?.tenant !== tenant)
      throw new Rejection('no_such_snapshot', { detail: 'no snapshot of yours has this id' });
    return snapshot;
  }

  listSnapshots(tenant: string): readonly Snapshot[] {
    return [...this.#snapshots.values()].filter((each) => each.tenant === tenant);
  }

  /** Sessions and snapshots that were made of it stay as they are. */
  removeSnapshot(snapshot: Snapshot): void {
    if (!this.#snapshots.delete(snapshot.id)) return;
    const of = this.#ofTenant(snapshot.tenant);
    of.snapshots -= 1;
    of.store.drop(snapshot.tree);
    this.#forget(snapshot.tenant);
  }

  stats() {
    return {
      sessions: this.#sessions.size,
      busy: [...this.#sessions.values()].filter(({ isBusy }) => isBusy).length,
      snapshots: this.#snapshots.size,
      bytes: this.#room.bytes,
      created: this.#created,
      ended: { ...this.#ended },
    };
  }

  /** Ends all. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const session of [...this.#sessions.values()]) this.#end(session, 'closed');
    for (const snapshot of [...this.#snapshots.values()]) this.removeSnapshot(snapshot);
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new Rejection('draining', {
        detail: 'the service is stopping',
        retryAfterMs: RETRY_AFTER_MS,
      });
  }

  #end(session: Session, reason: EndReason): void {
    if (!this.#sessions.delete(session.id)) return;
    this.#ended[reason] += 1;
    session.end.abort(
      new Rejection('no_such_session', { detail: `the session has ended: ${reason}` }),
    );
    session.log.close();
    session.store.drop(session.tree);
    this.#ofTenant(session.tenant).sessions -= 1;
    this.#forget(session.tenant);
  }

  #overOf(session: Session): EndReason | null {
    const now = this.#clock.now();
    if (now >= session.endsAt) return 'lifetime';
    return now >= this.#endOf(session) ? 'idle' : null;
  }

  /** A session that is at work is not idle. */
  #endOf({ endsAt, idleSince, isBusy, spec }: Session): number {
    return isBusy ? endsAt : Math.min(endsAt, idleSince + spec.idleMs);
  }

  #ofTenant(tenant: string): OfTenant {
    let of = this.#tenants.get(tenant);
    if (of === undefined) {
      const store = new BlobStore(this.#room, this.bounds.bytesOfTenant);
      of = { store, sessions: 0, snapshots: 0 };
      this.#tenants.set(tenant, of);
    }
    return of;
  }

  #forget(tenant: string): void {
    const of = this.#tenants.get(tenant);
    if (of?.sessions === 0 && of.snapshots === 0) this.#tenants.delete(tenant);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = this.#clock.after(SWEEP_MS, () => {
      this.#timer = null;
      this.#sweep();
      if (this.#sessions.size + this.#snapshots.size > 0) this.#schedule();
    });
  }

  #sweep(): void {
    for (const session of [...this.#sessions.values()]) {
      const over = this.#overOf(session);
      if (over !== null) this.#end(session, over);
    }
    const now = this.#clock.now();
    for (const snapshot of [...this.#snapshots.values()])
      if (now >= snapshot.endsAt) this.removeSnapshot(snapshot);
  }
}

function hasLabels({ labels }: SessionSpec, wanted: ReadonlyMap<string, string>): boolean {
  return [...wanted].every(([name, value]) => labels[name] === value);
}

/** Contents of a tree that another does not have, bytes. */
function newBytesOf(tree: WorkTree, parent: WorkTree): number {
  const known = new Set(
    [...parent.nodes.values()].flatMap((node) => (node.kind === 'file' ? [node.digest] : [])),
  );
  const fresh = new Map(
    [...tree.nodes.values()].flatMap((node): [string, number][] =>
      node.kind === 'file' && !known.has(node.digest) ? [[node.digest, node.bytes]] : [],
    ),
  );
  return [...fresh.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function newId(kind: string): string {
  return `${kind}_${randomBytes(16).toString('hex')}`;
}

function noSuchSession(): Rejection {
  return new Rejection('no_such_session', {
    detail: 'no session of yours has this id; it may have been destroyed or have expired',
  });
}

function full(detail: string): Rejection {
  return new Rejection('sessions_full', { detail, retryAfterMs: RETRY_AFTER_MS });
}
