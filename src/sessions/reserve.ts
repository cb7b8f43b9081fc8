/** What a session takes of its tenant's store besides its tree and its log. */
import type { Session, Snapshot } from './session.ts';

/** More of the store, or less. False, and nothing is changed, where there is no room, and for a session that has ended. */
export function reserve(session: Session, bytes: number): boolean {
  if (session.end.signal.aborted || !session.store.reserve(bytes)) return false;
  session.reserved += bytes;
  return true;
}

/** A session knows the tree of its base, also when the snapshot is gone. */
export function weightOfBase(base: Snapshot | null): number {
  return base?.tree.weight ?? 0;
}

/** As `reserve`. */
export function rebase(session: Session, base: Snapshot | null): boolean {
  if (!reserve(session, weightOfBase(base) - weightOfBase(session.base))) return false;
  session.base = base;
  return true;
}
