// What Node's own modules ask of native code, in plain JavaScript. Whatever cannot be answered exactly here (the state
// of a promise, the rest of an iterator) is `unsupported`: the program is then judged by a Node process instead.
'use strict';

const {
  ArrayIsArray,
  ArrayPrototypePush,
  DatePrototypeGetTime,
  Error,
  MapPrototypeGetSize,
  Number,
  NumberPrototypeValueOf,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectPrototypeToString,
  Proxy,
  PromisePrototype,
  ReflectConstruct,
  ReflectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  RegExpPrototypeExec,
  SafeMap,
  SafeWeakMap,
  SetPrototypeGetSize,
  SymbolToStringTag,
  StringPrototypeValueOf,
  BooleanPrototypeValueOf,
  BigIntPrototypeValueOf,
  SymbolPrototypeValueOf,
  WeakMapPrototypeHas,
  WeakSetPrototypeHas,
  DataViewPrototypeGetByteLength,
  ArrayBufferPrototypeGetByteLength,
  uncurryThis,
} = primordials;

const { unsupported } = host;
const regExpSource = uncurryThis(ReflectGetOwnPropertyDescriptor(RegExp.prototype, 'global').get);

/** A check that holds when a method which only works on its own kind does not throw. */
function brand(method, ...args) {
  return (value) => {
    if (value === null || value === undefined) return false;
    if (typeof value !== 'object' && typeof value !== 'function') return false;
    try {
      method(value, ...args);
      return true;
    } catch {
      return false;
    }
  };
}

/** The class of an object as its prototype chain tells it; the objects of this kind have no cheaper mark. */
function inherits(prototypes) {
  return (value) => {
    if (value === null || typeof value !== 'object' || proxies.has(value)) return false;
    for (let at = ObjectGetPrototypeOf(value); at !== null; at = ObjectGetPrototypeOf(at)) {
      if (prototypes.includes(at)) return true;
      if (proxies.has(at)) return false;
    }
    return false;
  };
}

/** Every proxy with its target and handler: V8 shows them to native code only. */
const proxies = new SafeWeakMap();
const NativeProxy = Proxy;
const nativeRevocable = Proxy.revocable;
const watched = new NativeProxy(NativeProxy, {
  __proto__: null,
  construct(target, args, newTarget) {
    const proxy = ReflectConstruct(target, args, newTarget === watched ? target : newTarget);
    proxies.set(proxy, [args[0], args[1]]);
    return proxy;
  },
});
ObjectDefineProperty(NativeProxy, 'revocable', {
  __proto__: null,
  value: function revocable(target, handler) {
    const made = nativeRevocable(target, handler);
    proxies.set(made.proxy, [target, handler]);
    return made;
  },
  writable: true,
  enumerable: false,
  configurable: true,
});
ObjectDefineProperty(globalThis, 'Proxy', {
  __proto__: null,
  value: watched,
  writable: true,
  enumerable: false,
  configurable: true,
});

const generatorPrototypes = [
  ObjectGetPrototypeOf(function* () {}.prototype),
  ObjectGetPrototypeOf(async function* () {}.prototype),
];
const generatorFunctions = [
  ObjectGetPrototypeOf(function* () {}),
  ObjectGetPrototypeOf(async function* () {}),
];
const asyncFunctions = [
  ObjectGetPrototypeOf(async () => {}),
  ObjectGetPrototypeOf(async function* () {}),
];
const mapIterator = ObjectGetPrototypeOf(new Map().entries());
const setIterator = ObjectGetPrototypeOf(new Set().values());

const isFunctionOf = (prototypes) => (value) =>
  typeof value === 'function' &&
  !proxies.has(value) &&
  prototypes.includes(ObjectGetPrototypeOf(value));
const isTagged = (value) => typeof value === 'object' && value !== null && !proxies.has(value);
const isArrayBuffer = brand(ArrayBufferPrototypeGetByteLength);
// The global is unsupported, so there are none.
const isSharedArrayBuffer = () => false;
const isNumberObject = (value) => typeof value === 'object' && brand(NumberPrototypeValueOf)(value);
const isStringObject = (value) => typeof value === 'object' && brand(StringPrototypeValueOf)(value);
const isBooleanObject = (value) =>
  typeof value === 'object' && brand(BooleanPrototypeValueOf)(value);
const isBigIntObject = (value) => typeof value === 'object' && brand(BigIntPrototypeValueOf)(value);
const isSymbolObject = (value) => typeof value === 'object' && brand(SymbolPrototypeValueOf)(value);

const types = {
  isExternal: () => false,
  isDate: brand(DatePrototypeGetTime),
  isArgumentsObject: (value) =>
    isTagged(value) &&
    value[SymbolToStringTag] === undefined &&
    ObjectPrototypeToString(value) === '[object Arguments]',
  isBigIntObject,
  isBooleanObject,
  isNumberObject,
  isStringObject,
  isSymbolObject,
  isBoxedPrimitive: (value) =>
    isNumberObject(value) ||
    isStringObject(value) ||
    isBooleanObject(value) ||
    isBigIntObject(value) ||
    isSymbolObject(value),
  isNativeError: (value) => host.isError(value) && !proxies.has(value),
  isRegExp: (value) => isTagged(value) && value !== RegExp.prototype && brand(regExpSource)(value),
  isAsyncFunction: isFunctionOf(asyncFunctions),
  isGeneratorFunction: isFunctionOf(generatorFunctions),
  isGeneratorObject: inherits(generatorPrototypes),
  isPromise: inherits([PromisePrototype]),
  isMap: brand(MapPrototypeGetSize),
  isSet: brand(SetPrototypeGetSize),
  isMapIterator: inherits([mapIterator]),
  isSetIterator: inherits([setIterator]),
  isWeakMap: brand(WeakMapPrototypeHas, {}),
  isWeakSet: brand(WeakSetPrototypeHas, {}),
  isArrayBuffer,
  isDataView: brand(DataViewPrototypeGetByteLength),
  isSharedArrayBuffer,
  isProxy: (value) =>
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    proxies.has(value),
  isModuleNamespaceObject: (value) =>
    isTagged(value) &&
    ObjectGetPrototypeOf(value) === null &&
    ReflectGetOwnPropertyDescriptor(value, SymbolToStringTag)?.value === 'Module',
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isCryptoKey: () => false,
  isKeyObject: () => false,
  isEventTarget: () => false,
};

const arrayIndex = /^(?:0|[1-9][0-9]{0,9})$/;

const constants = {
  kPending: 0,
  kFulfilled: 1,
  kRejected: 2,
  kExiting: 0,
  kExitCode: 1,
  kHasExitCode: 2,
  ALL_PROPERTIES: 0,
  ONLY_WRITABLE: 1,
  ONLY_ENUMERABLE: 2,
  ONLY_CONFIGURABLE: 4,
  SKIP_STRINGS: 8,
  SKIP_SYMBOLS: 16,
  kDisallowCloneAndTransfer: 0,
  kTransferable: 1,
  kCloneable: 2,
};

const util = {
  constants,
  privateSymbols: new NativeProxy(
    {},
    { __proto__: null, get: (target, name) => (target[name] ??= Symbol(String(name))) },
  ),
  shouldAbortOnUncaughtToggle: [0],
  getOwnNonIndexProperties(object, filter) {
    const keys = [];
    for (const key of ReflectOwnKeys(object)) {
      if (
        typeof key === 'string' &&
        RegExpPrototypeExec(arrayIndex, key) !== null &&
        Number(key) < 4294967295
      ) {
        continue;
      }
      if (typeof key === 'symbol' && (filter & constants.SKIP_SYMBOLS) !== 0) continue;
      const isEnumerable = ReflectGetOwnPropertyDescriptor(object, key)?.enumerable === true;
      if ((filter & constants.ONLY_ENUMERABLE) !== 0 && !isEnumerable) continue;
      ArrayPrototypePush(keys, key);
    }
    return keys;
  },
  getPromiseDetails: () => unsupported('the state of a promise'),
  getProxyDetails(value, showBoth) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
      return undefined;
    const found = proxies.get(value);
    if (found === undefined) return undefined;
    return showBoth === undefined || showBoth ? [found[0], found[1]] : found[0];
  },
  previewEntries: () => unsupported('the rest of an iterator'),
  getConstructorName(object) {
    if (ArrayIsArray(object)) return 'Array';
    if (ObjectPrototypeToString(object) === '[object Object]') return 'Object';
    return unsupported('the class of an object without a prototype');
  },
  getExternalValue: () => 0n,
  getCallSites: () => unsupported('call sites'),
  isInsideNodeModules: () => false,
  guessHandleType: () => 'PIPE',
  isConstructor(value) {
    try {
      ReflectConstruct(Object, [], value);
      return true;
    } catch {
      return false;
    }
  },
  defineLazyProperties(target, id, keys, enumerable = true) {
    for (const key of keys) {
      ObjectDefineProperty(target, key, {
        __proto__: null,
        enumerable,
        configurable: true,
        get: () => unsupported(`${id}.${key}`),
      });
    }
  },
  constructSharedArrayBuffer: () => unsupported('SharedArrayBuffer'),
  sleep: () => unsupported('sleep'),
  toUSVString: (text) => text.toWellFormed(),
};

/** A binding whose missing members are functions that answer `unsupported` once they are called. */
function partial(name, members) {
  return new NativeProxy(members, {
    __proto__: null,
    get: (target, key) =>
      key in target || typeof key === 'symbol' ? target[key] : () => unsupported(`${name}.${key}`),
  });
}

const empty = { __proto__: null };
const bindings = new SafeMap([
  ['util', partial('util', util)],
  ['types', types],
  ['errors', partial('errors', { exitCodes: { kNoFailure: 0, kGenericUserError: 1 } })],
  ['constants', { os: { signals: host.facts.signals, errno: empty }, fs: empty, trace: empty }],
  ['config', { hasIntl: true, hasInspector: false, hasOpenSSL: false, noBrowserGlobals: false }],
  ['icu', partial('icu', {})],
  ['uv', partial('uv', {})],
  ['options', partial('options', {})],
  [
    'trace_events',
    { trace() {}, isTraceCategoryEnabled: () => false, getCategoryEnabledBuffer: () => [0] },
  ],
  ['encoding_binding', partial('encoding_binding', {})],
  ['messaging', partial('messaging', {})],
  [
    'symbols',
    new NativeProxy(
      {},
      { __proto__: null, get: (target, name) => (target[name] ??= Symbol(String(name))) },
    ),
  ],
  [
    'string_decoder',
    { encodings: ['ascii', 'utf8', 'base64', 'utf16le', 'latin1', 'hex', 'buffer', 'base64url'] },
  ],
  ['os', partial('os', {})],
]);

exports.internalBinding = (name) => {
  if (name === 'buffer') return require('assay/bytes');
  const found = bindings.get(name);
  if (found === undefined) throw new Error(`no binding ${name}`);
  return found;
};
