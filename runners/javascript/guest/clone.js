// structuredClone of the values that programs copy with it; anything rarer is `unsupported`.
'use strict';

const {
  ArrayIsArray,
  ArrayPrototypePush,
  Date,
  DatePrototypeGetTime,
  MapPrototypeForEach,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototype,
  ReflectOwnKeys,
  SafeMap,
  SetPrototypeForEach,
} = primordials;

const { unsupported } = host;

function copyOf(value, seen) {
  const types = internalBinding('types');
  if (typeof value === 'function' || typeof value === 'symbol')
    return unsupported('structuredClone of this');
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (types.isProxy(value)) return unsupported('structuredClone of a proxy');
  if (types.isDate(value)) return remember(new Date(DatePrototypeGetTime(value)));
  if (types.isMap(value)) {
    const map = remember(new Map());
    const entries = [];
    MapPrototypeForEach(value, (item, key) => ArrayPrototypePush(entries, key, item));
    for (let i = 0; i < entries.length; i += 2)
      map.set(copyOf(entries[i], seen), copyOf(entries[i + 1], seen));
    return map;
  }
  if (types.isSet(value)) {
    const set = remember(new Set());
    const items = [];
    SetPrototypeForEach(value, (item) => ArrayPrototypePush(items, item));
    for (let i = 0; i < items.length; i++) set.add(copyOf(items[i], seen));
    return set;
  }
  if (ArrayIsArray(value)) return copyProperties(value, remember(new Array(value.length)));
  const prototype = ObjectGetPrototypeOf(value);
  const isPlain = prototype === ObjectPrototype || prototype === null;
  // Instances of a program's classes lose their class; Node's and V8's own kinds have rules of their own.
  const isOwnClass = !isPlain && ReflectOwnKeys(prototype)[0] === 'constructor';
  const isBuiltin =
    types.isBoxedPrimitive(value) ||
    types.isAnyArrayBuffer(value) ||
    ArrayBuffer.isView(value) ||
    types.isNativeError(value) ||
    types.isRegExp(value) ||
    types.isPromise(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isArgumentsObject(value) ||
    types.isGeneratorObject(value);
  if (isBuiltin || !(isPlain || isOwnClass)) return unsupported('structuredClone of this');
  return copyProperties(value, remember({}));

  function remember(copy) {
    seen.set(value, copy);
    return copy;
  }
  function copyProperties(from, to) {
    const keys = ObjectKeys(from);
    for (let i = 0; i < keys.length; i++) to[keys[i]] = copyOf(from[keys[i]], seen);
    return to;
  }
}

function structuredClone(value, options) {
  if (arguments.length === 0 || options !== undefined)
    return unsupported('this form of structuredClone');
  return copyOf(value, new SafeMap());
}

module.exports = { structuredClone };
