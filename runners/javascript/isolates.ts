/**
 * Isolates made ahead: each is fresh, serves one run and is disposed of. Owns the snapshots and the one spare isolate
 * of this thread.
 */
import ivm from 'isolated-vm';

import type { Guest } from './task.ts';
import type { Sources } from './guest-source.ts';

type Entry = ivm.Reference<(...args: unknown[]) => unknown>;

/** An isolate with its context, not used yet. */
export interface Fresh {
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
  /** The guest's one function (guest/entry.js). */
  readonly entry: Entry;
  readonly tier: number;
  readonly memoryMb: number;
}

export interface Isolates {
  readonly sources: Sources;
  /** A fresh isolate of at least this tier. */
  take(tier: number, memoryMb: number): Fresh;
  /** Makes the next one while nobody waits. */
  makeSpare(tier: number, memoryMb: number): void;
}

/** Isolates of a guest. */
export function createIsolates({ sources, snapshots: buffers }: Guest): Isolates {
  const snapshots = buffers.map((buffer) => new ivm.ExternalCopy(buffer));
  let spare: Fresh | null = null;

  const make = (tier: number, memoryMb: number): Fresh => {
    const snapshot = snapshots[tier];
    if (snapshot === undefined) throw new RangeError(`no tier ${tier}`);
    const isolate = new ivm.Isolate({ memoryLimit: memoryMb, snapshot });
    const context = isolate.createContextSync();
    const entry: Entry = context.global.getSync('__assay', { reference: true });
    return { isolate, context, entry, tier, memoryMb };
  };
  return {
    sources,
    take(tier, memoryMb) {
      const found = spare;
      spare = null;
      if (found !== null && found.tier === tier && found.memoryMb === memoryMb) return found;
      found?.isolate.dispose();
      return make(tier, memoryMb);
    },
    makeSpare(tier, memoryMb) {
      if (spare !== null) return;
      spare = make(tier, memoryMb);
    },
  };
}
