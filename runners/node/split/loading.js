// Where the imports of test files lead: to the program under its names, to what test libraries give, to other files of the
// tests. Works for `require` and `import` alike, by hooks of the module loader.
'use strict';

const fs = require('node:fs');
const { createRequire, registerHooks } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const LIBRARIES = new Set(['vitest', 'jest', '@jest/globals', 'bun:test', 'mocha']);
const SCHEME = 'assay-tests:';
const EXTENSION = /\.(?:[cm]?[jt]s)$/;
const TESTS =
  /(?:\.(?:test|spec)\.[cm]?[jt]s$)|(?:^|\/)(?:__tests__\/.+|tests?[-_.]?[^/]*)\.[cm]?[jt]s$/;
const NAME = /^[A-Za-z_$][\w$]*$/;
/** Names that no module can declare. */
const RESERVED = new Set(
  'default await break case catch class const continue debugger delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval'.split(
    ' ',
  ),
);

/** Files that hold tests: those named like it, or all where none is. */
function testPaths(files) {
  const scripts = Object.keys(files).filter(
    (each) => EXTENSION.test(each) && !each.endsWith('.d.ts'),
  );
  const named = scripts.filter((each) => TESTS.test(each));
  return (named.length > 0 ? named : scripts).toSorted();
}

/** Names that tests may take from the program: in braces beside its name, or behind the name that they give it. */
function demandedNames(files, modules) {
  const found = new Set();
  for (const text of Object.values(files)) {
    const specifier = `['"][^'"\\n]*?(?:${modules.join('|')})(?:\\.[cm]?[jt]s)?['"]`;
    const imports = new RegExp(
      `(?:import|const|let|var)\\s+([^;=]*?)\\s*(?:from\\s*|=\\s*(?:await\\s+import|require)\\s*\\(\\s*)${specifier}`,
      'g',
    );
    for (const [, clause] of text.matchAll(imports)) {
      const [, braces = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
      for (const part of braces.split(','))
        found.add(
          part
            .replace(/\btype\b/, '')
            .trim()
            .split(/\s|:/)[0],
        );
      const [, whole] = /^(?:\*\s+as\s+)?([A-Za-z_$][\w$]*)/.exec(clause) ?? [];
      if (whole === undefined) continue;
      found.add(whole);
      for (const [, name] of text.matchAll(
        new RegExp(`\\b${whole.replaceAll('$', '\\$')}\\.([A-Za-z_$][\\w$]*)`, 'g'),
      ))
        found.add(name);
    }
  }
  return [...found].filter((name) => NAME.test(name));
}

/** The last part of a path, without the ending of a program. */
function stem(specifier) {
  return path.basename(specifier).replace(EXTENSION, '');
}

/** `exportsOf()`: the program's exports by name; `library`: what test libraries export; `onProgram()`: it was imported. */
class Loader {
  constructor({ files, modules, exportsOf, library, onProgram }) {
    Object.assign(this, { files, modules: new Set(modules), exportsOf, library, onProgram });
    this.demanded = demandedNames(files, modules);
    this.folder = path.join(process.cwd(), 'tests');
    globalThis[Symbol.for('assay')] = (what) => (what === 'program' ? this.program() : library);
  }

  install() {
    for (const [file, text] of Object.entries(this.files)) {
      const full = path.join(this.folder, file);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.writeFileSync(full, text);
    }
    process.chdir(this.folder);
    registerHooks({
      resolve: (specifier, context, next) => this.resolve(specifier, context, next),
      load: (url, context, next) =>
        url.startsWith(SCHEME) ? this.source(url, context) : next(url, context),
    });
  }

  /** Test code runs as it would in its own folder. */
  async load(file) {
    const full = path.join(this.folder, file);
    const isCommon =
      /\brequire\s*\(/.test(this.files[file]) && !/^\s*(?:import|export)\b/m.test(this.files[file]);
    if (isCommon) createRequire(full)(full);
    else await import(pathToFileURL(full));
  }

  resolve(specifier, context, next) {
    if (LIBRARIES.has(specifier)) return { url: `${SCHEME}library`, shortCircuit: true };
    const isPath = /^[./@~]/.test(specifier);
    const isOurs = isPath ? this.localFile(specifier, context.parentURL) : undefined;
    if (isOurs !== undefined) return next(isOurs, context);
    if (this.modules.has(stem(specifier)) || specifier === '.' || specifier === '..')
      return { url: `${SCHEME}program`, shortCircuit: true };
    return next(specifier, context);
  }

  /** A file of the tests', also without its ending. */
  localFile(specifier, parent) {
    if (!specifier.startsWith('.') || !parent?.startsWith('file:')) return undefined;
    const full = new URL(specifier, parent);
    const file = path.relative(this.folder, full.pathname);
    const found = [
      file,
      ...['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts'].map(
        (each) => file + each,
      ),
    ];
    if (file.endsWith('.js')) found.push(file.replace(/\.js$/, '.ts'));
    const known = found.find((each) => Object.hasOwn(this.files, each));
    return known === undefined ? undefined : pathToFileURL(path.join(this.folder, known)).href;
  }

  source(url, { conditions = [] }) {
    const what = url.slice(SCHEME.length);
    const value = `globalThis[Symbol.for('assay')](${JSON.stringify(what)})`;
    if (conditions.includes('require'))
      return { format: 'commonjs', source: `module.exports = ${value};`, shortCircuit: true };
    const known =
      what === 'program'
        ? [...this.exportsOf().keys(), ...this.demanded]
        : Object.keys(this.library);
    const names = [...new Set(known)].filter((name) => NAME.test(name) && !RESERVED.has(name));
    const lines = [
      `const all = ${value};`,
      `export default ${what === 'program' ? "'default' in all ? all.default : all" : 'all'};`,
    ];
    names.forEach((name, at) =>
      lines.push(`const v${at} = all[${JSON.stringify(name)}]; export { v${at} as ${name} };`),
    );
    return { format: 'module', source: lines.join('\n'), shortCircuit: true };
  }

  /** What the tests get of the program: its exports as one object. */
  program() {
    this.onProgram();
    const exports = this.exportsOf();
    const whole = exports.get('default');
    // What `require` of a CommonJS program gives, which need not be an object with names.
    if (whole !== undefined && !exports.has('__esModule')) return wholeOf(whole, exports);
    return Object.fromEntries(exports);
  }
}

function wholeOf(whole, exports) {
  if (typeof whole === 'function') return whole;
  const names = [...exports].filter(([name]) => name !== 'default');
  return names.length === 0 ? whole : Object.fromEntries(names);
}

module.exports = { Loader, testPaths };
