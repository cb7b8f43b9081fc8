// `fn`, `spyOn` and what `jest` and `vi` do with them.
'use strict';

const mocks = new WeakMap();
const all = new Set();
const spies = new Set();

/** Calls and results of a mock, null for any other function. */
function stateOf(value) {
  return typeof value === 'function' ? (mocks.get(value) ?? null) : null;
}

function fresh() {
  return {
    calls: [],
    results: [],
    instances: [],
    contexts: [],
    invocationCallOrder: [],
    settledResults: [],
  };
}

let order = 0;

function fn(implementation) {
  let usual = implementation;
  let once = [];
  let name = 'fn';
  let state = fresh();
  const mock = function (...args) {
    state.calls.push(args);
    state.instances.push(this);
    state.contexts.push(this);
    state.invocationCallOrder.push((order += 1));
    const result = { type: 'incomplete', value: undefined };
    state.results.push(result);
    const work = once.length > 0 ? once.shift() : usual;
    try {
      const value = new.target
        ? work === undefined
          ? this
          : Reflect.construct(asConstructor(work), args)
        : work?.apply(this, args);
      Object.assign(result, { type: 'return', value });
      return value;
    } catch (error) {
      Object.assign(result, { type: 'throw', value: error });
      throw error;
    }
  };
  const chain =
    (work) =>
    (...args) => {
      work(...args);
      return mock;
    };
  const methods = {
    mockClear: chain(() => (state = fresh())),
    mockReset: chain(() => ((state = fresh()), (once = []), (usual = undefined))),
    mockRestore: chain(() => ((state = fresh()), (once = []), (usual = implementation))),
    mockImplementation: chain((work) => (usual = work)),
    mockImplementationOnce: chain((work) => once.push(work)),
    mockReturnValue: chain((value) => (usual = () => value)),
    mockReturnValueOnce: chain((value) => once.push(() => value)),
    mockReturnThis: chain(
      () =>
        (usual = function () {
          return this;
        }),
    ),
    mockResolvedValue: chain((value) => (usual = async () => value)),
    mockResolvedValueOnce: chain((value) => once.push(async () => value)),
    mockRejectedValue: chain(
      (value) =>
        (usual = async () => {
          throw value;
        }),
    ),
    mockRejectedValueOnce: chain((value) =>
      once.push(async () => {
        throw value;
      }),
    ),
    mockName: chain((given) => (name = given)),
    getMockName: () => name,
    getMockImplementation: () => usual,
  };
  for (const [key, value] of Object.entries(methods))
    Object.defineProperty(mock, key, { value, configurable: true, writable: true });
  Object.defineProperty(mock, 'mock', {
    get: () => ({ ...state, lastCall: state.calls.at(-1) }),
    configurable: true,
  });
  Object.defineProperty(mock, '_isMockFunction', { value: true });
  mocks.set(mock, {
    get state() {
      return state;
    },
    get name() {
      return name;
    },
  });
  all.add(mock);
  return mock;
}

function asConstructor(work) {
  return typeof work === 'function' && work.prototype !== undefined
    ? work
    : function (...args) {
        return work.apply(this, args);
      };
}

function spyOn(object, key, accessor) {
  if (accessor !== undefined) {
    const own = Object.getOwnPropertyDescriptor(object, key);
    const mock = fn(own?.[accessor]);
    Object.defineProperty(object, key, { ...own, [accessor]: mock });
    return restoring(mock, () => Object.defineProperty(object, key, own));
  }
  const original = object[key];
  if (stateOf(original) !== null) return original;
  if (typeof original !== 'function')
    throw new TypeError(`${String(key)} is not a function that can be spied on`);
  const isOwn = Object.hasOwn(object, key);
  const mock = fn(function (...args) {
    return Reflect.apply(original, this, args);
  });
  object[key] = mock;
  return restoring(mock, () => {
    if (isOwn) object[key] = original;
    else delete object[key];
  });
}

function restoring(mock, restore) {
  const plain = mock.mockRestore;
  const whole = () => {
    restore();
    spies.delete(whole);
    return plain();
  };
  Object.defineProperty(mock, 'mockRestore', { value: whole, configurable: true });
  spies.add(whole);
  return mock;
}

function clearAll() {
  for (const mock of all) mock.mockClear();
}

function resetAll() {
  for (const mock of all) mock.mockReset();
}

function restoreAll() {
  for (const restore of spies) restore();
}

module.exports = { clearAll, fn, resetAll, restoreAll, spyOn, stateOf };
