/** Snapshots of work folders: who has which, how many, for how long. */
import { Rejection } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Contents } from './blob-store.ts';
import { rebase } from './reserve.ts';
import {
  full,
  newId,
  type Session,
  type SessionBounds,
  type Snapshot,
  storeFull,
  weightOfSpec,
} from './session.ts';
import type { Tenants } from './tenants.ts';
import { weightOfRecord, weightOfTexts } from './weights.ts';
import { WorkTree } from './work-tree.ts';

const NOTHING: Contents = new Map();

export class Snapshots {
  readonly #bounds: SessionBounds;
  readonly #clock: Clock;
  readonly #tenants: Tenants;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(
    bounds: SessionBounds,
    { clock, tenants }: { readonly clock: Clock; readonly tenants: Tenants },
  ) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tenants = tenants;
  }

  get size(): number {
    return this.#snapshots.size;
  }

  /** Throws `sessions_full`, `session_store_full`. */
  take(session: Session, labels: Readonly<Record<string, string>>): Snapshot {
    session.end.signal.throwIfAborted();
    const { tenant, tree, base, spec, store } = session;
    const of = this.#tenants.of(tenant);
    const { snapshotsOfTenant, lifeMs } = this.#bounds;
    if (of.snapshots >= snapshotsOfTenant)
      throw full(
        `${of.snapshots} snapshots of yours are there, of ${snapshotsOfTenant}: delete some`,
      );
    const parentTree = base?.tree ?? WorkTree.empty;
    const diff = tree.diffFrom(parentTree);
    const reserved =
      weightOfSpec(spec) + weightOfRecord(labels) + weightOfTexts(Object.values(diff).flat());
    const snapshot: Snapshot = {
      ...{ id: newId('snap'), tenant, parent: base?.id ?? null, spec, labels, tree },
      ...{ diff, reserved },
      newBytes: newBytesOf(tree, parentTree),
      createdAt: this.#clock.date().getTime(),
      endsAt: this.#clock.now() + lifeMs,
    };
    if (!store.reserve(reserved)) throw storeFull();
    if (!rebase(session, snapshot)) {
      store.release(reserved);
      throw storeFull();
    }
    if (!store.hold(tree, NOTHING)) {
      rebase(session, base);
      store.release(reserved);
      throw storeFull();
    }
    of.snapshots += 1;
    this.#snapshots.set(snapshot.id, snapshot);
    return snapshot;
  }

  /** Throws `no_such_snapshot`. */
  get(tenant: string, id: string): Snapshot {
    const snapshot = this.#snapshots.get(id);
    if (snapshot?.tenant !== tenant) throw noSuchSnapshot();
    return snapshot;
  }

  list(tenant: string): readonly Snapshot[] {
    return [...this.#snapshots.values()].filter((each) => each.tenant === tenant);
  }

  /** Sessions and snapshots that were made of it stay as they are. */
  remove(snapshot: Snapshot): void {
    if (!this.#snapshots.delete(snapshot.id)) return;
    const of = this.#tenants.of(snapshot.tenant);
    of.snapshots -= 1;
    of.store.drop(snapshot.tree);
    of.store.release(snapshot.reserved);
    this.#tenants.forget(snapshot.tenant);
  }

  /** Throws `no_such_snapshot` for one that is gone. */
  check({ id }: Snapshot): void {
    if (!this.#snapshots.has(id)) throw noSuchSnapshot();
  }

  /** Takes away those that have had their time. */
  sweep(): void {
    const now = this.#clock.now();
    for (const snapshot of [...this.#snapshots.values()])
      if (now >= snapshot.endsAt) this.remove(snapshot);
  }

  close(): void {
    for (const snapshot of [...this.#snapshots.values()]) this.remove(snapshot);
  }
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

function noSuchSnapshot(): Rejection {
  return new Rejection('no_such_snapshot', {
    detail: 'no snapshot of yours has this id; it may have been deleted or have expired',
  });
}
