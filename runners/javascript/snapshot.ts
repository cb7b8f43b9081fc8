/** The snapshots from which isolates start, one per tier; made once, when the host starts. */
import ivm from 'isolated-vm';

import { createGuestScript, readSources, TIER_COUNT, type Sources } from './guest-source.ts';
import type { Guest } from './task.ts';

/** Makes the snapshots; takes some 200 ms. Throws when the guest does not load on this Node. */
export function createGuest(): Guest {
  const sources = readSources();
  const engineGlobals = evaluate('Object.getOwnPropertyNames(globalThis).join()').split(',');
  const tiers = Array.from({ length: TIER_COUNT }, (_, tier) => tier);
  return {
    sources,
    snapshots: tiers.map((tier) => createSnapshot(sources, { tier, engineGlobals })),
  };
}

function createSnapshot(
  sources: Sources,
  options: { readonly tier: number; readonly engineGlobals: readonly string[] },
): ArrayBuffer {
  // What the tier loads is found by loading it once, with the text of everything at hand.
  const all = createGuestScript(sources, { ...options, ids: Object.keys(sources) });
  const ids = evaluate(`${all};__loaded.join()`).split(',');
  const code = createGuestScript(sources, { ...options, ids });
  return ivm.Isolate.createSnapshot([{ code }]).copy();
}

/** The text that a script of ours results in, in an isolate of its own. */
function evaluate(script: string): string {
  const isolate = new ivm.Isolate();
  try {
    return String(isolate.createContextSync().evalSync(script));
  } finally {
    isolate.dispose();
  }
}
