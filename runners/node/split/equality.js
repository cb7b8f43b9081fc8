// When two values are equal in the sense of `toEqual` and its kin. Objects of the program's are looked at as a whole
// (`open`), never asked about what they are compared with.
'use strict';

const { inspect, types } = require('node:util');

/** Expectations in the place of values, known by identity and never by their looks. */
class Asymmetric {
  constructor(name, test) {
    this.name = name;
    this.test = test;
  }
}

const tagOf = (value) => Object.prototype.toString.call(value);

/** `open(value)`: an object of the program's as plain data, anything else itself; `isSame(a, b)`: identity. */
class Equality {
  constructor({ open, isSame }) {
    this.open = open;
    this.isSame = isSame;
  }

  /** `strict`: types, undefined properties and holes count. `subset`: the left may have more properties. */
  equal(left, right, { strict = false, subset = false } = {}) {
    return this.compare(left, right, { strict, subset, pairs: [] });
  }

  compare(left, right, how) {
    if (right instanceof Asymmetric) return right.test(left);
    if (left instanceof Asymmetric) return left.test(right);
    if (this.isSame(left, right)) return true;
    const isObject = (each) => typeof each === 'object' && each !== null;
    // A function is itself only; of the program's objects everything is told at once.
    if (typeof left === 'function' || typeof right === 'function') return false;
    const [a, b] = [this.open(left), this.open(right)];
    if (!isObject(a) || !isObject(b)) return false;
    if (how.pairs.some(([x, y]) => x === left && y === right)) return true;
    const inner = { ...how, pairs: [...how.pairs, [left, right]] };
    return this.sameKind(a, b, how) && this.sameContent(a, b, inner);
  }

  sameKind(a, b, { strict }) {
    if (types.isNativeError(a) || types.isNativeError(b))
      return types.isNativeError(a) && types.isNativeError(b);
    const plain = (value) =>
      value === Object(value) && !isSpecial(value) ? '[object Object]' : tagOf(value);
    if (plain(a) !== plain(b)) return false;
    return !strict || Object.getPrototypeOf(a) === Object.getPrototypeOf(b) || isSpecial(a);
  }

  sameContent(a, b, how) {
    if (types.isNativeError(a)) return a.name === b.name && a.message === b.message;
    if (types.isDate(a)) return Object.is(a.getTime(), b.getTime());
    if (types.isRegExp(a)) return a.source === b.source && a.flags === b.flags;
    if (types.isBoxedPrimitive(a)) return Object.is(a.valueOf(), b.valueOf());
    if (types.isAnyArrayBuffer(a)) return Buffer.from(a).equals(Buffer.from(b));
    if (types.isTypedArray(a))
      return a.length === b.length && a.every((each, at) => Object.is(each, b[at]));
    if (types.isSet(a)) return this.sameMembers([...a], [...b], how);
    if (types.isMap(a)) return this.sameMembers([...a], [...b], how);
    if (Array.isArray(a)) return this.sameItems(a, b, how);
    return this.sameProperties(a, b, how);
  }

  sameItems(a, b, how) {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at += 1) {
      if (how.strict && at in a !== at in b) return false;
      if (!this.compare(a[at], b[at], how)) return false;
    }
    return true;
  }

  sameMembers(a, b, how) {
    if (a.length !== b.length) return false;
    const left = [...b];
    return a.every((each) => {
      const at = left.findIndex((other) => this.compare(each, other, how));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  sameProperties(a, b, how) {
    const own = (object) =>
      Reflect.ownKeys(object).filter((key) =>
        Object.prototype.propertyIsEnumerable.call(object, key),
      );
    const there = (object) => own(object).filter((key) => how.strict || object[key] !== undefined);
    const [left, right] = [there(a), there(b)];
    if (how.subset) return own(b).every((key) => key in a && this.compare(a[key], b[key], how));
    return (
      left.length === right.length &&
      right.every((key) => Object.hasOwn(a, key) && this.compare(a[key], b[key], how))
    );
  }
}

function isSpecial(value) {
  return (
    Array.isArray(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isTypedArray(value) ||
    types.isBoxedPrimitive(value) ||
    types.isPromise(value)
  );
}

const SHOWN_MAX = 400;

/** A value in a message, in one line. */
function shown(value) {
  if (value instanceof Asymmetric) return value.name;
  if (types.isNativeError(value)) return `${value.name}: ${value.message}`.slice(0, SHOWN_MAX);
  const options = { depth: 4, breakLength: Infinity, maxArrayLength: 50, maxStringLength: 200 };
  const text = inspect(value, options).replaceAll(/\s*\n\s*/g, ' ');
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

module.exports = { Asymmetric, Equality, shown };
