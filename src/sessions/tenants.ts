/** What each tenant has: its store, and how many sessions and snapshots. One that has none is forgotten. */
import { BlobStore, type Room } from './blob-store.ts';

interface OfTenant {
  readonly store: BlobStore;
  sessions: number;
  snapshots: number;
}

export class Tenants {
  readonly #room: Room;
  readonly #bytesMax: number;
  readonly #tenants = new Map<string, OfTenant>();

  constructor(room: Room, bytesMax: number) {
    this.#room = room;
    this.#bytesMax = bytesMax;
  }

  sessionsOf(tenant: string): number {
    return this.#tenants.get(tenant)?.sessions ?? 0;
  }

  of(tenant: string): OfTenant {
    let of = this.#tenants.get(tenant);
    if (of === undefined) {
      of = { store: new BlobStore(this.#room, this.#bytesMax), sessions: 0, snapshots: 0 };
      this.#tenants.set(tenant, of);
    }
    return of;
  }

  /** Without effect on one that has something. */
  forget(tenant: string): void {
    const of = this.#tenants.get(tenant);
    if (of?.sessions === 0 && of.snapshots === 0) this.#tenants.delete(tenant);
  }
}
