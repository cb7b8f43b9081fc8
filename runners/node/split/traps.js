// What tests do with a function or an object of the program's: every use is one request.
'use strict';

/**
 * Questions that show what a test expects: an object that was returned would say yes to each. Only objects that a test made
 * of a class, what they hold on to, and what the functions named by `entry` return are asked.
 */
const PREDICATE =
  /^(?:is|has|equal|contain|match|compare|same|can|should)(?![a-z])|^(?:includes?|indexOf|lastIndexOf|startsWith|endsWith|test|every|some|find|findIndex|findLast|findLastIndex|search|localeCompare|eq|deepEqual|equals|contains|matches|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)$/;

/** What goes through all of an object with a function of the tests: not calling it is an answer too. */
const TRAVERSAL = /^(?:forEach|filter|map|flatMap|reduce|reduceRight)$/;

/** What tests do with a function or an object of the program's. */
class Traps {
  constructor(remote, info) {
    this.remote = remote;
    this.info = info;
  }

  get id() {
    const { remote, info } = this;
    if (info.generation !== remote.stream.generation)
      throw remote.spoil('dead', 'an object of a program that has ended');
    return info.id;
  }

  apply(target, self, args) {
    const { remote, info } = this;
    const { ok } = remote.call('call', this.id, { self, args });
    if (!isHandle(ok)) return remote.value(ok);
    // An object that returns itself is the one that it was.
    const owner = remote.handles.get(self);
    const isItself = owner?.isTrusted === true && owner.id === ok[1];
    const isMade = info.isTrusted && remote.factories.has(info.exported);
    return isItself || isMade ? remote.view(ok, true) : remote.value(ok);
  }

  construct(target, args) {
    const { remote } = this;
    const { ok } = remote.call('new', this.id, { args });
    if (!isHandle(ok) || !this.info.isTrusted) return remote.value(ok);
    remote.made.add(ok[1]);
    return remote.view(ok, true);
  }

  get(target, name) {
    const { remote, info } = this;
    if (typeof name === 'symbol') return this.symbol(name);
    if (name === 'constructor' && info.kind === 'o')
      return remote.exports.get(info.classes[0]) ?? namedClass(info.name);
    if (info.kind === 'f') {
      if (name === 'name') return info.name;
      if (name === 'call') return (self, ...args) => Reflect.apply(info.proxy, self, args);
      if (name === 'apply') return (self, args) => Reflect.apply(info.proxy, self, args ?? []);
      if (name === 'bind')
        return (self, ...first) =>
          (...args) =>
            Reflect.apply(info.proxy, self, [...first, ...args]);
    }
    if (!this.isMember(name)) return undefined;
    const { ok } = remote.request('get', this.id, { name });
    if (!isHandle(ok)) return remote.value(ok);
    // What a known object holds is the program's as much as its exports are, and so are methods.
    const held = remote.view(ok, info.isTrusted);
    if (info.isTrusted || ok[2] !== 'f') return held;
    const isTraversal = TRAVERSAL.test(name);
    if (!isTraversal && !PREDICATE.test(name)) return held;
    return (...args) => {
      if (isTraversal ? !args.some((each) => typeof each === 'function') : args.length === 0)
        return Reflect.apply(held, info.proxy, args);
      throw remote.spoil(
        'wrong_answer',
        `an object that the program returned is asked ${name}(…) and may say what it likes (entry can name the function that returns it)`,
      );
    };
  }

  /**
   * Whether there is such a property. Objects that were returned are asked for all their names, never for one, so that none
   * has whatever a test asks for.
   */
  isMember(name) {
    const { remote, info } = this;
    if (info.isTrusted || info.members?.has(name) === true) return true;
    const { ok } = remote.request('members', this.id);
    info.members = new Set(Array.isArray(ok) ? ok : []);
    return info.members.has(name);
  }

  symbol(name) {
    const { remote, info } = this;
    if (name === Symbol.toPrimitive)
      return (hint) => {
        // As a number it could be another one each time.
        if (hint !== 'string' && !info.isTrusted && info.kind === 'o')
          throw remote.spoil(
            'wrong_answer',
            'an object that the program returned is reckoned with as a number (entry can name the function that returns it)',
          );
        return remote.value(remote.request('primitive', this.id, { hint }).ok);
      };
    if (name === Symbol.toStringTag) return info.kind === 'o' ? info.name : undefined;
    if (info.kind === 'f') {
      if (name !== Symbol.hasInstance) return undefined;
      return (value) => isObjectOf(remote, value, info);
    }
    if (name !== Symbol.iterator && name !== Symbol.asyncIterator) return undefined;
    const isAsync = name === Symbol.asyncIterator;
    if (
      remote.request('has', this.id, { symbol: isAsync ? 'asyncIterator' : 'iterator' }).ok !== true
    )
      return undefined;
    return () => {
      const { ok } = remote.request('iterate', this.id, { isAsync });
      return remote.value(['i', ok, isAsync]);
    };
  }

  set(target, name, value) {
    if (typeof name === 'symbol') return false;
    this.remote.request('set', this.id, { name, a: this.remote.encode(value) });
    return true;
  }

  has(target, name) {
    if (typeof name !== 'string' || !this.isMember(name)) return false;
    return !this.info.isTrusted || this.remote.request('has', this.id, { name }).ok === true;
  }

  deleteProperty(target, name) {
    return this.remote.request('delete', this.id, { name: String(name) }).ok === true;
  }

  ownKeys(target) {
    return this.info.kind === 'f'
      ? Reflect.ownKeys(target)
      : Reflect.ownKeys(this.remote.snapshot(this.info.proxy)).filter((key) => key !== 'length');
  }

  getOwnPropertyDescriptor(target, name) {
    if (typeof name === 'symbol' || this.info.kind === 'f')
      return Reflect.getOwnPropertyDescriptor(target, name);
    const held = Object.getOwnPropertyDescriptor(this.remote.snapshot(this.info.proxy), name);
    return held && { ...held, configurable: true };
  }

  defineProperty(target, name, { value }) {
    return this.set(target, name, value);
  }

  getPrototypeOf(target) {
    return Object.getPrototypeOf(target);
  }

  setPrototypeOf() {
    return false;
  }

  preventExtensions() {
    return false;
  }
}

function isHandle(node) {
  return Array.isArray(node) && node[0] === 'h';
}

/** Whether two values are the same, or the same object of the program's seen in two ways. */
function isSame(remote, left, right) {
  if (Object.is(left, right)) return true;
  const [a, b] = [remote.handles.get(left), remote.handles.get(right)];
  return (
    a?.isError === false && b?.isError === false && a.id === b.id && a.generation === b.generation
  );
}

function namedClass(name) {
  const type = function () {};
  Object.defineProperty(type, 'name', { value: name });
  return type;
}

/** Whether a value is, by the program's word, of one of its classes. */
function isObjectOf(remote, value, { name, proxy }) {
  const known =
    (typeof value === 'object' || typeof value === 'function') && value !== null
      ? remote.handles.get(value)
      : undefined;
  if (known === undefined) return false;
  return (
    known.classes.some((each) => isSame(remote, remote.exports.get(each), proxy)) ||
    (!known.isError && known.name === name && known.classes.length === 0)
  );
}

module.exports = { Traps, isHandle, isSame };
