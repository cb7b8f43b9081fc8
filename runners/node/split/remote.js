// The tests' side of the program: its exports, objects and promises, every use of which is one request. What comes back is
// data of exact built-in types, or a proxy that asks. What cannot be that, or that the program's process has ended, spoils
// the test under way whatever the test's own code makes of the error.
'use strict';

const { randomInt } = require('node:crypto');
const { isProxy, isPromise } = require('node:util').types;

const { Bytes, Closed, framed } = require('channel');
const {
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
} = require('codec');

const CHUNK = 60_000;
const SENTENCE_MAX = 2000;
const CLASSES_MAX = 20;
const CONSOLE = new Set(['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir']);
/**
 * Questions that show what a test expects: an object that was returned would say yes to each. Only objects that a test made
 * of a class, what they hold on to, and what the functions named by `entry` return are asked.
 */
const PREDICATE =
  /^(?:is|has|equal|contain|match|compare|same|can|should)(?![a-z])|^(?:includes?|indexOf|lastIndexOf|startsWith|endsWith|test|every|some|find|findIndex|findLast|findLastIndex|search|localeCompare|eq|deepEqual|equals|contains|matches|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)$/;

/** What goes through all of an object with a function of the tests: not calling it is an answer too. */
const TRAVERSAL = /^(?:forEach|filter|map|flatMap|reduce|reduceRight)$/;

/** What a program can bring upon itself. */
const FAILURES = new Set(['wrong_answer', 'runtime_error', 'time_limit', 'memory_limit', 'dead']);

/** No object of this side's own is ever shown to the program. */
function isOurs(value) {
  return value instanceof Remote || value instanceof Stream || value instanceof Codec;
}

/** Something that the program did and that no error of its own stands for. */
class CandidateError extends Error {}
class CandidateDead extends CandidateError {}

/** The envelope between this process and the service: one letter, then its body. */
class Stream {
  constructor(channel) {
    this.channel = channel;
    this.generation = 0;
    this.ended = 0;
    this.bytes = new Bytes(() => this.more());
  }

  tell(letter, body = Buffer.alloc(0)) {
    this.channel.send(Buffer.from(letter), body);
  }

  /** A program that has just started. */
  renew() {
    this.generation += 1;
    this.bytes.clear();
    const number = Buffer.alloc(4);
    number.writeUInt32BE(this.generation);
    this.tell('N', number);
  }

  get isAlive() {
    return this.generation > 0 && this.ended !== this.generation;
  }

  send(body) {
    const data = framed(body);
    for (let at = 0; at < data.length; at += CHUNK) this.tell('C', data.subarray(at, at + CHUNK));
  }

  receive() {
    return this.bytes.frame();
  }

  more() {
    for (;;) {
      const frame = this.channel.receive();
      const letter = frame.toString('latin1', 0, 1);
      const generation = frame.readUInt32BE(1);
      if (generation !== this.generation) continue;
      if (letter === 'X') {
        this.ended = generation;
        throw new CandidateDead('the program ended before it answered');
      }
      return frame.subarray(5);
    }
  }
}

class Remote {
  constructor(stream, { level, write_back: writesBack, entry = [] }) {
    this.stream = stream;
    this.level = level;
    this.writesBack = writesBack;
    this.factories = new Set([entry].flat());
    this.isAuthor = true;
    /** Why the test under way fails, and errors of the program's own. */
    this.spoiled = null;
    this.raised = new WeakSet();
    this.isAsked = false;
    this.handles = new WeakMap();
    this.next = randomInt(1 << 30);
    this.reset();
  }

  /** Nothing is known of a program that has not started yet. */
  reset() {
    this.codec = new Codec(this);
    this.proxies = new Map();
    this.callbacks = [];
    this.callbackNumbers = new Map();
    this.promises = new Map();
    this.sentPromises = new Map();
    this.settlements = [];
    this.exports = new Map();
    this.classes = new Map();
    /** Numbers of objects that tests made; below level 2 there are no others. */
    this.made = new Set();
    this.isBusy = false;
  }

  // Talking

  /** Loads the program; a result for all tests where that fails, else null. */
  start(demanded) {
    const before = this.exports;
    this.reset();
    this.stream.renew();
    this.spoiled = null;
    try {
      const names = this.exchange({ op: 'setup', demanded }).ok;
      if (!Array.isArray(names)) throw this.spoil('runtime_error', 'the program gave no names');
      for (const [name, node] of names) {
        const value = isHandle(node) ? this.view(node, true) : this.codec.decode(node);
        // What the tests call it, whatever the program calls it itself.
        const info = this.handles.get(value);
        if (info !== undefined) info.exported ??= String(name);
        this.exports.set(String(name), this.rebound(before?.get(name), value));
      }
      return null;
    } catch (error) {
      const failure = this.spoiled ?? ['runtime_error', sentenceOf(error)];
      this.spoiled = null;
      return failure;
    }
  }

  /** An export that tests hold already stands for that of the program that has just started. */
  rebound(old, value) {
    const [was, is] = [this.handles.get(old), this.handles.get(value)];
    if (was?.kind === undefined || was.kind !== is?.kind) return value;
    Object.assign(was, {
      id: is.id,
      name: is.name,
      classes: is.classes,
      generation: is.generation,
    });
    this.proxies.set(`${is.id} ${is.isTrusted}`, old);
    return old;
  }

  spoil(verdict, why) {
    if (!FAILURES.has(verdict)) throw new Error(`${verdict} is no failure`);
    const message = String(why).slice(0, SENTENCE_MAX);
    this.spoiled ??= [verdict, message];
    return new CandidateError(message);
  }

  /** One request and its reply. Throws what the program threw. */
  exchange(request) {
    if (!this.stream.isAlive) {
      this.spoil('dead', 'the program ended before it answered');
      throw new CandidateDead('the program has ended');
    }
    if (request.op !== 'setup' && request.op !== 'timers') this.isAsked = true;
    const reply = this.ask(request);
    this.take(reply);
    if (reply.un !== undefined) throw this.spoil('wrong_answer', reply.un);
    if (reply.er === undefined) return reply;
    const error = this.value(reply.er);
    if (typeof error === 'object' && error !== null) this.raised.add(error);
    throw error;
  }

  ask(request) {
    const i = (this.next += 1);
    const settle = this.settlements.splice(0);
    try {
      this.stream.send(
        Buffer.from(stringify({ ...request, i, ...(settle.length > 0 ? { settle } : {}) })),
      );
      for (;;) {
        const reply = parse(this.stream.receive().toString());
        if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
          throw new BadData('no reply');
        if (reply.cb !== undefined) this.answerCallback(reply);
        else if (reply.i === i) return reply;
        else throw new BadData('a reply to nothing');
      }
    } catch (error) {
      if (error instanceof CandidateDead) this.spoil('dead', error.message);
      // Of the channel to the program; that to the service has no such errors but its end.
      else if (!(error instanceof Closed) || !/end of file/.test(error.message)) {
        this.stream.ended = this.stream.generation;
        throw this.spoil(
          'runtime_error',
          `what the program answered cannot be read: ${error.message}`,
        );
      }
      throw error;
    }
  }

  /** What comes with a reply: what was printed, promises that are settled, arguments that were changed. */
  take({ con = [], st = [], wb = [] }) {
    this.isBusy = true;
    try {
      for (const [method, nodes] of con) {
        const values = nodes.map((node) => this.codec.decode(node));
        if (method === 'write') process.stdout.write(String(values[0]));
        else if (CONSOLE.has(method)) console[method](...values);
      }
      if (this.writesBack) for (const node of wb) this.codec.decode(node);
      for (const [id, how, node] of st) this.settlePromise(id, how, node);
    } catch (error) {
      throw this.spoil(
        'wrong_answer',
        `what the program answered is no plain data: ${error.message}`,
      );
    }
  }

  value(node) {
    try {
      return this.codec.decode(node);
    } catch (error) {
      throw this.spoil(
        'wrong_answer',
        `what the program answered is no plain data: ${error.message}`,
      );
    }
  }

  encode(value) {
    try {
      return this.codec.encode(value);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      throw this.spoil('wrong_answer', `an argument cannot be sent: ${error.message}`);
    }
  }

  request(op, on, more = {}) {
    return this.exchange({ op, on, ...more });
  }

  call(op, on, { self, args }) {
    const a = args.map((each) => this.encode(each));
    const t =
      self === undefined || self === null || !this.isForeign(self) ? {} : { t: this.encode(self) };
    return this.request(op, on, { a, ...t, ...(this.writesBack ? { wb: true } : {}) });
  }

  answerCallback({ cb, a }) {
    const isKnown = Number.isInteger(cb) && cb >= 0 && cb < this.callbacks.length;
    if (!isKnown || !Array.isArray(a)) throw new BadData('a call of nothing');
    const callback = this.callbacks[cb];
    const args = a.map((node) => this.codec.decode(node));
    let answer;
    try {
      answer = { ok: this.codec.encode(callback(...args)) };
    } catch (error) {
      // The program may catch it; an assertion has failed all the same.
      if (error?.isAssertion === true || error?.code === 'ERR_ASSERTION')
        this.spoil('wrong_answer', error.message);
      try {
        answer = { er: this.codec.encode(error) };
      } catch {
        answer = {
          er: ['e', 0, { name: 'Error', message: String(error?.message), types: [], own: [] }],
        };
      }
    }
    this.stream.send(Buffer.from(stringify(answer)));
  }

  /** Lets the program go on with what it began, for so many milliseconds at most. */
  turn(ms) {
    if (!this.stream.isAlive || !(this.isBusy || this.settlements.length > 0)) return;
    const { ok } = this.exchange({ op: 'turn', ms });
    this.isBusy = ok === true;
  }

  settlePromise(id, how, node) {
    const settlers = this.promises.get(id);
    if (settlers === undefined) return;
    this.promises.delete(id);
    if (how === 'un') settlers.reject(this.spoil('wrong_answer', String(node)));
    else {
      let value;
      try {
        value = this.value(node);
      } catch (error) {
        settlers.reject(error);
        return;
      }
      if (how === 'ok') settlers.resolve(value);
      else {
        if (typeof value === 'object' && value !== null) this.raised.add(value);
        settlers.reject(value);
      }
    }
  }

  // What does not travel

  isForeign(value) {
    return this.handles.get(value)?.isError === false;
  }

  entries(value) {
    if (isProxy(value) || isPromise(value) || isOurs(value)) return null;
    if (isPlain(value)) {
      if (isActive(value) && this.level < 2) return null;
      return Object.keys(value).map((key) => [key, value[key]]);
    }
    // An object of the tests' own: what it holds and what it does.
    if (this.level < 2) return null;
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
    const known = this.handles.get(value);
    if (known?.isError === false) {
      if (known.generation !== this.stream.generation)
        throw this.spoil('dead', 'an object of a program that has ended');
      return ['h', known.id];
    }
    if (typeof value === 'function') {
      if (this.level < 2) throw new Unsupported('a function is no plain data (level 2 allows it)');
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
      this.settlements.push([id, how, this.encode(result)]);
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
      if (this.level < 1) throw new BadData('an iterator (level 1 allows it)');
      return this.iterator(number, node[2] === true);
    }
    if (tag !== 'h') throw new BadData('an unknown tag');
    if (this.level < 2 && !this.made.has(number))
      throw new BadData(
        `${node[2] === 'f' ? 'a function' : 'an object'} that the test did not make (level 2 allows it)`,
      );
    return this.view(node, false);
  }

  promise(id) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.promises.set(id, { resolve, reject });
    this.isBusy = true;
    return promise;
  }

  iterator(on, isAsync) {
    const ask =
      (name) =>
      (...args) => {
        const a = args.map((each) => this.encode(each));
        return this.value(this.request('next', on, { name, a }).ok);
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
    if (!this.writesBack) return made;
    refill(own, made);
    codec.sent.set(own, contents(own));
    return own;
  }

  noteError(error, { classes }) {
    this.handles.set(error, {
      isError: true,
      classes: Array.isArray(classes) ? classes.map(String) : [],
    });
  }

  /** Of errors that tests send. */
  classesOf() {
    return {};
  }

  // Proxies

  /**
   * An object of the program's, trusted or not: by how the tests came by it, for an object that is returned may well be
   * one that is exported, too.
   */
  view([, id, kind, name, classes], isTrusted) {
    if (!Number.isInteger(id) || id < 0) throw new BadData('no number');
    const list = Array.isArray(classes) ? classes.slice(0, CLASSES_MAX).map(String) : [];
    return this.proxy(id, { kind, name: String(name), classes: list, isTrusted });
  }

  proxy(id, { kind, name, classes, isTrusted }) {
    const key = `${id} ${isTrusted}`;
    const known = this.proxies.get(key);
    if (known !== undefined) return known;
    const target = kind === 'f' ? function () {} : {};
    Object.setPrototypeOf(
      target,
      kind === 'f' ? Function.prototype : this.prototypeOf(name, classes),
    );
    const info = {
      isError: false,
      exported: null,
      members: null,
      isTrusted,
      id,
      kind,
      name,
      classes,
      generation: this.stream.generation,
    };
    const proxy = new Proxy(target, new Traps(this, info));
    info.proxy = proxy;
    this.proxies.set(key, proxy);
    this.handles.set(proxy, info);
    return proxy;
  }

  /** Stands for the prototype of a class of the program's. */
  prototypeOf(name, classes) {
    const key = `${name} ${classes.join(' ')}`;
    let prototype = this.classes.get(key);
    if (prototype === undefined) {
      prototype = {};
      Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
      this.classes.set(key, prototype);
    }
    return prototype;
  }

  /** What an object of the program's holds now, as plain data, and of which class it is. */
  snapshot(proxy) {
    const info = this.handles.get(proxy);
    const [form, parts] = this.request('snapshot', info.id).ok ?? [];
    if (!Array.isArray(parts))
      throw this.spoil('runtime_error', 'the program told nothing of an object');
    if (form === 'a' || form === 's') {
      const items = parts.map((node) => this.value(node));
      return form === 'a' ? items : new Set(items);
    }
    const pairs = parts.map(([key, node]) => [
      form === 'm' ? this.value(key) : String(key),
      this.value(node),
    ]);
    if (form === 'm') return new Map(pairs);
    const object = Object.create(Object.getPrototypeOf(proxy));
    for (const [key, value] of pairs) define(object, key, value);
    return object;
  }
}

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

function sentenceOf(error) {
  if (typeof error !== 'object' || error === null)
    return `${String(error)} was thrown`.slice(0, SENTENCE_MAX);
  return `${error.name ?? 'Error'}: ${error.message ?? ''}`.slice(0, SENTENCE_MAX);
}

module.exports = { CandidateDead, CandidateError, Closed, Remote, Stream, isSame, sentenceOf };
