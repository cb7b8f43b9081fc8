// Values as JSON, both ways. A primitive of JSON stands for itself; everything else is a list that begins with a tag. Lists,
// objects and other containers carry the number under which the tests' side knows them (0: none), so that an object that
// crosses twice is the same object on the other side. What is no plain data the owner's hooks deal with.
//
//   ["u"] undefined      ["n", "NaN" | "Infinity" | "-Infinity" | "-0"]      ["b", "123"] bigint      ["y", key] Symbol.for
//   ["o"] a hole         ["w", "iterator"] a symbol of the language           ["R", index] a container of this document again
//   ["a", n, items]      ["O", n, [[key, value]…], isNull]  ["m", n, [[key, value]…]]   ["s", n, items]
//   ["d", n, ms]         ["r", n, source, flags, lastIndex]  ["t", n, type, base64]      ["e", n, {…}] an error
//   ["K", n, items] of the tests' side only: unchanged since it was sent, and what it holds
'use strict';

const { types } = require('node:util');

const DEPTH_MAX = 1500;
const KNOWN_MAX = 100_000;
const NAMES_MAX = 20;
const TEXT_MAX = 4000;
const NUMBERS = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
const TYPED = new Map(
  [
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ].map((type) => [type.name, type]),
);
const ERRORS = new Map(
  [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].map((type) => [
    type.name,
    type,
  ]),
);
const SYMBOLS = new Map(
  Object.getOwnPropertyNames(Symbol)
    .filter((name) => typeof Symbol[name] === 'symbol')
    .map((name) => [Symbol[name], name]),
);

const { stringify, parse } = JSON;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
const { isArray } = Array;

/** A value that does not cross. */
class Unsupported extends Error {}
/** What came is not of this form. */
class BadData extends Error {}

function define(object, key, value) {
  defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isPlain(value) {
  const prototype = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether an object does something when it is asked, so that its values are no copy of it. */
function isActive(value) {
  return keys(value).some((key) => {
    const { get, set, value: held } = getOwnPropertyDescriptor(value, key);
    return get !== undefined || set !== undefined || typeof held === 'function';
  });
}

/** The names of an error's classes, its own first. */
function lineage(error) {
  const names = [];
  for (
    let at = getPrototypeOf(error);
    at !== null && names.length < NAMES_MAX;
    at = getPrototypeOf(at)
  ) {
    const type = getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof type === 'function' && typeof type.name === 'string') names.push(type.name);
  }
  return names;
}

/** What an object holds, for the question whether it has changed. */
function contents(value) {
  if (isArray(value)) return [...value];
  if (types.isMap(value)) return [...value].flat(1);
  if (types.isSet(value)) return [...value];
  if (types.isDate(value)) return [value.getTime()];
  if (types.isTypedArray(value))
    return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')];
  if (types.isRegExp(value)) return [value.lastIndex];
  if (types.isNativeError(value)) return [value.message];
  return keys(value).flatMap((key) => [key, value[key]]);
}

function areSame(left, right) {
  return left.length === right.length && left.every((each, at) => Object.is(each, right[at]));
}

/** Makes an object hold what another of its kind does. */
function refill(target, source) {
  if (isArray(target)) {
    target.length = 0;
    target.length = source.length;
    for (const key of keys(source)) target[key] = source[key];
  } else if (types.isMap(target)) {
    target.clear();
    for (const [key, value] of source) target.set(key, value);
  } else if (types.isSet(target)) {
    target.clear();
    for (const value of source) target.add(value);
  } else if (types.isDate(target)) target.setTime(source.getTime());
  else if (types.isTypedArray(target)) target.set(source);
  else if (types.isRegExp(target)) target.lastIndex = source.lastIndex;
  else if (!types.isNativeError(target)) {
    for (const key of keys(target)) if (!Object.hasOwn(source, key)) delete target[key];
    for (const key of keys(source)) define(target, key, source[key]);
  }
  return target;
}

/**
 * One side's half. `hooks.outside(value)` gives a node for what is no plain data or throws Unsupported;
 * `hooks.inside(node)` the value of such a node; `hooks.entries(value)` of an object that is not plain but crosses as if it
 * were, or null.
 */
class Codec {
  constructor(hooks) {
    this.hooks = hooks;
    /** Objects of the tests' side that both know: by number, and the other way round. */
    this.byNumber = new Map();
    this.numbers = new Map();
    this.sent = new Map();
  }

  know(object, number) {
    if (number === 0 || this.byNumber.size >= KNOWN_MAX) return;
    this.byNumber.set(number, object);
    this.numbers.set(object, number);
  }

  encode(value) {
    return this.node(value, { seen: new Map(), depth: 0 });
  }

  node(value, at) {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'undefined':
        return ['u'];
      case 'bigint':
        return ['b', value.toString()];
      case 'number':
        if (Object.is(value, -0)) return ['n', '-0'];
        return Number.isFinite(value) ? value : ['n', String(value)];
      case 'symbol': {
        const key = Symbol.keyFor(value);
        if (key !== undefined) return ['y', key];
        if (SYMBOLS.has(value)) return ['w', SYMBOLS.get(value)];
        throw new Unsupported('a symbol is no plain data');
      }
      case 'function':
        return this.hooks.outside(value);
      default:
        return value === null ? null : this.container(value, at);
    }
  }

  container(value, at) {
    const shape = this.hooks.isForeign(value) ? null : this.shapeOf(value);
    if (shape === null) return this.hooks.outside(value);
    const again = at.seen.get(value);
    if (again !== undefined) return ['R', again];
    at.seen.set(value, at.seen.size);
    at.depth += 1;
    if (at.depth > DEPTH_MAX) throw new Unsupported('a value is nested too deeply');
    const node = this.hooks.isAuthor
      ? this.authored(value, shape, at)
      : shape(this.numbers.get(value) ?? 0, at);
    at.depth -= 1;
    return node;
  }

  /** Of the side that numbers objects: new, changed since it was sent, or as it was. */
  authored(value, shape, at) {
    let number = this.numbers.get(value) ?? 0;
    const held = contents(value);
    const before = this.sent.get(value);
    if (number !== 0 && before !== undefined && areSame(held, before)) {
      const inner = held.filter((each) => typeof each === 'object' && each !== null);
      return ['K', number, inner.map((each) => this.node(each, at))];
    }
    if (number === 0 && this.byNumber.size < KNOWN_MAX) {
      number = this.byNumber.size + 1;
      this.know(value, number);
    }
    if (number !== 0) this.sent.set(value, held);
    return shape(number, at);
  }

  /** How a container is written, or null for what is no plain data. */
  shapeOf(value) {
    const prototype = getPrototypeOf(value);
    const all = (list, at) => Array.from(list, (each) => this.node(each, at));
    if (isArray(value) && prototype === Array.prototype)
      return (n, at) => [
        'a',
        n,
        Array.from(value, (each, index) => (index in value ? this.node(each, at) : ['o'])),
      ];
    if (types.isDate(value) && prototype === Date.prototype) {
      const ms = value.getTime();
      return (n) => ['d', n, Number.isNaN(ms) ? null : ms];
    }
    if (types.isRegExp(value) && prototype === RegExp.prototype)
      return (n) => ['r', n, value.source, value.flags, value.lastIndex];
    if (types.isMap(value) && prototype === Map.prototype)
      return (n, at) => ['m', n, Array.from(value, (pair) => all(pair, at))];
    if (types.isSet(value) && prototype === Set.prototype)
      return (n, at) => ['s', n, all(value, at)];
    if (types.isAnyArrayBuffer(value))
      return (n) => ['t', n, 'ArrayBuffer', Buffer.from(value).toString('base64')];
    if (types.isTypedArray(value)) {
      const name = Buffer.isBuffer(value) ? 'Buffer' : prototype.constructor?.name;
      if (name !== 'Buffer' && TYPED.get(name)?.prototype !== prototype) return null;
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      return (n) => ['t', n, name, bytes.toString('base64')];
    }
    if (types.isNativeError(value)) return (n, at) => ['e', n, this.errorParts(value, at)];
    const entries = this.hooks.entries(value);
    if (entries === null) return null;
    return (n, at) => [
      'O',
      n,
      entries.map(([key, each]) => [key, this.node(each, at)]),
      prototype === null,
    ];
  }

  /** What there is of an error; nothing in it keeps it from crossing. */
  errorParts(error, at) {
    const text = (name) => {
      try {
        return String(error[name] ?? '').slice(0, TEXT_MAX);
      } catch {
        return '';
      }
    };
    const own = [];
    const names = Object.hasOwn(error, 'cause') ? [...keys(error), 'cause'] : keys(error);
    for (const key of names) {
      const { depth } = at;
      const { size } = at.seen;
      try {
        own.push([key, this.node(error[key], at)]);
      } catch (problem) {
        if (!(problem instanceof Unsupported)) throw problem;
        at.depth = depth;
        for (const [each, index] of at.seen) if (index >= size) at.seen.delete(each);
      }
    }
    const parts = {
      name: text('name'),
      message: text('message'),
      stack: text('stack'),
      types: lineage(error),
      own,
    };
    return { ...parts, ...this.hooks.classesOf(error) };
  }

  decode(node) {
    return this.value(node, { found: [], depth: 0 });
  }

  value(node, at) {
    if (node === null || typeof node !== 'object') {
      if (node === undefined) throw new BadData('nothing where a value must be');
      return node;
    }
    if (!isArray(node)) throw new BadData('an object where a value must be');
    const [tag, second] = node;
    if (typeof tag !== 'string') throw new BadData('no tag');
    switch (tag) {
      case 'u':
        return undefined;
      case 'n':
        if (!Object.hasOwn(NUMBERS, second)) throw new BadData('an unknown number');
        return NUMBERS[second];
      case 'b':
        if (typeof second !== 'string' || !/^-?\d+$/.test(second)) throw new BadData('no integer');
        return BigInt(second);
      case 'y':
        return Symbol.for(String(second));
      case 'w': {
        const known = [...SYMBOLS].find(([, name]) => name === second);
        if (known === undefined) throw new BadData('an unknown symbol');
        return known[0];
      }
      case 'R':
        if (!Number.isInteger(second) || !(second in at.found))
          throw new BadData('no such container');
        return at.found[second];
      default:
        return BUILD[tag] === undefined ? this.hooks.inside(node) : this.built(node, at);
    }
  }

  built(node, at) {
    const [tag, number] = node;
    if (!Number.isInteger(number)) throw new BadData('no number');
    at.depth += 1;
    if (at.depth > DEPTH_MAX) throw new BadData('a value is nested too deeply');
    const index = at.found.push(undefined) - 1;
    const start = (object) => {
      at.found[index] = object;
      return object;
    };
    const made = BUILD[tag](this, node, { at, start });
    const value = number === 0 ? made : this.hooks.settle(this, made, number);
    at.found[index] = value;
    at.depth -= 1;
    return value;
  }

  list(nodes, at) {
    if (!isArray(nodes)) throw new BadData('no list');
    return nodes.map((each) => this.value(each, at));
  }

  pairs(nodes, at) {
    if (!isArray(nodes)) throw new BadData('no list');
    return nodes.map((pair) => {
      if (!isArray(pair) || pair.length !== 2) throw new BadData('no pair');
      return [this.value(pair[0], at), this.value(pair[1], at)];
    });
  }
}

/** Containers by tag, made of exact built-in types. */
const BUILD = {
  // What every object inherits is no tag.
  __proto__: null,
  a(codec, [, , items], { at, start }) {
    if (!isArray(items)) throw new BadData('no list');
    const list = start([]);
    list.length = items.length;
    for (const [index, item] of items.entries())
      if (item?.[0] !== 'o' || !isArray(item)) list[index] = codec.value(item, at);
    return list;
  },
  O(codec, [, , entries, isNull], { at, start }) {
    const object = start(isNull === true ? Object.create(null) : {});
    for (const [key, value] of codec.pairs(entries, at)) define(object, String(key), value);
    return object;
  },
  m(codec, [, , entries], { at, start }) {
    const map = start(new Map());
    for (const [key, value] of codec.pairs(entries, at)) map.set(key, value);
    return map;
  },
  s(codec, [, , items], { at, start }) {
    const set = start(new Set());
    for (const item of codec.list(items, at)) set.add(item);
    return set;
  },
  d(codec, [, , ms], { start }) {
    return start(new Date(typeof ms === 'number' ? ms : NaN));
  },
  r(codec, [, , source, flags, last], { start }) {
    const pattern = start(new RegExp(String(source), String(flags)));
    if (Number.isInteger(last)) pattern.lastIndex = last;
    return pattern;
  },
  t(codec, [, , name, text], { start }) {
    const bytes = Buffer.from(String(text), 'base64');
    if (name === 'Buffer') return start(bytes);
    const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    if (name === 'ArrayBuffer') return start(whole);
    const type = TYPED.get(name);
    if (type === undefined || whole.byteLength % type.BYTES_PER_ELEMENT !== 0)
      throw new BadData('no such bytes');
    return start(new type(whole));
  },
  e(codec, [, , parts], { at, start }) {
    if (typeof parts !== 'object' || parts === null || isArray(parts))
      throw new BadData('no error');
    const names = isArray(parts.types) ? parts.types.map(String) : [];
    const type = ERRORS.get(names.find((name) => ERRORS.has(name))) ?? Error;
    const error = start(new type(String(parts.message)));
    const hidden = { writable: true, enumerable: false, configurable: true };
    if (error.name !== parts.name)
      defineProperty(error, 'name', { value: String(parts.name), ...hidden });
    for (const [key, value] of codec.pairs(parts.own, at)) {
      if (key === 'cause') defineProperty(error, 'cause', { value, ...hidden });
      else if (key !== 'message' && key !== 'stack') define(error, String(key), value);
    }
    codec.hooks.noteError(error, parts);
    return error;
  },
  K(codec, [, number, items], { at, start }) {
    const known = codec.byNumber.get(number);
    if (known === undefined || codec.hooks.isAuthor) throw new BadData('no such object');
    start(known);
    codec.list(items, at);
    return known;
  },
};

module.exports = {
  BadData,
  Codec,
  Unsupported,
  areSame,
  contents,
  define,
  isActive,
  isPlain,
  parse,
  refill,
  stringify,
};
