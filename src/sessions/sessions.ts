/**
 * Sessions and snapshots: who has which, how many, how much, for how long. A session is a work folder as a value and what
 * may be run in it; nothing of the kernel's stands behind one between two runs, so nothing can be left behind. Knows no
 * jail and no wire; what runs is handed in.
 */
import { Rejection } from '../domain/errors.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { Room, type Contents } from './blob-store.ts';
import { rebase, weightOfBase } from './reserve.ts';
import {
  full,
  newId,
  RETRY_AFTER_MS,
  type Session,
  type SessionBounds,
  type SessionSpec,
  type Snapshot,
  storeFull,
  weightOfSpec,
} from './session.ts';
import { Snapshots } from './snapshots.ts';
import { StepLog, type StepWhat } from './step-log.ts';
import { Tenants } from './tenants.ts';
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

export class Sessions {
  /** What a session of nothing begins with. */
  readonly empty = WorkTree.empty;
  readonly bounds: SessionBounds;
  readonly snapshots: Snapshots;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #sessions = new Map<string, Session>();
  readonly #tenants: Tenants;
  readonly #ended: Record<EndReason, number> = { destroyed: 0, idle: 0, lifetime: 0, closed: 0 };
  #created = 0;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(bounds: SessionBounds, clock: Clock) {
    this.bounds = bounds;
    this.#clock = clock;
    this.#room = new Room(bounds.bytes);
    this.#tenants = new Tenants(this.#room, bounds.bytesOfTenant);
    this.snapshots = new Snapshots(bounds, { clock, tenants: this.#tenants });
  }

  /** Throws Rejection `sessions_full`, `session_store_full`, `draining`, `no_such_snapshot` for a base that is gone. */
  create(
    tenant: string,
    spec: SessionSpec,
    { base, tree, contents = NOTHING }: Beginning,
  ): Session {
    this.#checkOpen();
    if (base !== null) this.snapshots.check(base);
    const { sessions, sessionsOfTenant } = this.bounds;
    const known = this.#tenants.sessionsOf(tenant);
    if (known >= sessionsOfTenant)
      throw full(`${known} sessions of yours are there, of ${sessionsOfTenant}: destroy some`);
    if (this.#sessions.size >= sessions)
      throw full(`${this.#sessions.size} sessions are there, of ${sessions} in all`);
    const of = this.#tenants.of(tenant);
    const reserved = weightOfSpec(spec) + weightOfBase(base);
    const isReserved = of.store.reserve(reserved);
    if (!isReserved || !of.store.hold(tree, contents)) {
      if (isReserved) of.store.release(reserved);
      this.#tenants.forget(tenant);
      throw storeFull();
    }
    of.sessions += 1;
    this.#created += 1;
    const now = this.#clock.now();
    const session: Session = {
      ...{ id: newId('ses'), tenant, spec, base, tree, store: of.store, reserved },
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
    session.end.signal.throwIfAborted();
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

  /** The folder is as the snapshot's was. Throws Rejection `too_large`, `session_store_full`, `no_such_snapshot`. */
  restore(session: Session, snapshot: Snapshot): void {
    this.snapshots.check(snapshot);
    const { base } = session;
    const { tree } = snapshot;
    const { diskBytes, entriesMax } = session.spec;
    if (tree.diskBytes > diskBytes || tree.size > entriesMax)
      throw new Rejection('too_large', {
        detail: `the snapshot has ${tree.size} entries of ${entriesMax}, ${tree.diskBytes} bytes of ${diskBytes}`,
      });
    if (!rebase(session, snapshot)) throw storeFull();
    if (!this.commit(session, tree, NOTHING)) {
      rebase(session, base);
      throw storeFull();
    }
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

  /** Counts a step and remembers it. */
  note(session: Session, what: StepWhat): number {
    session.seq += 1;
    session.log.add({ seq: session.seq, what, digest: session.tree.digest });
    return session.seq;
  }

  stats() {
    return {
      sessions: this.#sessions.size,
      busy: [...this.#sessions.values()].filter(({ isBusy }) => isBusy).length,
      snapshots: this.snapshots.size,
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
    this.snapshots.close();
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
    session.store.release(session.reserved);
    this.#tenants.of(session.tenant).sessions -= 1;
    this.#tenants.forget(session.tenant);
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

  #schedule(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = this.#clock.after(SWEEP_MS, () => {
      this.#timer = null;
      this.#sweep();
      if (this.#sessions.size + this.snapshots.size > 0) this.#schedule();
    });
  }

  #sweep(): void {
    for (const session of [...this.#sessions.values()]) {
      const over = this.#overOf(session);
      if (over !== null) this.#end(session, over);
    }
    this.snapshots.sweep();
  }
}

function hasLabels({ labels }: SessionSpec, wanted: ReadonlyMap<string, string>): boolean {
  return [...wanted].every(([name, value]) => labels[name] === value);
}

function noSuchSession(): Rejection {
  return new Rejection('no_such_session', {
    detail: 'no session of yours has this id; it may have been destroyed or have expired',
  });
}
