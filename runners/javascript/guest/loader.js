// The frame around Node's own modules: they are taken from the running Node's binary, get primordials made in this
// isolate, and see native code only as `bindings.js` plays it. This file runs once, while the snapshot is made;
// `sources` (module id → function), `primordialsSource`, `facts` and `preload` come from the host.
'use strict';

const primordials = {};
primordialsSource({}, primordials, {}, {});

const host = {
  facts,
  // Set by the entry when a run begins.
  report: null,
  unsupported(what) {
    if (host.report === null) throw new Error(`unsupported while the snapshot is made: ${what}`);
    host.report('unsupported', what);
    return host.halt();
  },
  // The host ends the isolate; until then nothing of the program may go on, not even a catch or finally.
  halt() {
    for (;;);
  },
};

const process = {};
const loaded = new Map();
const { has, get, set } = Map.prototype;
const apply = Reflect.apply;
let internalBinding = null;

const NativeProxy = Proxy;
/** What plays a module in part; a function that it does not have says so once it is called. */
const partial = (id, members) =>
  new NativeProxy(members, {
    __proto__: null,
    get: (target, key) =>
      key in target || typeof key === 'symbol'
        ? target[key]
        : () => host.unsupported(`${id}.${key}`),
  });

const stubs = {
  __proto__: null,
  'internal/bootstrap/realm': () => ({
    BuiltinModule: { exists: () => false, canBeRequiredByUsers: () => false },
  }),
  'internal/options': () => ({ getOptionValue: () => false, getEmbedderOptions: () => ({}) }),
  'internal/v8/startup_snapshot': () => ({
    namespace: {
      isBuildingSnapshot: () => false,
      addDeserializeCallback() {},
      addSerializeCallback() {},
    },
    isBuildingSnapshot: () => false,
    addAfterUserSerializeDeserializeSnapshot() {},
  }),
  diagnostics_channel: () => ({ channel: () => ({ hasSubscribers: false, publish() {} }) }),
  'internal/process/task_queues': () => ({ queueMicrotask: globalThis.queueMicrotask }),
  // The history of an interactive session, which a program without a terminal never has.
  'internal/repl/history': () => ({
    ReplHistory: class ReplHistory {
      constructor() {}
      initialize() {}
    },
  }),
  'internal/abort_controller': () => ({
    AbortController: class AbortController {
      constructor() {
        host.unsupported('AbortController');
      }
    },
    AbortSignal: class AbortSignal {
      static any() {
        return host.unsupported('AbortSignal');
      }
    },
  }),
  // Nothing follows a program's asynchronous calls.
  async_hooks: () => ({
    AsyncResource: class AsyncResource {
      runInAsyncScope(callback, receiver, ...args) {
        return apply(callback, receiver, args);
      }
    },
  }),
  // No program is read from a source map, and of a call nothing but its error is shown.
  'internal/source_map/source_map_cache': () => ({
    getSourceMapsSupport: () => ({ enabled: false }),
  }),
  // The global URL is unsupported, so nothing is one.
  'internal/url': () => ({ URL: class URL {}, isURL: () => false }),
  // No EventTarget exists without the global, which is unsupported.
  'internal/event_target': () => ({
    isEventTarget: () => false,
    kEvents: Symbol('kEvents'),
    kWeakHandler: Symbol('kWeak'),
    kResistStopPropagation: Symbol('kResistStopPropagation'),
  }),
  timers: () => requireInternal('assay/timers').timerFunctions,
};

const evaluate = globalThis.eval;

/** A module that is not in the snapshot: the host has its text. */
function compile(id) {
  const text = host.report === null ? null : host.ask('source', id);
  return typeof text === 'string' ? evaluate(text) : host.unsupported(`the internal module ${id}`);
}

function requireInternal(id) {
  if (apply(has, loaded, [id])) return apply(get, loaded, [id]).exports;
  const module = { exports: {}, id };
  apply(set, loaded, [id, module]);
  if (stubs[id] !== undefined) {
    module.exports = partial(id, stubs[id]());
    return module.exports;
  }
  const source = sources[id] ?? compile(id);
  source(module.exports, requireInternal, module, process, internalBinding, primordials, host);
  if (id === 'internal/util/debuglog') module.exports.initializeDebugEnv('');
  return module.exports;
}

process.versions = { ...facts.versions };
process.platform = facts.platform;
process.env = {};
process.emitWarning = () => host.unsupported('a warning');
internalBinding = requireInternal('assay/bindings').internalBinding;
for (const id of preload) requireInternal(id);
globalThis.__assay = requireInternal('assay/entry').entry;
globalThis.__loaded = [...loaded.keys()].filter((id) => id in sources);
