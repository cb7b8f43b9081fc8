// The global object as a program finds it in Node.
'use strict';

const {
  ArrayBufferIsView,
  ObjectDefineProperty,
  PromisePrototypeThen,
  PromiseResolve,
  ReflectApply,
  String,
  SymbolToStringTag,
  Uint8Array,
} = primordials;

const timers = require('assay/timers');
const { validateFunction } = timers;
const stdio = require('assay/process');
const { structuredClone } = require('assay/clone');
const { isAnyArrayBuffer } = internalBinding('types');
const { unsupported, facts } = host;

function define(name, value, enumerable = false) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  });
}

function queueMicrotask(callback) {
  validateFunction(callback, 'callback');
  // A promise's reaction that throws would be a rejection; in Node it is an uncaught exception.
  PromisePrototypeThen(PromiseResolve(), () => {
    try {
      ReflectApply(callback, undefined, []);
    } catch (error) {
      host.uncaught(error);
    }
  });
}

const bufferClass = () => require('buffer').Buffer;

class TextEncoder {
  get encoding() {
    return 'utf-8';
  }

  encode(text = '') {
    return new Uint8Array(bufferClass().from(String(text), 'utf8'));
  }

  encodeInto() {
    return unsupported('TextEncoder.encodeInto');
  }
}

class TextDecoder {
  constructor(label = 'utf-8', options = undefined) {
    const isPlain = ['utf-8', 'utf8', 'UTF-8'].includes(label) && options === undefined;
    if (!isPlain) unsupported('this TextDecoder');
  }

  get encoding() {
    return 'utf-8';
  }

  get fatal() {
    return false;
  }

  get ignoreBOM() {
    return false;
  }

  decode(input = new Uint8Array(0), options = undefined) {
    if (options !== undefined) unsupported('TextDecoder with options');
    if (!ArrayBufferIsView(input) && !isAnyArrayBuffer(input))
      unsupported('this input of TextDecoder');
    const bytes = ArrayBufferIsView(input)
      ? bufferClass().from(input.buffer, input.byteOffset, input.byteLength)
      : bufferClass().from(input);
    const text = bytes.utf8Slice(0, bytes.length);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

class Performance {
  now() {
    return host.nowNs() / 1e6;
  }

  get timeOrigin() {
    return host.epochMs();
  }
}
ObjectDefineProperty(Performance.prototype, SymbolToStringTag, {
  __proto__: null,
  value: 'Performance',
});
for (const name of [
  'mark',
  'measure',
  'timerify',
  'eventLoopUtilization',
  'getEntries',
  'toJSON',
]) {
  ObjectDefineProperty(Performance.prototype, name, {
    __proto__: null,
    configurable: true,
    get: () => unsupported(`performance.${name}`),
  });
}

const played = {
  global: globalThis,
  process: stdio.process,
  queueMicrotask,
  structuredClone,
  TextEncoder,
  TextDecoder,
  performance: new Performance(),
  ...timers.timerFunctions,
};

define('console', require('assay/console').console);

/** A global that is made when it is first looked at. */
function defineLazy(name, make) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    enumerable: facts.enumerableGlobals.includes(name),
    configurable: true,
    get() {
      define(name, make(), facts.enumerableGlobals.includes(name));
      return globalThis[name];
    },
    set: (value) => define(name, value, true),
  });
}
defineLazy('Buffer', bufferClass);

function refuse(name) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    enumerable: facts.enumerableGlobals.includes(name),
    configurable: true,
    get: () => unsupported(`the global ${name}`),
    set: (value) => define(name, value, true),
  });
}
// In Node's order, which a program that lists its globals sees.
for (const name of facts.enumerableGlobals) delete globalThis[name];
for (const name of new Set([...facts.enumerableGlobals, ...facts.globals])) {
  if (name in played) define(name, played[name], facts.enumerableGlobals.includes(name));
  else if (!(name in globalThis) && !facts.engineGlobals.includes(name)) refuse(name);
}
ObjectDefineProperty(globalThis, SymbolToStringTag, {
  __proto__: null,
  value: 'global',
  writable: false,
  enumerable: false,
  configurable: true,
});

// These could block the thread or reach past the memory limit. The engine brings them back with each new context, so
// they are taken away when a run begins.
exports.start = () => {
  refuse('WebAssembly');
  refuse('SharedArrayBuffer');
  refuse('Atomics');
};
