// What does not travel as data: the hooks of the codec on the tests' side. Owns the functions and promises of the tests that
// the program holds, and its promises that the tests hold.
'use strict';

const { isProxy, isPromise } = require('node:util').types;

const {
  BadData,
  Codec,
  Unsupported,
  areSame,
  contents,
  isActive,
  isPlain,
  refill,
} = require('codec');
const { Stream } = require('stream');

class Crossing {
  constructor(remote) {
    this.remote = remote;
    this.isAuthor = true;
    this.callbacks = [];
    this.callbackNumbers = new Map();
    this.promises = new Map();
    this.sentPromises = new Map();
    this.settlements = [];
  }

  isForeign(value) {
    return this.remote.isForeign(value);
  }

  /** No object of this side's own is ever shown to the program. */
  isOurs(value) {
    return [this, this.remote].includes(value) || value instanceof Stream || value instanceof Codec;
  }

  entries(value) {
    if (isProxy(value) || isPromise(value) || this.isOurs(value)) return null;
    if (isPlain(value)) {
      if (isActive(value) && this.remote.level < 2) return null;
      return Object.keys(value).map((key) => [key, value[key]]);
    }
    // An object of the tests' own: what it holds and what it does.
    if (this.remote.level < 2) return null;
    const pairs = new Map(Object.keys(value).map((key) => [key, value[key]]));
    for (
      let at = Object.getPrototypeOf(value);
      at !== null && at !== Object.prototype;
      at = Object.getPrototypeOf(at)
    ) {
      for (const name of Object.getOwnPropertyNames(at)) {
        const { value: method } = Object.getOwnPropertyDescriptor(at, name);
        if (name !== 'constructor' && typeof method === 'function' && !pairs.has(name))
          pairs.set(name, this.bound(value, method));
      }
    }
    return [...pairs];
  }

  bound(object, method) {
    const made = (...args) => Reflect.apply(method, object, args);
    return made;
  }

  outside(value) {
    const known = this.remote.handles.get(value);
    if (known?.isError === false) {
      if (known.generation !== this.remote.stream.generation)
        throw this.remote.spoil('dead', 'an object of a program that has ended');
      return ['h', known.id];
    }
    if (typeof value === 'function') {
      if (this.remote.level < 2)
        throw new Unsupported('a function is no plain data (level 2 allows it)');
      let number = this.callbackNumbers.get(value);
      if (number === undefined) {
        number = this.callbacks.push(value) - 1;
        this.callbackNumbers.set(value, number);
      }
      return ['c', number];
    }
    if (isPromise(value)) return this.sendPromise(value);
    throw new Unsupported('an object of a class is no plain data (level 2 allows it)');
  }

  sendPromise(value) {
    const id = this.sentPromises.get(value) ?? this.sentPromises.size + 1;
    if (this.sentPromises.has(value)) return ['P', id];
    this.sentPromises.set(value, id);
    const settle = (how) => (result) => {
      this.settlements.push([id, how, this.remote.encode(result)]);
    };
    value.then(settle('ok'), settle('er'));
    return ['P', id];
  }

  inside(node) {
    const [tag, number] = node;
    if (!Number.isInteger(number) || number < 0) throw new BadData('no number');
    if (tag === 'c' && number < this.callbacks.length) return this.callbacks[number];
    if (tag === 'p') return this.promise(number);
    if (tag === 'i') {
      if (this.remote.level < 1) throw new BadData('an iterator (level 1 allows it)');
      return this.iterator(number, node[2] === true);
    }
    if (tag !== 'h') throw new BadData('an unknown tag');
    if (this.remote.level < 2 && !this.remote.made.has(number))
      throw new BadData(
        `${node[2] === 'f' ? 'a function' : 'an object'} that the test did not make (level 2 allows it)`,
      );
    return this.remote.view(node, false);
  }

  promise(id) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.promises.set(id, { resolve, reject });
    this.remote.isBusy = true;
    return promise;
  }

  iterator(on, isAsync) {
    const ask =
      (name) =>
      (...args) => {
        const a = args.map((each) => this.remote.encode(each));
        return this.remote.value(this.remote.request('next', on, { name, a }).ok);
      };
    const iterator = { next: ask('next'), return: ask('return'), throw: ask('throw') };
    const hidden = { enumerable: false, writable: true, configurable: true };
    for (const key of Object.keys(iterator))
      Object.defineProperty(iterator, key, { enumerable: false });
    Object.defineProperty(iterator, isAsync ? Symbol.asyncIterator : Symbol.iterator, {
      value: () => iterator,
      ...hidden,
    });
    return iterator;
  }

  settle(codec, made, number) {
    const own = codec.byNumber.get(number);
    if (
      own === undefined ||
      Object.prototype.toString.call(own) !== Object.prototype.toString.call(made)
    )
      throw new BadData('no such object');
    if (areSame(contents(made), contents(own))) return own;
    if (!this.remote.writesBack) return made;
    refill(own, made);
    codec.sent.set(own, contents(own));
    return own;
  }

  noteError(error, { classes }) {
    this.remote.handles.set(error, {
      isError: true,
      classes: Array.isArray(classes) ? classes.map(String) : [],
    });
  }

  /** Of errors that tests send. */
  classesOf() {
    return {};
  }

  settlePromise(id, how, node) {
    const settlers = this.promises.get(id);
    if (settlers === undefined) return;
    this.promises.delete(id);
    if (how === 'un') settlers.reject(this.remote.spoil('wrong_answer', String(node)));
    else {
      let value;
      try {
        value = this.remote.value(node);
      } catch (error) {
        settlers.reject(error);
        return;
      }
      if (how === 'ok') settlers.resolve(value);
      else {
        if (typeof value === 'object' && value !== null) this.remote.raised.add(value);
        settlers.reject(value);
      }
    }
  }
}

module.exports = { Crossing };
