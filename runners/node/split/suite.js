// `describe`, `it` and their hooks: collects the tests of files, and runs them one after the other. Knows nothing of the
// program; `hooks.around` is told of each test.
'use strict';

const { format, inspect } = require('node:util');

const { AssertionError } = require('expect');
const { REAL } = require('timers');

const TIMEOUT_MS = 5000;
const SEPARATOR = ' > ';
/** Titles may be made of what the program answers. */
const NAME_MAX = 500;
const TESTS_MAX = 10_000;
const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

class TimedOut extends Error {}

/** A group of tests; the outermost of each file has its path for a name. */
class Group {
  constructor(name, parent, flags = {}) {
    Object.assign(this, { name, parent, items: [], flags });
    for (const hook of HOOKS) this[hook] = [];
  }

  get path() {
    return this.parent === null ? [this.name] : [...this.parent.path, this.name];
  }

  has(flag) {
    return this.flags[flag] === true || (this.parent?.has(flag) ?? false);
  }
}

class Suite {
  constructor() {
    this.groups = [];
    this.timeoutMs = TIMEOUT_MS;
    this.current = null;
    /** What tests are given besides, where they take it. */
    this.shared = {};
    this.api = this.createApi();
  }

  /** Tests that are defined from now on are of that file. */
  open(file) {
    this.current = new Group(file, null);
    this.groups.push(this.current);
  }

  /** All tests in the order of their files, each with the id that it has in reports. */
  collect() {
    const tests = [];
    const seen = new Map();
    const walk = (item) => {
      if (item instanceof Group) {
        for (const each of item.items) walk(each);
        return;
      }
      const path = [...item.group.path, item.name].map((each) => each.slice(0, NAME_MAX));
      const name = path.join(SEPARATOR);
      if (tests.length === TESTS_MAX) throw new Error(`more than ${TESTS_MAX} tests`);
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      tests.push({ ...item, id: count === 1 ? name : `${name} (${count})` });
    };
    for (const group of this.groups) {
      const before = tests.length;
      walk(group);
      const own = tests.slice(before);
      const isOnly = (test) => test.flags.only === true || test.group.has('only');
      if (!own.some(isOnly)) continue;
      for (const test of own) if (!isOnly(test)) test.flags = { ...test.flags, skip: true };
    }
    return tests;
  }

  createApi() {
    const describe = this.chained((name, work, flags) => this.addGroup(name, work, flags));
    const test = this.chained((name, work, flags, options) =>
      this.addTest(name, work, flags, options),
    );
    const hooks = HOOKS.map((hook) => [
      hook,
      (work, timeout) => void this.current[hook].push({ work, timeout }),
    ]);
    return {
      describe,
      suite: describe,
      it: test,
      test,
      xit: test.skip,
      xtest: test.skip,
      xdescribe: describe.skip,
      fit: test.only,
      fdescribe: describe.only,
      ...Object.fromEntries(hooks),
    };
  }

  /** A definer with `.only`, `.skip`, `.each` and the others, in any order. */
  chained(add, flags = {}) {
    const define = (name, ...rest) => {
      const work = rest.find((each) => typeof each === 'function');
      const options = rest.find((each) => typeof each === 'object' && each !== null) ?? {};
      const timeout = rest.find((each) => typeof each === 'number') ?? options.timeout;
      const given = Object.fromEntries(
        ['only', 'skip', 'todo', 'fails'].filter((key) => options[key]).map((key) => [key, true]),
      );
      add(
        typeof name === 'function' ? name.name : String(name),
        work,
        { ...flags, ...given },
        { timeout },
      );
    };
    const more = (flag) => this.chained(add, { ...flags, ...flag });
    for (const flag of [
      'only',
      'skip',
      'todo',
      'fails',
      'failing',
      'concurrent',
      'sequential',
      'shuffle',
    ])
      Object.defineProperty(define, flag, {
        get: () => more({ [flag === 'failing' ? 'fails' : flag]: true }),
      });
    define.skipIf = (condition) => more(condition ? { skip: true } : {});
    define.runIf = (condition) => more(condition ? {} : { skip: true });
    define.each = (...table) => this.each(define, rowsOf(table), { isSpread: true });
    define.for = (rows) => this.each(define, [...rows], { isSpread: false });
    return define;
  }

  each(define, rows, { isSpread }) {
    return (name, ...rest) => {
      for (const [index, row] of rows.entries()) {
        const args = isSpread && Array.isArray(row) ? row : [row];
        const title = titleOf(String(name), { args: Array.isArray(row) ? row : [row], row, index });
        define(
          title,
          ...rest.map((each) => (typeof each === 'function' ? withArgs(each, args) : each)),
        );
      }
    };
  }

  addGroup(name, work, flags) {
    const group = new Group(name, this.current, flags);
    this.current.items.push(group);
    this.current = group;
    try {
      const result = work?.();
      if (typeof result?.then === 'function')
        throw new TypeError('describe takes no asynchronous function');
    } finally {
      this.current = group.parent;
    }
  }

  addTest(name, work, flags, { timeout }) {
    if (this.current === null) throw new Error('a test is defined while another one runs');
    const isEmpty = work === undefined ? { todo: true } : {};
    this.current.items.push({
      name,
      work,
      timeout,
      flags: { ...flags, ...isEmpty },
      group: this.current,
    });
  }

  /** Runs a test with the hooks around it. Resolves with nothing, or throws what went wrong first. */
  async run(test, guard) {
    const chain = chainOf(test.group);
    const extra = [];
    let failed = null;
    const attempt = async (work, timeout, context) => {
      try {
        return await this.call(work, { timeout, guard, context });
      } catch (error) {
        failed ??= { error };
        return undefined;
      }
    };
    await this.enter(chain, guard);
    const context = {
      ...this.shared,
      onTestFinished: (work) => extra.push(work),
      onTestFailed: () => {},
      task: { name: test.name },
      skip: () => fail('the test skips itself, which is not passed'),
    };
    for (const group of chain) {
      if (group.failed !== undefined) failed ??= group.failed;
      for (const { work, timeout } of group.beforeEach) {
        const cleanup = failed === null ? await attempt(work, timeout, context) : undefined;
        if (typeof cleanup === 'function') extra.push(cleanup);
      }
    }
    if (failed === null) await attempt(test.work, test.timeout, context);
    for (const group of chain.toReversed())
      for (const { work, timeout } of group.afterEach) await attempt(work, timeout, context);
    for (const work of extra.toReversed()) await attempt(work, undefined, context);
    if (failed !== null) throw failed.error;
  }

  /** `beforeAll` of groups that this is the first test of. */
  async enter(chain, guard) {
    for (const group of chain) {
      if (group.isEntered) continue;
      group.isEntered = true;
      for (const { work, timeout } of group.beforeAll) {
        let result;
        try {
          result = await this.call(work, { timeout, guard });
        } catch (error) {
          group.failed ??= { error };
        }
        if (typeof result === 'function') group.afterAll.push({ work: result });
      }
    }
  }

  /** `afterAll` of groups that this was the last test of. Throws the first error. */
  async leave(test, next, guard) {
    const staying = new Set(next === undefined ? [] : chainOf(next.group));
    let failed = null;
    for (const group of chainOf(test.group).toReversed()) {
      if (staying.has(group)) break;
      for (const { work, timeout } of group.afterAll) {
        try {
          await this.call(work, { timeout, guard });
        } catch (error) {
          failed ??= { error };
        }
      }
    }
    if (failed !== null) throw failed.error;
  }

  async call(work, { timeout = this.timeoutMs, guard, context }) {
    let result;
    if (takesDone(work)) {
      const { promise, resolve, reject } = Promise.withResolvers();
      const done = (error) =>
        error === undefined || error === null ? resolve() : reject(asError(error));
      work(Object.assign(done, { fail: (error) => reject(asError(error)) }));
      result = promise;
    } else result = work(context);
    return typeof result?.then === 'function' ? await guard(result, timeout) : result;
  }
}

function fail(message) {
  throw new AssertionError(message);
}

function asError(error) {
  return error instanceof Error
    ? error
    : new AssertionError(`done was called with ${inspect(error)}`);
}

/** A function with one parameter is told when it is done, unless it takes apart what it is given. */
function takesDone(work) {
  if (work.length === 0) return false;
  if (work.takesContext === true) return false;
  const [, first = ''] = /^[^(]*\(\s*([^\s,)]*)/.exec(Function.prototype.toString.call(work)) ?? [];
  return !first.startsWith('{') && !/^(?:ctx|context|_?t|task)$/.test(first);
}

function withArgs(work, args) {
  const bound = work.length > args.length ? (done) => work(...args, done) : () => work(...args);
  return bound;
}

/** Rows of `each`: a list, or a template with a line of names and a line of values each. */
function rowsOf([first, ...values]) {
  if (!Array.isArray(first?.raw)) return [...first];
  const names = first[0]
    .trim()
    .split('|')
    .map((name) => name.trim());
  return Array.from({ length: values.length / names.length }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, values[row * names.length + column]])),
  );
}

function titleOf(name, { args, row, index }) {
  const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
  const filled = name.replaceAll('%#', String(index)).replaceAll(/\$(#|[\w.]+)/g, (whole, path) => {
    if (path === '#') return String(index);
    if (!isObject) return whole;
    const value = path.split('.').reduce((at, key) => at?.[key], row);
    return value === undefined && !(path in row)
      ? whole
      : typeof value === 'string'
        ? value
        : inspect(value);
  });
  const left = [...args];
  return filled.replaceAll(/%([sdifjoOp%])/g, (whole, kind) => {
    if (kind === '%') return '%';
    if (left.length === 0) return whole;
    const value = left.shift();
    return kind === 'p' ? inspect(value) : format(whole, value);
  });
}

function chainOf(group) {
  return group === null ? [] : [...chainOf(group.parent), group];
}

/** Waits for a promise so long; `turn` is given a chance to work meanwhile. Timers are the real ones. */
async function waitFor(promise, { ms, turn }) {
  const since = REAL.Date.now();
  let settled = false;
  const done = Promise.resolve(promise).finally(() => (settled = true));
  done.catch(() => undefined);
  // What the test itself does at once comes before what it waits for.
  await new Promise((resolve) => REAL.setImmediate(resolve));
  while (!settled) {
    // Before any timer of the test's that is due as well: the program's may be older.
    const pause = turn();
    let timer;
    const paused = new Promise((resolve) => (timer = REAL.setTimeout(resolve, pause)));
    await Promise.race([done.catch(() => undefined), paused]);
    REAL.clearTimeout(timer);
    if (!settled && REAL.Date.now() - since > ms)
      throw new TimedOut(`it is not over after ${ms} ms`);
  }
  return await done;
}

module.exports = { Suite, TimedOut, waitFor };
