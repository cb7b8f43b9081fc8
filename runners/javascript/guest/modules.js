// What `require` gives a program: Node's own modules where they need no native code, a part of some others, and
// `unsupported` for the rest.
'use strict';

const {
  ArrayPrototypeIncludes,
  ObjectDefineProperty,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const stdio = require('assay/process');
const timers = require('assay/timers');
const { byteLengthUtf8 } = require('assay/bytes');
const { unsupported, facts } = host;

/** An object with all members that Node's module has: `own` ones work, the others say `unsupported` when used. */
function part(id, own) {
  const module = {};
  for (const { name, isFunction } of facts.modules[id] ?? []) {
    if (name in own) module[name] = own[name];
    else if (isFunction) module[name] = { [name]: () => unsupported(`${id}.${name}`) }[name];
    else {
      ObjectDefineProperty(module, name, {
        __proto__: null,
        enumerable: true,
        configurable: true,
        get: () => unsupported(`${id}.${name}`),
      });
    }
  }
  return module;
}

function encodingOf(options) {
  const encoding = typeof options === 'object' && options !== null ? options.encoding : options;
  if (encoding === undefined || encoding === null || encoding === 'buffer') return null;
  if (isText(encoding)) return encoding;
  if (typeof encoding !== 'string' || !require('buffer').Buffer.isEncoding(encoding))
    return unsupported('this encoding');
  if (typeof options === 'object' && options.flag !== undefined) return unsupported('a flag');
  return encoding;
}

const isText = (encoding) => ArrayPrototypeIncludes(['utf8', 'utf-8', 'UTF-8', 'UTF8'], encoding);

/** fs.readFileSync, for standard input alone. */
function readFileSync(path, options) {
  if (path !== 0 && path !== '/dev/stdin') return unsupported('a file');
  const encoding = encodingOf(options);
  if (encoding === null) return stdio.readAll(false);
  if (isText(encoding)) return stdio.readAll(true);
  return stdio.readAll(false).toString(encoding);
}

/** fs.writeSync and fs.writeFileSync, for the two output streams alone. */
function outputOf(target) {
  if (target === 1 || target === '/dev/stdout') return 1;
  if (target === 2 || target === '/dev/stderr') return 2;
  return unsupported('a file');
}

function writeSync(fd, data, ...rest) {
  const stream = outputOf(typeof fd === 'number' ? fd : -1);
  if (rest.length > 0 || typeof data !== 'string') return unsupported('this form of fs.writeSync');
  stdio.emit(stream, data);
  return byteLengthUtf8(data);
}

function writeFileSync(target, data, options) {
  const stream = outputOf(target);
  if (options !== undefined && encodingOf(options) !== null && !isText(encodingOf(options))) {
    return unsupported('this encoding');
  }
  if (typeof data !== 'string') return unsupported('data of this type');
  stdio.emit(stream, data);
  return undefined;
}

const makers = {
  __proto__: null,
  fs: () => part('fs', { readFileSync, writeSync, writeFileSync }),
  os: () => part('os', { EOL: '\n' }),
  perf_hooks: () => part('perf_hooks', { performance: globalThis.performance }),
  process: () => stdio.process,
  console: () => globalThis.console,
  timers: () => part('timers', timers.timerFunctions),
  worker_threads: () =>
    part('worker_threads', { isMainThread: true, structuredClone: globalThis.structuredClone }),
};
const whole = [
  'assert',
  'assert/strict',
  'buffer',
  'events',
  'path',
  'path/posix',
  'readline',
  'readline/promises',
  'stream',
  'string_decoder',
  'util',
  'util/types',
];

const made = { __proto__: null };

function requireBuiltin(id) {
  if (made[id] !== undefined) return made[id];
  if (makers[id] !== undefined) made[id] = makers[id]();
  else if (ArrayPrototypeIncludes(whole, id)) made[id] = require(id);
  else return unsupported(`the module ${id}`);
  return made[id];
}

/** What an `import` of a module gives; `names` are those that it asks for. */
function importBuiltin(id, names = []) {
  const module = requireBuiltin(
    StringPrototypeStartsWith(id, 'node:') ? StringPrototypeSlice(id, 5) : id,
  );
  for (let i = 0; i < names.length; i++)
    if (!(names[i] in module)) unsupported('an import that is not there');
  return module;
}

/** The program's own `require`. */
function createRequire(module) {
  function load(id) {
    if (typeof id !== 'string') require('internal/validators').validateString(id, 'id');
    if (id === '') {
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
    }
    return requireBuiltin(
      StringPrototypeStartsWith(id, 'node:') ? StringPrototypeSlice(id, 5) : id,
    );
  }
  load.main = module;
  load.resolve = function resolve() {
    return unsupported('require.resolve');
  };
  for (const name of ['extensions', 'cache']) {
    ObjectDefineProperty(load, name, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get: () => unsupported(`require.${name}`),
    });
  }
  return load;
}

/** The program's own `module`. */
function createModule() {
  const module = {
    id: '.',
    path: '/work',
    exports: {},
    filename: '/work/main.js',
    loaded: false,
    children: [],
  };
  const prototype = {};
  for (const name of ['constructor', 'parent', '_compile', 'load', 'paths']) {
    ObjectDefineProperty(prototype, name, {
      __proto__: null,
      configurable: true,
      get: () => unsupported(`module.${name}`),
    });
  }
  module.require = createRequire(module);
  return Object.setPrototypeOf(module, prototype);
}

module.exports = { createModule, importBuiltin };
