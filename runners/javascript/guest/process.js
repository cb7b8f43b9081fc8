// The `process` object: what programs use of it, and for the rest of Node's members the answer `unsupported`.
'use strict';

const {
  BigInt,
  MathFloor,
  NumberIsInteger,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  String,
  StringPrototypeSlice,
  TypedArrayPrototypeSlice,
} = primordials;

const { isUtf8, utf8Slice } = require('assay/bytes');
const timers = require('assay/timers');
const { unsupported, facts } = host;

const bufferClass = () => require('buffer').Buffer;

const CHUNK_BYTES = 65536;
/** Writes that are told at once, so that what a program printed before it hangs is not lost with it. */
const EAGER_WRITES = 32;
const HELD_CHARACTERS = 16384;

/** Text not handed to the host yet, by stream, and characters written in all. */
const held = { __proto__: null, 1: '', 2: '' };
const written = { __proto__: null, 1: 0, 2: 0 };
let writes = 0;

function take() {
  const texts = { out: held[1], err: held[2] };
  held[1] = '';
  held[2] = '';
  return texts;
}

function emit(fd, text) {
  // More than the cap need not leave: bytes are never fewer than characters.
  const room = host.config.outputBytes + 1 - written[fd];
  if (room <= 0) return;
  const kept = text.length > room ? StringPrototypeSlice(text, 0, room) : text;
  written[fd] += kept.length;
  held[fd] += kept;
  writes += 1;
  if (writes <= EAGER_WRITES && room > text.length) host.tell('output', held[1], held[2]);
  else if (room <= text.length || held[1].length + held[2].length >= HELD_CHARACTERS)
    host.ask('output', held[1], held[2]);
  else return;
  take();
}

function toText(chunk, encoding) {
  if (typeof chunk === 'string') {
    const isText =
      encoding === undefined ||
      encoding === 'utf8' ||
      encoding === 'utf-8' ||
      encoding === 'buffer';
    if (isText) return chunk;
    return toText(bufferClass().from(chunk, encoding));
  }
  if (!isUtf8(chunk)) return unsupported('output that is not UTF-8');
  return utf8Slice(chunk, 0, chunk.length);
}

/** Members of Node's own stdio streams (net.Socket) that are not played here. */
const SOCKET_MEMBERS = [
  '_handle',
  '_type',
  '_refreshSize',
  'setBlocking',
  'destroySoon',
  'connect',
  'address',
  'bytesWritten',
  'bytesRead',
  'getColorDepth',
];

function refuseMembers(stream, names) {
  for (const name of names) {
    ObjectDefineProperty(stream, name, {
      __proto__: null,
      configurable: true,
      get: () => unsupported(`process.std*.${name}`),
    });
  }
}

let hasOutputStream = false;

function createOutput(fd) {
  hasOutputStream = true;
  const { Writable } = require('stream');
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, encoding, callback) {
      emit(fd, toText(chunk, encoding));
      callback();
    },
  });
  stream.fd = fd;
  stream._isStdio = true;
  // As in Node: standard output cannot be closed.
  stream.destroySoon = stream.destroy;
  stream._destroy = function (error, callback) {
    callback(error);
  };
  refuseMembers(
    stream,
    SOCKET_MEMBERS.filter((name) => name !== 'destroySoon'),
  );
  return stream;
}

/** Where the program has read to, whichever way it reads. */
const input = { at: 0, bytes: null, isStreamEnded: false, stream: null };

function inputBytes() {
  input.bytes ??= bufferClass().from(host.config.stdin, 'utf8');
  return input.bytes;
}

/** All that is left, as fs.readFileSync(0) takes it: a string when nothing was read before. */
function readAll(wantsText) {
  if (input.stream !== null) return unsupported('stdin read both as a stream and as a file');
  if (wantsText && input.at === 0) {
    input.at = Infinity;
    return host.config.stdin;
  }
  if (input.at === Infinity) return wantsText ? '' : bufferClass().alloc(0);
  const rest = TypedArrayPrototypeSlice(inputBytes(), input.at);
  input.at = Infinity;
  const buffer = bufferClass().from(rest.buffer, rest.byteOffset, rest.length);
  return wantsText ? buffer.utf8Slice(0, buffer.length) : buffer;
}

function createInput() {
  if (input.at !== 0) return unsupported('stdin read both as a file and as a stream');
  const { Readable } = require('stream');
  const stream = new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      input.isWanted = true;
    },
  });
  stream.fd = 0;
  for (const name of ['ref', 'unref']) {
    stream[name] = function () {
      if (name === 'unref') unsupported('process.stdin.unref');
      return this;
    };
  }
  stream.setRawMode = undefined;
  refuseMembers(stream, SOCKET_MEMBERS);
  // As the read end of a pipe has it.
  stream.writable = false;
  input.stream = stream;
  return stream;
}

/** Listeners of `readable` stop the flow, but read. */
const isPaused = (stream) => stream.isPaused() && stream.listenerCount('readable') === 0;

/** Hands one chunk to a stream that reads; the poll phase. False when nothing waits for input. */
function poll() {
  const { stream } = input;
  if (stream === null || !input.isWanted || input.isStreamEnded) return false;
  if (stream.destroyed || isPaused(stream)) return false;
  const bytes = inputBytes();
  if (input.at >= bytes.length) {
    input.isStreamEnded = true;
    stream.push(null);
    return true;
  }
  input.isWanted = false;
  const end = input.at + CHUNK_BYTES;
  const part = TypedArrayPrototypeSlice(bytes, input.at, end);
  input.at = end;
  stream.push(bufferClass().from(part.buffer, part.byteOffset, part.length));
  return true;
}

const isReading = () =>
  input.stream !== null &&
  input.isWanted &&
  !input.isStreamEnded &&
  !input.stream.destroyed &&
  !isPaused(input.stream);

let exitCode;

function checkedCode(code) {
  if (code === undefined || code === null) return undefined;
  if (typeof code === 'string' && code !== '' && NumberIsInteger(+code)) return +code;
  if (!NumberIsInteger(code)) return unsupported('an exit code that is no integer');
  return code;
}

/** Tells the listeners and gives the exit code. */
function leave() {
  if (!host.isExiting) {
    host.isExiting = true;
    emitEvent('exit', exitCode ?? 0);
  }
  return (exitCode ?? 0) & 255;
}

/** The end of a program that has nothing more to do; its output is handed over. */
function finish() {
  const code = leave();
  const { out, err } = take();
  if (out !== '' || err !== '') host.ask('output', out, err);
  return code;
}

function exit(code) {
  const given = checkedCode(code);
  if (given !== undefined) exitCode = given;
  const status = leave();
  const { out, err } = take();
  host.tell('exit', status, out, err);
  return host.halt();
}

function hrtime(previous) {
  const ns = host.nowNs();
  const seconds = MathFloor(ns / 1e9);
  const rest = MathFloor(ns % 1e9);
  if (previous === undefined) return [seconds, rest];
  const s = seconds - previous[0];
  const n = rest - previous[1];
  return n < 0 ? [s - 1, n + 1e9] : [s, n];
}
hrtime.bigint = () => BigInt(MathFloor(host.nowNs()));

function memoryUsage() {
  const mib = 1024 * 1024;
  return {
    rss: 48 * mib,
    heapTotal: 6 * mib,
    heapUsed: 4 * mib,
    external: 2 * mib,
    arrayBuffers: 10515,
  };
}
memoryUsage.rss = () => memoryUsage().rss;

const lazy = (name, make) => {
  let value;
  ObjectDefineProperty(process, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => (value ??= make()),
  });
};

/** Made by the emitter once a program listens. */
const EMITTER_FIELDS = ['_events', '_eventsCount', '_maxListeners', 'domain'];

function refuseRest() {
  for (const name of facts.processMembers) {
    if (name in process || EMITTER_FIELDS.includes(name)) continue;
    ObjectDefineProperty(process, name, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get: () => unsupported(`process.${name}`),
    });
  }
}

/** Events that need more than this file knows. */
const PLAYED_EVENTS = ['exit', 'beforeExit', 'uncaughtException'];

/** Node's emitter, set up behind `process` once a program asks for it. */
let emitter = null;

function withEmitter() {
  if (emitter === null) {
    emitter = require('events').prototype;
    ObjectSetPrototypeOf(prototype, emitter);
    require('events').call(process);
  }
  return emitter;
}

/** Tells the program's listeners, if there can be any. */
function emitEvent(name, ...args) {
  return emitter !== null && process.emit(name, ...args);
}

const prototype = {};
const EMITTER_METHODS = [
  'emit',
  'listenerCount',
  'removeListener',
  'off',
  'removeAllListeners',
  'setMaxListeners',
  'getMaxListeners',
  'prependListener',
  'prependOnceListener',
];
const LISTENING = ['on', 'once', 'addListener'];

function build() {
  ObjectDefineProperty(prototype, 'constructor', {
    __proto__: null,
    value: function process() {},
    enumerable: false,
  });
  ObjectSetPrototypeOf(process, prototype);
  const method = (name, value) =>
    ObjectDefineProperty(prototype, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
    });
  for (const name of EMITTER_METHODS) {
    method(name, function (...args) {
      return ReflectApply(withEmitter()[name], this, args);
    });
  }
  // Node listens to itself, which these would show.
  for (const name of ['listeners', 'rawListeners', 'eventNames']) {
    method(name, () => unsupported(`process.${name}`));
  }
  for (const name of LISTENING) {
    method(name, function (event, ...args) {
      if (!PLAYED_EVENTS.includes(event)) unsupported(`process.${name}(${String(event)})`);
      return ReflectApply(withEmitter()[name], this, [event, ...args]);
    });
  }
  Object.assign(process, {
    version: facts.version,
    versions: facts.versions,
    arch: facts.arch,
    platform: facts.platform,
    release: facts.release,
    argv: [],
    execArgv: [],
    env: {},
    pid: 2,
    ppid: 1,
    execPath: facts.execPath,
    title: facts.execPath,
    exit,
    reallyExit: exit,
    hrtime,
    memoryUsage,
    nextTick: timers.nextTick,
    cwd: () => '/work',
    uptime: () => host.nowNs() / 1e9,
    umask: () => 0o22,
    emitWarning: () => unsupported('a warning'),
  });
  ObjectDefineProperty(process, 'exitCode', {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => exitCode,
    set: (code) => {
      exitCode = checkedCode(code);
    },
  });
  lazy('stdout', () => createOutput(1));
  lazy('stderr', () => createOutput(2));
  lazy('stdin', createInput);
  refuseRest();
}
build();

/** What `console` writes to: the same bytes in the same order, without a stream being made for it. */
function consoleStream(fd) {
  return {
    write(text) {
      emit(fd, text);
      return true;
    },
    listenerCount: () => 1,
    removeListener() {},
  };
}

module.exports = {
  process,
  consoleStreams: { stdout: consoleStream(1), stderr: consoleStream(2) },
  finish,
  // Streams and listeners have a life of their own after the program's code.
  isUsed: () => input.stream !== null || emitter !== null || hasOutputStream,
  emitEvent,
  emit,
  poll,
  isReading,
  readAll,
  exitCode: () => exitCode,
  fail: () => {
    exitCode = 1;
  },
};
