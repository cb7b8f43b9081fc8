// `console`: texts and numbers are written at once; for all else Node's own console is loaded and takes over, with the
// state it keeps (groups, counters, timers).
'use strict';

const { ObjectDefineProperty, ObjectIs, ReflectApply, String, StringPrototypeIncludes } =
  primordials;

const stdio = require('assay/process');

/** What Node's console writes to: the same bytes in the same order, without a stream being made for it. */
function streamOf(fd) {
  return {
    write(text) {
      stdio.emit(fd, text);
      return true;
    },
    listenerCount: () => 1,
    removeListener() {},
  };
}

let real = null;

function realConsole() {
  if (real === null) {
    real = require('internal/console/global');
    const { kBindStreamsLazy } = require('internal/console/constructor');
    real[kBindStreamsLazy]({ stdout: streamOf(1), stderr: streamOf(2) });
  }
  return real;
}

/** The text of a value that needs no formatting, or null. */
function plain(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return ObjectIs(value, -0) ? '-0' : String(value);
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${String(value)}n`;
    default:
      return value === null ? 'null' : null;
  }
}

/** The line for arguments that need no formatting, or null. */
function plainLine(args) {
  if (args.length > 1 && typeof args[0] === 'string' && StringPrototypeIncludes(args[0], '%'))
    return null;
  let line = '';
  for (let i = 0; i < args.length; i++) {
    const text = plain(args[i]);
    if (text === null) return null;
    line += i === 0 ? text : ` ${text}`;
  }
  return line;
}

function writer(name, fd) {
  const method = {
    [name](...args) {
      const line = real === null ? plainLine(args) : null;
      if (line !== null) return stdio.emit(fd, `${line}\n`);
      if (fd === 1) return ReflectApply(realConsole()[name], console, args);
      // What goes to stderr may show a stack: its text need not be Node's to the byte.
      host.mayFormat += 1;
      try {
        return ReflectApply(realConsole()[name], console, args);
      } finally {
        host.mayFormat -= 1;
      }
    },
  };
  return method[name];
}

const console = { __proto__: {} };
const WRITERS = { __proto__: null, log: 1, warn: 2, error: 2, info: 1, debug: 1, trace: 2 };
const OTHERS = [
  'dir',
  'time',
  'timeEnd',
  'timeLog',
  'assert',
  'clear',
  'count',
  'countReset',
  'group',
  'groupCollapsed',
  'groupEnd',
  'table',
  'dirxml',
];
const add = (name, value, enumerable = true) =>
  ObjectDefineProperty(console, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  });
for (const name in WRITERS) add(name, writer(name, WRITERS[name]));
for (const name of OTHERS) {
  add(name, { [name]: (...args) => ReflectApply(realConsole()[name], console, args) }[name]);
}
for (const name of ['Console', 'profile', 'profileEnd', 'timeStamp', 'context', 'createTask']) {
  ObjectDefineProperty(console, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => host.unsupported(`console.${name}`),
  });
}

module.exports = { console, realConsole };
