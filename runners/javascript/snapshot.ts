/** The snapshots from which isolates start, one per tier; made once, when the host starts. */
import ivm from 'isolated-vm';

import { createGuestScript, readSources, TIER_COUNT, type Sources } from './guest-source.ts';
import type { Guest } from './task.ts';

/** Makes the snapshots; takes some 200 ms. Throws when the guest does not load on this Node. */
export function createGuest(): Guest {
  const sources = readSources();
  const tiers = Array.from({ length: TIER_COUNT }, (_, tier) => tier);
  return { sources, snapshots: tiers.map((tier) => createSnapshot(sources, tier).copy()) };
}

/** Makes the snapshot of a tier. Throws what the guest's own modules throw while they load. */
function createSnapshot(sources: Sources, tier: number): ivm.ExternalCopy<ArrayBuffer> {
  const ids = loadedModules(sources, tier);
  return ivm.Isolate.createSnapshot([{ code: createGuestScript(sources, { tier, ids }) }]);
}

/** Ids of the modules that a tier loads: found by loading it once. */
function loadedModules(sources: Sources, tier: number): string[] {
  const isolate = new ivm.Isolate();
  try {
    const context = isolate.createContextSync();
    context.evalSync(createGuestScript(sources, { tier, ids: Object.keys(sources) }));
    return String(context.evalSync('__loaded.join()')).split(',');
  } finally {
    isolate.dispose();
  }
}
