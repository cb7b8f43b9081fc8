// Calls what a program defines: {"args": […]} on stdin, the result as JSON in the last line of stdout. Whatever the program
// prints goes where its errors go. What it forges here it could as well have returned.
'use strict';
const { Console } = require('node:console');
const fs = require('node:fs');
const { createRequire, stripTypeScriptTypes } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const FILE = path.resolve('__SOLUTION__');
const CLASS = '__CLASS__';
const NAME = '__METHOD__';

const { stderr } = process;
Object.defineProperty(process, 'stdout', { get: () => stderr });
globalThis.console = new Console(stderr);

/** Names of a script are its globals; those of a module are what it exports. */
async function load() {
  const source = fs.readFileSync(FILE, 'utf8');
  const module = { exports: {} };
  const globals = { require: createRequire(FILE), module, exports: module.exports };
  Object.assign(globalThis, globals, { __filename: FILE, __dirname: path.dirname(FILE) });
  let exported = module.exports;
  try {
    const isTyped = FILE.endsWith('.ts');
    const plain = isTyped ? stripTypeScriptTypes(source, { mode: 'transform' }) : source;
    vm.runInThisContext(plain, { filename: FILE });
    exported = module.exports;
  } catch (error) {
    if (!(error instanceof SyntaxError) || !/\b(?:import|export)\b/.test(source)) throw error;
    exported = await import(FILE);
  }
  return (name) => {
    const own = vm.runInThisContext(`typeof ${name} === "undefined" ? undefined : ${name}`);
    if (own !== undefined) return own;
    if (exported?.[name] !== undefined) return exported[name];
    if (typeof exported === 'function') return exported;
    return exported?.default;
  };
}

function plain(key, value) {
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`a result of ${value}`);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError('a result that is no data');
  if (value instanceof Map || value instanceof Set)
    throw new TypeError('a result that JSON does not have');
  return value;
}

function writeAll(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

async function main() {
  const { args } = JSON.parse(fs.readFileSync(0, 'utf8'));
  const find = await load();
  let call = find(CLASS === '' ? NAME : CLASS);
  if (CLASS !== '') {
    const object = '__IS_STATIC__' === 'true' ? call : new call();
    call = object[NAME].bind(object);
  }
  const result = await call(...args);
  writeAll(`\n${JSON.stringify(result ?? null, plain)}\n`);
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
