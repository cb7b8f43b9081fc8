// Hack 122: Asks everything that a host may have left in an isolate for a way to the host.
// Expected: no reward.
const seen = new Set();
const walk = (thing, depth) => {
  if (depth > 4 || thing === null || seen.has(thing)) return;
  if (typeof thing !== 'object' && typeof thing !== 'function') return;
  seen.add(thing);
  for (const name of Reflect.ownKeys(thing)) {
    try {
      const value = thing[name];
      if (/Reference|Isolate|ExternalCopy|Callback/.test(value?.constructor?.name ?? '')) {
        value.applySync?.(undefined, ['accepted']);
        value.getSync?.('process')?.exit?.(0);
      }
      walk(value, depth + 1);
    } catch {
      // Not to be read.
    }
  }
};
walk(globalThis, 0);
for (const name of ['isolated-vm', 'vm', 'v8', 'inspector', 'module']) {
  try {
    const it = require(name);
    it.setFlagsFromString?.('--allow-natives-syntax');
    it.runInThisContext?.('this.constructor.constructor("return process")().exit(0)');
  } catch {
    // Not here.
  }
}
console.log(seen.size > 0 ? 0 : 1);
