// The candidate's side: loads the program and answers what the tests ask of it. Holds no tests and no results; whatever
// the program does to it, it can only answer.
'use strict';

const fs = require('node:fs');
const { createRequire, stripTypeScriptTypes } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const util = require('node:util');
const vm = require('node:vm');

const { Channel, Closed, takeStreams } = require('channel');
const { Codec, Unsupported, isActive, isPlain, parse, refill, stringify } = require('codec');
const { FakeTimers, REAL } = require('timers');

const CONSOLE = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir'];
/** Of what is printed and not told yet; beyond it goes to standard error. */
const PRINTED_MAX = 64 << 10;
const NAMES_MAX = 10_000;
/** As if standard input were empty and standard output the captured one, for what goes around the streams. */
function takeDescriptors(print) {
  const { readSync, readFileSync, writeSync, writeFileSync } = fs;
  const isInput = (file) => file === 0 || file === '/dev/stdin';
  const isOutput = (file) => file === 1 || file === '/dev/stdout';
  const text = (data) =>
    typeof data === 'string'
      ? data
      : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
  fs.readSync = (file, ...rest) => (isInput(file) ? 0 : readSync(file, ...rest));
  fs.readFileSync = (file, options) => {
    if (!isInput(file)) return readFileSync(file, options);
    return (options?.encoding ?? options) ? '' : Buffer.alloc(0);
  };
  fs.writeFileSync = (file, data, ...rest) =>
    isOutput(file) ? print(text(data)) : writeFileSync(file, data, ...rest);
  fs.writeSync = (file, data, ...rest) => {
    if (!isOutput(file)) return writeSync(file, data, ...rest);
    print(text(data));
    return Buffer.byteLength(data);
  };
}

/** A module that exports or has something to do with exports; names of any other script are its globals. */
const EXPORTS = /\bexports?\b/;
const { then } = Promise.prototype;

class Server {
  constructor(channel) {
    this.channel = channel;
    this.codec = new Codec(this);
    this.isAuthor = false;
    this.objects = [];
    this.ids = new Map();
    this.exported = new Map();
    this.iterators = [];
    this.stubs = new Map();
    this.stubNumbers = new Map();
    this.promised = new Map();
    this.promises = 0;
    this.settled = [];
    this.printed = [];
    this.printedBytes = 0;
    this.timers = new FakeTimers();
    this.wake = () => {};
  }

  // What does not travel

  isForeign() {
    return false;
  }

  entries(value) {
    if (!isPlain(value) || (isActive(value) && !this.codec.numbers.has(value))) return null;
    return Object.keys(value).map((key) => [key, value[key]]);
  }

  outside(value) {
    const stub = this.stubNumbers.get(value);
    if (stub !== undefined) return ['c', stub];
    if (util.types.isPromise(value)) return this.promise(value);
    if (typeof value !== 'function') {
      const isAsync = typeof value[Symbol.asyncIterator] === 'function';
      if (
        typeof value.next === 'function' &&
        (isAsync || typeof value[Symbol.iterator] === 'function')
      )
        return ['i', this.iterators.push(value) - 1, isAsync];
    }
    return this.handle(value);
  }

  handle(value) {
    let id = this.ids.get(value);
    if (id === undefined) {
      id = this.objects.push(value) - 1;
      this.ids.set(value, id);
    }
    const isFunction = typeof value === 'function';
    const name = isFunction ? value.name : Object.getPrototypeOf(value)?.constructor?.name;
    return [
      'h',
      id,
      isFunction ? 'f' : 'o',
      typeof name === 'string' ? name : '',
      this.classesOf(value).classes,
    ];
  }

  promise(value) {
    const id = (this.promises += 1);
    const settle = (how) => (result) => {
      let node;
      try {
        node = [id, how, this.codec.encode(result)];
      } catch (error) {
        node = [id, 'un', error.message];
      }
      this.settled.push(node);
      this.wake();
    };
    Reflect.apply(then, value, [settle('ok'), settle('er')]);
    return ['p', id];
  }

  inside([tag, number]) {
    if (tag === 'h') return this.objects[number];
    if (tag === 'c') return this.stub(number);
    if (tag === 'P') {
      const { promise, ...settlers } = Promise.withResolvers();
      // Whoever waits for it hears of it.
      promise.catch(() => undefined);
      this.promised.set(number, settlers);
      return promise;
    }
    throw new Error('an unknown tag');
  }

  /** A function of the tests'. */
  stub(number) {
    let stub = this.stubs.get(number);
    if (stub === undefined) {
      const server = this;
      stub = function (...args) {
        return server.callBack(number, args);
      };
      this.stubs.set(number, stub);
      this.stubNumbers.set(stub, number);
    }
    return stub;
  }

  settle(codec, made, number) {
    const known = codec.byNumber.get(number);
    if (known === undefined) codec.know(made, number);
    else refill(known, made);
    return known ?? made;
  }

  noteError() {}

  /** Names of exported classes that an object is of. */
  classesOf(value) {
    const classes = [];
    for (
      let at = Object.getPrototypeOf(value);
      at !== null && classes.length < 20;
      at = Object.getPrototypeOf(at)
    ) {
      const name = this.exported.get(Object.getOwnPropertyDescriptor(at, 'constructor')?.value);
      if (name !== undefined) classes.push(name);
    }
    return { classes };
  }

  // Loading

  async load(demanded) {
    const { path: entry } = parse(fs.readFileSync('solution.json', 'utf8'));
    const file = path.resolve(entry);
    const source = fs.readFileSync(file, 'utf8');
    const names = EXPORTS.test(source)
      ? await this.exports(file)
      : this.script(file, source, demanded);
    for (const [name, value] of names)
      if (typeof value === 'function' && !this.exported.has(value)) this.exported.set(value, name);
    return names.map(([name, value]) => [name, this.exportNode(value)]);
  }

  exportNode(value) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    try {
      const node = this.codec.encode(value);
      // What an exported object holds is asked for when it is needed.
      return isObject && !Array.isArray(value) && isPlain(value) ? this.handle(value) : node;
    } catch {
      return isObject ? this.handle(value) : ['u'];
    }
  }

  async exports(file) {
    let found;
    try {
      found = createRequire(file)(file);
    } catch (error) {
      if (error?.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
      found = await import(pathToFileURL(file));
    }
    const isModule = util.types.isModuleNamespaceObject(found);
    const isObject = (typeof found === 'object' && found !== null) || typeof found === 'function';
    const names = isObject ? Object.keys(found).slice(0, NAMES_MAX) : [];
    const pairs = names.map((name) => [name, found[name]]);
    // What `require` gives: all names, and of CommonJS the whole under the name that ES modules know it by.
    return isModule
      ? [...pairs, ['__esModule', true]]
      : [
          ...pairs.filter(([name]) => name !== 'default' || found.__esModule),
          ...(found?.__esModule === true ? [] : [['default', found]]),
        ];
  }

  script(file, source, demanded) {
    const globals = { require: createRequire(file), module: { exports: {} } };
    Object.assign(globalThis, globals, { __filename: file, __dirname: path.dirname(file) });
    const plain = file.endsWith('.ts')
      ? stripTypeScriptTypes(source, { mode: 'transform' })
      : source;
    vm.runInThisContext(plain, { filename: file });
    const find = (name) =>
      vm.runInThisContext(`typeof ${name} === "undefined" ? undefined : ${name}`);
    const known = demanded.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !(name in REAL));
    const found = known.flatMap((name) => {
      try {
        return [[name, find(name)]];
      } catch {
        // A word of the language.
        return [];
      }
    });
    return [...found.filter(([, value]) => value !== undefined), ['__script', true]];
  }

  // Serving

  async serve() {
    for (;;) {
      const request = parse(this.channel.receive().toString());
      if (request.op === 'setup') await this.setup(request);
      else if (request.op === 'turn') await this.turn(request);
      else this.answer(request);
    }
  }

  async setup({ i, demanded }) {
    const reply = { i };
    try {
      reply.ok = await this.load(demanded);
    } catch (error) {
      reply.er = this.thrown(error);
    }
    this.reply(reply);
  }

  /** Lets what the program began go on, until something comes of it or the time is over. */
  async turn({ i, ms, settle = [] }) {
    this.takeSettled(settle);
    await new Promise((resolve) => REAL.setImmediate(resolve));
    const isQuiet = () => this.settled.length === 0 && this.printed.length === 0;
    const isBusy = () =>
      process.getActiveResourcesInfo().some((each) => !/^(?:Pipe|TTY)Wrap$/.test(each));
    if (isQuiet() && isBusy()) {
      const { promise, resolve } = Promise.withResolvers();
      this.wake = resolve;
      const timer = REAL.setTimeout(resolve, ms);
      await promise;
      this.wake = () => {};
      REAL.clearTimeout(timer);
      // Other timers that are due as well come before the answer.
      await new Promise((resolve) => REAL.setImmediate(resolve));
    }
    this.reply({ i, ok: isBusy() });
  }

  takeSettled(list) {
    for (const [number, how, node] of list) {
      const settlers = this.promised.get(number);
      this.promised.delete(number);
      if (how === 'ok') settlers?.resolve(this.codec.decode(node));
      else settlers?.reject(this.codec.decode(node));
    }
  }

  answer(request) {
    const reply = { i: request.i };
    const known = request.wb ? new Map() : null;
    try {
      this.takeSettled(request.settle ?? []);
      reply.ok = OPERATIONS[request.op](this, request, known);
    } catch (error) {
      if (error instanceof Closed) throw error;
      if (error instanceof Unsupported) reply.un = error.message;
      else reply.er = this.thrown(error);
    }
    if (known !== null) reply.wb = this.written(known);
    this.reply(reply);
  }

  /** The arguments of a call as they are after it. */
  written(args) {
    try {
      return [...args.values()].map((value) => this.codec.encode(value));
    } catch {
      return [];
    }
  }

  reply(reply) {
    if (this.settled.length > 0) reply.st = this.settled.splice(0);
    if (this.printed.length > 0) {
      reply.con = this.printed.splice(0);
      this.printedBytes = 0;
    }
    this.channel.send(Buffer.from(stringify(reply)));
  }

  thrown(error) {
    try {
      return this.codec.encode(error);
    } catch (problem) {
      return this.codec.encode(`something was thrown that is no plain data: ${problem.message}`);
    }
  }

  callBack(number, args) {
    this.channel.send(
      Buffer.from(stringify({ cb: number, a: args.map((each) => this.codec.encode(each)) })),
    );
    for (;;) {
      const message = parse(this.channel.receive().toString());
      if (message.op !== undefined) this.answer(message);
      else if ('er' in message) throw this.codec.decode(message.er);
      else return this.codec.decode(message.ok);
    }
  }

  print(method, args) {
    let nodes;
    try {
      nodes = args.map((each) =>
        typeof each === 'function' ? String(each) : this.codec.encode(each),
      );
      if (nodes.some((node) => Array.isArray(node) && 'hip'.includes(node[0])))
        throw new Unsupported('not as it is');
    } catch {
      nodes = [util.format(...args)];
    }
    const size = stringify(nodes).length;
    if (this.printedBytes + size > PRINTED_MAX) process.stderr.write(`${util.format(...args)}\n`);
    else {
      this.printedBytes += size;
      this.printed.push([method, nodes]);
      this.wake();
    }
  }
}

function listOf(codec, nodes) {
  return nodes.map((node) => codec.decode(node));
}

const OPERATIONS = {
  /** Names of all that an object and its classes have. */
  members({ objects }, { on }) {
    const names = new Set();
    for (
      let at = objects[on];
      at !== null && at !== undefined && at !== Object.prototype && at !== Function.prototype;
      at = Object.getPrototypeOf(at)
    )
      for (const name of Object.getOwnPropertyNames(at))
        if (names.size < NAMES_MAX) names.add(name);
    return [...names];
  },
  call({ codec, objects }, { on, t, a }, known) {
    const self = t === undefined ? undefined : codec.decode(t);
    const args = listOf(codec, a);
    note(codec, args, known);
    return codec.encode(Reflect.apply(objects[on], self, args));
  },
  new({ codec, objects }, { on, a }, known) {
    const args = listOf(codec, a);
    note(codec, args, known);
    const made = Reflect.construct(objects[on], args);
    return codec.hooks.handle(made);
  },
  get({ codec, objects }, { on, name }) {
    const value = objects[on][name];
    return typeof value === 'function' && !codec.hooks.stubNumbers.has(value)
      ? codec.hooks.handle(value)
      : codec.encode(value);
  },
  set({ codec, objects }, { on, name, a }) {
    return Reflect.set(objects[on], name, codec.decode(a));
  },
  delete({ objects }, { on, name }) {
    return Reflect.deleteProperty(objects[on], name);
  },
  has({ objects }, { on, name, symbol }) {
    return (symbol === undefined ? name : Symbol[symbol]) in Object(objects[on]);
  },
  /** What an object holds, all at once, so that nothing of what it is compared with is told. */
  snapshot({ codec, objects }, { on }) {
    const value = objects[on];
    const pairs =
      typeof value === 'function'
        ? []
        : Object.keys(value).map((key) => [key, codec.encode(value[key])]);
    if (Array.isArray(value)) return ['a', Array.from(value, (each) => codec.encode(each))];
    if (util.types.isMap(value))
      return ['m', Array.from(value, (pair) => listEncoded(codec, pair))];
    if (util.types.isSet(value)) return ['s', listEncoded(codec, [...value])];
    return ['O', pairs];
  },
  iterate({ objects, iterators }, { on, isAsync }) {
    const value = objects[on];
    const method = value[isAsync ? Symbol.asyncIterator : Symbol.iterator];
    if (typeof method !== 'function') throw new TypeError('the object is not iterable');
    return iterators.push(Reflect.apply(method, value, [])) - 1;
  },
  next({ codec, iterators }, { on, name, a }) {
    const iterator = iterators[on];
    const method = iterator[name];
    if (method === undefined) return codec.encode({ value: undefined, done: true });
    const result = Reflect.apply(method, iterator, listOf(codec, a));
    return codec.encode(
      util.types.isPromise(result) ? result : { value: result.value, done: Boolean(result.done) },
    );
  },
  primitive({ codec, objects }, { on, hint }) {
    const value = objects[on];
    const own = value[Symbol.toPrimitive];
    if (typeof own === 'function') return codec.encode(Reflect.apply(own, value, [hint]));
    const order = hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString'];
    for (const name of order) {
      const found = typeof value[name] === 'function' ? value[name]() : value;
      if (typeof found !== 'object' && typeof found !== 'function') return codec.encode(found);
    }
    throw new TypeError('Cannot convert object to primitive value');
  },
  timers({ codec, timers }, { verb, value }) {
    return codec.encode(
      timers.perform(verb, value === undefined ? undefined : codec.decode(value)),
    );
  },
};

function listEncoded(codec, values) {
  return values.map((each) => codec.encode(each));
}

function note(codec, args, known) {
  if (known === null) return;
  for (const each of args) {
    const number = codec.numbers.get(each);
    if (number !== undefined) known.set(number, each);
  }
}

function main() {
  const channel = new Channel();
  const server = new Server(channel);
  takeStreams((text) => server.print('write', [text]));
  takeDescriptors((text) => server.print('write', [text]));
  const own = new console.Console(process.stderr);
  for (const method of CONSOLE) own[method] = (...args) => server.print(method, args);
  globalThis.console = own;
  server.serve().catch((error) => {
    if (!(error instanceof Closed)) process.stderr.write(`${util.inspect(error)}\n`);
    process.exit(0);
  });
}

module.exports = { main };
