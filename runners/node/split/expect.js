// `expect` and its matchers, in the words of jest and vitest.
'use strict';

const { types } = require('node:util');

const { Asymmetric, Equality, shown } = require('equality');
const { stateOf } = require('mocks');

class AssertionError extends Error {
  constructor(message) {
    super(message);
    this.name = 'AssertionError';
    Object.defineProperty(this, 'isAssertion', { value: true });
  }
}

const WORDS = {
  toBe: 'to be',
  toEqual: 'to equal',
  toStrictEqual: 'to strictly equal',
  toContain: 'to contain',
  toContainEqual: 'to contain something equal to',
  toHaveLength: 'to have the length',
  toMatch: 'to match',
  toMatchObject: 'to match the object',
  toThrow: 'to throw',
};

/** `open` and `isSame` as of `Equality`. */
function createExpect({ open, isSame }) {
  const equality = new Equality({ open, isSame });
  const equal = (left, right, how) => equality.equal(left, right, how);
  /** Of the test under way. */
  const counts = { made: 0, wanted: null, isWanted: false, soft: [], open: [] };
  const matchers = { ...createMatchers({ equal, open, isSame }), ...createMockMatchers(equal) };

  function expect(actual) {
    return chainOf(actual, { isNot: false, through: null });
  }

  function chainOf(actual, { isNot, through }) {
    const chain = {};
    for (const [name, matcher] of Object.entries(matchers)) {
      chain[name] = (...args) => {
        counts.made += 1;
        if (through === null) return judge({ name, matcher, isNot }, actual, args);
        const judged = through(actual).then((value) =>
          judge({ name, matcher, isNot, isSettled: true }, value, args),
        );
        counts.open.push(judged);
        // Whoever waits for it hears of it, and the end of the test does.
        judged.catch(() => undefined);
        return judged;
      };
    }
    const further = (more) => ({ get: () => chainOf(actual, { isNot, through, ...more }) });
    if (!isNot) Object.defineProperty(chain, 'not', further({ isNot: true }));
    if (through === null) {
      Object.defineProperty(chain, 'resolves', further({ through: resolved }));
      Object.defineProperty(chain, 'rejects', further({ through: rejected }));
    }
    return chain;
  }

  function judge({ name, matcher, isNot, isSettled = false }, actual, args) {
    const found = matcher({ isNot, isSettled, equals: equal }, actual, ...args);
    if (typeof found?.then === 'function') return found.then((each) => conclude(each));
    return conclude(found);

    function conclude(result) {
      const { pass, message } = typeof result === 'boolean' ? { pass: result } : result;
      if (pass !== isNot) return;
      const words =
        WORDS[name] ?? name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
      const said = typeof message === 'function' ? message() : message;
      const usual = `expected ${shown(actual)} ${isNot ? 'not ' : ''}${words}${args.length > 0 ? ` ${args.map(shown).join(', ')}` : ''}`;
      throw new AssertionError(said ?? usual);
    }
  }

  const asymmetric = (name, test) => new Asymmetric(name, test);
  const both = (name, make) => {
    expect[name] = (...args) => asymmetric(`${name}(${args.map(shown).join(', ')})`, make(...args));
    expect.not[name] = (...args) =>
      asymmetric(`not.${name}(${args.map(shown).join(', ')})`, (value) => !make(...args)(value));
  };
  expect.not = {};
  expect.anything = () =>
    asymmetric('anything()', (value) => value !== null && value !== undefined);
  expect.any = (type) => asymmetric(`any(${type.name})`, (value) => isOf(value, type));
  both('objectContaining', (wanted) => (value) => {
    const object = open(value);
    return (
      Object(object) === object &&
      Object.keys(wanted).every((key) => key in object && equal(object[key], wanted[key]))
    );
  });
  both(
    'arrayContaining',
    (wanted) => (value) =>
      Array.isArray(open(value)) &&
      wanted.every((each) => open(value).some((item) => equal(item, each))),
  );
  both(
    'stringContaining',
    (wanted) => (value) => typeof value === 'string' && value.includes(wanted),
  );
  both(
    'stringMatching',
    (wanted) => (value) => typeof value === 'string' && new RegExp(wanted).test(value),
  );
  both(
    'closeTo',
    (wanted, digits = 2) =>
      (value) =>
        isClose(value, wanted, digits),
  );
  expect.assertions = (count) => void (counts.wanted = count);
  expect.hasAssertions = () => void (counts.isWanted = true);
  expect.unreachable = (message = 'this was not to be reached') => fail(message);
  expect.fail = expect.unreachable;
  expect.soft = expect;
  expect.extend = (more) => {
    for (const [name, matcher] of Object.entries(more)) {
      matchers[name] = (context, actual, ...args) =>
        Reflect.apply(
          matcher,
          { ...context, utils: { printReceived: shown, printExpected: shown, stringify: shown } },
          [actual, ...args],
        );
      expect[name] = (...args) =>
        asymmetric(name, (value) => matcher.call({ equals: equal }, value, ...args).pass === true);
    }
  };
  const session = {
    begin: () => Object.assign(counts, { made: 0, wanted: null, isWanted: false, open: [] }),
    /** Resolves when the expectations of promises are judged, waited for or not; rejects with the first that failed. */
    settled: async () => {
      await Promise.all(counts.open);
    },
    /** Throws where a test made fewer assertions than it said. */
    end: () => {
      if (counts.wanted !== null && counts.made !== counts.wanted)
        fail(`${counts.wanted} assertions were to be made, not ${counts.made}`);
      if (counts.isWanted && counts.made === 0) fail('no assertion was made');
    },
  };
  return { expect, session };
}

function fail(message) {
  throw new AssertionError(message);
}

function isOf(value, type) {
  const names = new Map([
    [String, 'string'],
    [Number, 'number'],
    [Boolean, 'boolean'],
    [BigInt, 'bigint'],
    [Symbol, 'symbol'],
    [Function, 'function'],
  ]);
  const name = names.get(type);
  if (name !== undefined) return typeof value === name;
  return type === Object ? typeof value === 'object' && value !== null : value instanceof type;
}

function isClose(value, wanted, digits) {
  if (typeof value !== 'number' || typeof wanted !== 'number') return false;
  if (value === wanted) return true;
  return Math.abs(value - wanted) < 10 ** -digits / 2;
}

async function resolved(actual) {
  const promise = typeof actual === 'function' ? actual() : actual;
  if (typeof promise?.then !== 'function') fail(`expected a promise, got ${shown(promise)}`);
  try {
    return await promise;
  } catch (error) {
    fail(`expected a promise to resolve, it rejected with ${shown(error)}`);
  }
}

async function rejected(actual) {
  const promise = typeof actual === 'function' ? actual() : actual;
  if (typeof promise?.then !== 'function') fail(`expected a promise, got ${shown(promise)}`);
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  fail(`expected a promise to reject, it resolved with ${shown(value)}`);
}

/** Comparisons of numbers take numbers. */
function ordering(test) {
  return (context, actual, wanted) => {
    for (const each of [actual, wanted])
      if (typeof each !== 'number' && typeof each !== 'bigint')
        return { pass: context.isNot, message: `${shown(each)} is no number` };
    return test(actual, wanted);
  };
}

function createMatchers({ equal, open, isSame }) {
  /** Items of anything that has some; an object of the program's gives them one by one, if it holds none. */
  const list = (value) => {
    const held = open(value);
    return [...(typeof held?.[Symbol.iterator] === 'function' ? held : value)];
  };
  return {
    toBe: (_, actual, wanted) => isSame(actual, wanted),
    toEqual: (_, actual, wanted) => equal(actual, wanted),
    toStrictEqual: (_, actual, wanted) => equal(actual, wanted, { strict: true }),
    toBeCloseTo: ({ isNot }, actual, wanted, digits = 2) =>
      typeof actual === 'number'
        ? isClose(actual, wanted, digits)
        : { pass: isNot, message: `${shown(actual)} is no number` },
    toBeGreaterThan: ordering((a, b) => a > b),
    toBeGreaterThanOrEqual: ordering((a, b) => a >= b),
    toBeLessThan: ordering((a, b) => a < b),
    toBeLessThanOrEqual: ordering((a, b) => a <= b),
    toBeTruthy: (_, actual) => Boolean(actual),
    toBeFalsy: (_, actual) => !actual,
    toBeNull: (_, actual) => actual === null,
    toBeUndefined: (_, actual) => actual === undefined,
    toBeDefined: (_, actual) => actual !== undefined,
    toBeNullable: (_, actual) => actual === undefined || actual === null,
    toBeNaN: (_, actual) => Number.isNaN(actual),
    toBeTypeOf: (_, actual, wanted) => typeof actual === wanted,
    toBeInstanceOf: (_, actual, type) => actual instanceof type,
    toBeOneOf: (_, actual, wanted) => [...wanted].some((each) => equal(actual, each)),
    toContain: ({ isNot }, actual, wanted) => {
      if (typeof actual === 'string')
        return typeof wanted === 'string'
          ? actual.includes(wanted)
          : { pass: isNot, message: `${shown(wanted)} is no string` };
      return list(actual).some((each) => isSame(each, wanted));
    },
    toContainEqual: (_, actual, wanted) => list(actual).some((each) => equal(each, wanted)),
    toHaveLength: ({ isNot }, actual, wanted) => {
      const length = actual?.length;
      return typeof length === 'number'
        ? length === wanted
        : { pass: isNot, message: `${shown(actual)} has no length` };
    },
    toMatch: ({ isNot }, actual, wanted) => {
      if (typeof actual !== 'string')
        return { pass: isNot, message: `${shown(actual)} is no string` };
      return typeof wanted === 'string' ? actual.includes(wanted) : new RegExp(wanted).test(actual);
    },
    toMatchObject: (_, actual, wanted) =>
      Object(wanted) === wanted && equal(actual, wanted, { subset: true }),
    toSatisfy: (_, actual, test) => Boolean(test(actual)),
    toHaveProperty: (_, actual, path, ...wanted) => {
      const steps = Array.isArray(path)
        ? path
        : String(path)
            .split(/[.[\]]+/)
            .filter((step) => step !== '');
      let at = actual;
      for (const [index, step] of steps.entries()) {
        if (at === null || at === undefined) return false;
        const inner = Object(at);
        if (index === steps.length - 1 && wanted.length === 0) return step in inner;
        at = inner[step];
      }
      return wanted.length === 0 || equal(at, wanted[0]);
    },
    toThrow,
    toThrowError: toThrow,
  };
}

function toThrow({ isNot, isSettled }, actual, wanted) {
  let error = actual;
  if (!isSettled) {
    if (typeof actual !== 'function')
      return { pass: isNot, message: `${shown(actual)} is no function` };
    try {
      actual();
      return { pass: false, message: 'expected an error to be thrown' };
    } catch (thrown) {
      error = thrown;
    }
  }
  const message =
    typeof error === 'object' && error !== null ? String(error.message) : String(error);
  const said = `expected ${isNot ? 'no ' : ''}error ${wanted === undefined ? '' : shown(wanted)}, got ${shown(message)}`;
  return { pass: isThrown(error, message, wanted), message: said };
}

function isThrown(error, message, wanted) {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return message.includes(wanted);
  if (types.isRegExp(wanted)) return new RegExp(wanted).test(message);
  if (wanted instanceof Asymmetric) return wanted.test(error);
  if (typeof wanted === 'function') return error instanceof wanted;
  return typeof wanted === 'object' && wanted !== null && message === wanted.message;
}

function createMockMatchers(equal) {
  const of =
    (work) =>
    ({ isNot }, actual, ...args) => {
      const known = stateOf(actual);
      if (known === null) return { pass: isNot, message: `${shown(actual)} is no mock function` };
      return work(known.state, ...args);
    };
  const returned = ({ results }) => results.filter(({ type }) => type === 'return');
  const called = {
    toHaveBeenCalled: of(({ calls }) => calls.length > 0),
    toHaveBeenCalledTimes: of(({ calls }, count) => calls.length === count),
    toHaveBeenCalledOnce: of(({ calls }) => calls.length === 1),
    toHaveBeenCalledWith: of(({ calls }, ...args) => calls.some((call) => equal(call, args))),
    toHaveBeenCalledExactlyOnceWith: of(
      ({ calls }, ...args) => calls.length === 1 && equal(calls[0], args),
    ),
    toHaveBeenLastCalledWith: of(
      ({ calls }, ...args) => calls.length > 0 && equal(calls.at(-1), args),
    ),
    toHaveBeenNthCalledWith: of(
      ({ calls }, nth, ...args) => calls.length >= nth && equal(calls[nth - 1], args),
    ),
    toHaveReturned: of((state) => returned(state).length > 0),
    toHaveReturnedTimes: of((state, count) => returned(state).length === count),
    toHaveReturnedWith: of((state, value) =>
      returned(state).some((result) => equal(result.value, value)),
    ),
    toHaveLastReturnedWith: of(
      ({ results }, value) =>
        results.at(-1)?.type === 'return' && equal(results.at(-1).value, value),
    ),
    toHaveNthReturnedWith: of(
      ({ results }, nth, value) =>
        results[nth - 1]?.type === 'return' && equal(results[nth - 1].value, value),
    ),
  };
  const {
    toHaveBeenCalled,
    toHaveBeenCalledTimes,
    toHaveBeenCalledWith,
    toHaveBeenLastCalledWith,
  } = called;
  return {
    ...called,
    toBeCalled: toHaveBeenCalled,
    toBeCalledTimes: toHaveBeenCalledTimes,
    toBeCalledWith: toHaveBeenCalledWith,
    lastCalledWith: toHaveBeenLastCalledWith,
  };
}

module.exports = { AssertionError, createExpect };
