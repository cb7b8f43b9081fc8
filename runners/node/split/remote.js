// The tests' side of the program: its exports, objects and promises, every use of which is one request. What comes back is
// data of exact built-in types, or a proxy that asks. What cannot be that, or that the program's process has ended, spoils
// the test under way whatever the test's own code makes of the error.
'use strict';

const { randomInt } = require('node:crypto');

const { Closed } = require('channel');
const { BadData, Codec, Unsupported, define, parse, stringify } = require('codec');
const { Crossing } = require('crossing');
const { CandidateDead, CandidateError, SENTENCE_MAX, sentenceOf } = require('stream');
const { Traps, isHandle } = require('traps');

const CLASSES_MAX = 20;
const CONSOLE = new Set(['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir']);

/** What a program can bring upon itself. */
const FAILURES = new Set(['wrong_answer', 'runtime_error', 'time_limit', 'memory_limit', 'dead']);

class Remote {
  constructor(stream, { level, write_back: writesBack, entry = [] }) {
    this.stream = stream;
    this.level = level;
    this.writesBack = writesBack;
    this.factories = new Set([entry].flat());
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
    this.crossing = new Crossing(this);
    this.codec = new Codec(this.crossing);
    this.proxies = new Map();
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
    if (request.op !== 'setup' && request.op !== 'timers') this.noteAsked();
    const reply = this.ask(request);
    this.take(reply);
    if (reply.un !== undefined) throw this.spoil('wrong_answer', reply.un);
    if (reply.er === undefined) return reply;
    const error = this.value(reply.er);
    if (typeof error === 'object' && error !== null) this.raised.add(error);
    throw error;
  }

  /** Anything of the tests may come from the program from now on. */
  noteAsked() {
    if (this.isAsked) return;
    this.isAsked = true;
    this.stream.tell('A');
  }

  ask(request) {
    const i = (this.next += 1);
    const settle = this.crossing.settlements.splice(0);
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
      for (const [id, how, node] of st) this.crossing.settlePromise(id, how, node);
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
    const isKnown = Number.isInteger(cb) && cb >= 0 && cb < this.crossing.callbacks.length;
    if (!isKnown || !Array.isArray(a)) throw new BadData('a call of nothing');
    const callback = this.crossing.callbacks[cb];
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
    if (!this.stream.isAlive || !(this.isBusy || this.crossing.settlements.length > 0)) return;
    const { ok } = this.exchange({ op: 'turn', ms });
    this.isBusy = ok === true;
  }

  isForeign(value) {
    return this.handles.get(value)?.isError === false;
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

module.exports = { Remote };
