// How: looks for anything that is not its own isolate's: through constructors, callers, call sites, hidden globals and the
// functions that Node's modules hold. Expected: finds nothing, and says so.
const found = [];
const suspect = (value, way) => {
  try {
    if (value === undefined || value === null) return;
    const name = typeof value === 'function' ? value.name : value.constructor?.name;
    if (['Isolate', 'Context', 'Reference', 'ExternalCopy', 'Callback', 'Script'].includes(name)) found.push(way);
    if (typeof value === 'function' && ['entry', 'tell', 'ask', 'boot', 'requireInternal'].includes(name)) found.push(way);
  } catch {}
};
const evaluate = (0).constructor.constructor;
for (const name of ['__assay', '__loaded', 'ivm', '_ivm', 'sources', 'host', 'internalBinding', 'primordials']) {
  suspect(evaluate(`return typeof ${name} === 'undefined' ? undefined : ${name}`)(), name);
  if (evaluate(`return typeof ${name}`)() !== 'undefined') found.push(name);
}
for (const key of Reflect.ownKeys(globalThis)) {
  const { value } = Reflect.getOwnPropertyDescriptor(globalThis, key);
  suspect(value, String(key));
}
(function sloppy() {
  let at = sloppy;
  for (let i = 0; i < 20 && at; i++) {
    try {
      at = at.caller;
    } catch {
      at = null;
    }
    if (at && at !== sloppy) suspect(at, 'caller');
  }
})();
Error['prepare' + 'StackTrace'] = (error, sites) => sites;
const sites = (() => {
  try {
    null.x;
  } catch (error) {
    return error.stack;
  }
})();
for (const site of Array.isArray(sites) ? sites : []) {
  suspect(site.getFunction?.(), 'getFunction');
  suspect(site.getThis?.(), 'getThis');
}
console.log(found.length === 0 ? 'contained' : found);
