// The trusted side: runs the tests of one submission and tells the service, on a channel that no program has, what became
// of each. The program is somewhere else and is reached through `remote`.
'use strict';

const util = require('node:util');

const { Channel, Closed, takeStreams } = require('channel');
const { createExpect } = require('expect');
const { Loader, testPaths } = require('loading');
const mocks = require('mocks');
const { Remote } = require('remote');
const { CandidateError, Stream, sentenceOf } = require('stream');
const { Suite, TimedOut, waitFor } = require('suite');
const { FakeTimers, REAL } = require('timers');
const { isSame } = require('traps');

const ACCEPTED = ['accepted', ''];
const SHOWN_MAX = 4096;
const MESSAGE_MAX = 4000;
/** For expectations of a promise that the test does not wait for. */
const SETTLE_MS = 5000;
/** Turns for what else a test leaves open. */
const RESTS = 10;
const PRINTED_MAX = 64 << 10;
/** Programs that are started anew after one has ended. */
const PROGRAMS_MAX = 16;
/** For the code of a test file outside of its tests. */
const LOAD_MS = 10_000;
/** How long the program goes on at a time while a test waits, ms: less where the test has timers of its own. */
const TURN_MS = { alone: 50, besideTimers: 2 };
const PAUSE_MS = 50;

/** The tests are no tests, whatever the program is. */
class TestsBroken extends Error {}

class Bench {
  constructor(stream, tests) {
    this.stream = stream;
    this.tests = tests;
    this.remote = new Remote(stream, tests);
    const { expect, session } = createExpect({
      open: (value) => this.opened(value),
      isSame: (left, right) => isSame(this.remote, left, right),
    });
    this.session = session;
    this.suite = new Suite();
    this.suite.shared = { expect };
    this.timers = new FakeTimers();
    this.printed = '';
    this.loose = null;
    this.library = this.createLibrary(expect);
    this.loader = new Loader({
      files: tests.files,
      modules: tests.modules,
      exportsOf: () => this.remote.exports,
      onProgram: () => this.remote.noteAsked(),
      library: this.library,
    });
  }

  /** What an object of the program's holds; anything else is what it is. */
  opened(value) {
    return typeof value === 'object' && this.remote.isForeign(value)
      ? this.remote.snapshot(value)
      : value;
  }

  print(text) {
    if (this.printed.length < PRINTED_MAX) this.printed += text;
  }

  createLibrary(expect) {
    const { suite } = this;
    const refuse = (name) => () => {
      throw new TestsBroken(
        `${name} replaces modules of the program, which tests in a jail of their own cannot`,
      );
    };
    const timers = (verb, value) => {
      this.timers.perform(verb, value);
      this.remote.request('timers', 0, {
        verb,
        ...(value === undefined ? {} : { value: this.remote.encode(value) }),
      });
      return vi;
    };
    const later = (verb) => async (value) => {
      timers(verb, value);
      await new Promise((resolve) => REAL.setImmediate(resolve));
      this.remote.turn(0);
      return vi;
    };
    const now = (value) => (value === undefined ? REAL.Date.now() : Number(new REAL.Date(value)));
    const vi = {
      fn: mocks.fn,
      spyOn: mocks.spyOn,
      mocked: (value) => value,
      isMockFunction: (value) => mocks.stateOf(value) !== null,
      clearAllMocks: () => (mocks.clearAll(), vi),
      resetAllMocks: () => (mocks.resetAll(), vi),
      restoreAllMocks: () => (mocks.restoreAll(), vi),
      setTimeout: (ms) => ((suite.timeoutMs = ms), vi),
      setConfig: ({ testTimeout = suite.timeoutMs }) => void (suite.timeoutMs = testTimeout),
      retryTimes: () => vi,
      useFakeTimers: (options) => timers('install', now(options?.now)),
      useRealTimers: () => timers('uninstall'),
      setSystemTime: (value) => timers('set', now(value)),
      advanceTimersByTime: (ms) => timers('advance', ms),
      advanceTimersToNextTimer: () => timers('next'),
      runAllTimers: () => timers('all'),
      runOnlyPendingTimers: () => timers('pending'),
      clearAllTimers: () => timers('clear'),
      advanceTimersByTimeAsync: later('advance'),
      advanceTimersToNextTimerAsync: later('next'),
      runAllTimersAsync: later('all'),
      runOnlyPendingTimersAsync: later('pending'),
      getTimerCount: () =>
        this.timers.perform('count') +
        Number(this.remote.value(this.remote.request('timers', 0, { verb: 'count' }).ok)),
      isFakeTimers: () => this.timers.isOn,
      getRealSystemTime: () => REAL.Date.now(),
      now: () => Date.now(),
      hoisted: (work) => work(),
      importActual: (name) => import(name),
      requireActual: (name) => require(name),
    };
    for (const name of [
      'mock',
      'doMock',
      'unmock',
      'dontMock',
      'resetModules',
      'isolateModules',
      'setMock',
      'stubGlobal',
      'stubEnv',
    ])
      vi[name] = refuse(name);
    for (const name of [
      'toMatchSnapshot',
      'toMatchInlineSnapshot',
      'toThrowErrorMatchingSnapshot',
      'toThrowErrorMatchingInlineSnapshot',
    ])
      expect.extend({
        [name]: () => {
          throw new TestsBroken(`${name} needs a snapshot, which there is none of`);
        },
      });
    const { beforeAll, afterAll } = suite.api;
    return {
      ...suite.api,
      before: beforeAll,
      after: afterAll,
      expect,
      vi,
      jest: vi,
      mock: vi.fn,
      spyOn: mocks.spyOn,
    };
  }

  async run() {
    const { tests, stream, remote, suite, loader } = this;
    const failed = remote.start(loader.demanded);
    if (failed !== null) {
      stream.tell('L', Buffer.from(JSON.stringify(failed)));
      return;
    }
    loader.install();
    Object.assign(globalThis, this.library);
    delete globalThis.mock;
    for (const file of testPaths(tests.files)) {
      suite.open(file);
      // Test files may wait for the program, too.
      await this.guard(loader.load(file), LOAD_MS);
    }
    suite.current = null;
    const found = suite.collect();
    if (found.length === 0 && remote.isAsked)
      throw new Error('what the program answered left no tests');
    if (remote.spoiled !== null) throw new Error(remote.spoiled[1]);
    stream.tell('I', Buffer.from(JSON.stringify(found.map(({ id }) => id))));
    await this.runAll(found);
  }

  async runAll(found) {
    const { stream, tests } = this;
    for (const [at, test] of found.entries()) {
      this.printed = '';
      this.loose = null;
      const since = REAL.Date.now();
      const result = await this.attempt(test, found[at + 1]);
      const [verdict, message] = result;
      const body = {
        id: test.id,
        verdict,
        message: String(message).slice(0, MESSAGE_MAX),
        stdout: this.printed.slice(0, SHOWN_MAX),
        ms: REAL.Date.now() - since,
      };
      stream.tell('R', Buffer.from(JSON.stringify(body)));
      if (tests.stop && verdict !== 'accepted') return;
    }
  }

  /** One test: what it says, unless the program spoiled it. */
  async attempt(test, next) {
    const { remote, session, suite } = this;
    const { skip, todo, fails } = {
      ...test.flags,
      skip: test.flags.skip === true || test.group.has('skip'),
      todo: test.flags.todo === true || test.group.has('todo'),
    };
    let result = ACCEPTED;
    remote.spoiled = null;
    if (skip || todo)
      result = [
        'wrong_answer',
        `${todo ? 'a test that is still to be written' : 'skipped'}, which is not passed`,
      ];
    else if (fails) result = ['wrong_answer', 'an expected failure is not passed'];
    else {
      result =
        this.renew() ??
        (await this.said(async () => {
          session.begin();
          await suite.run(test, (promise, ms) => this.guard(promise, ms));
          await this.guard(session.settled(), SETTLE_MS);
          await this.rest();
          session.end();
        }));
    }
    const left = await this.said(() =>
      suite.leave(test, next, (promise, ms) => this.guard(promise, ms)),
    );
    // What nobody waited for is told before the next test begins.
    await new Promise((resolve) => REAL.setImmediate(resolve));
    const loose = this.loose === null ? ACCEPTED : this.failureOf(this.loose.error);
    const failed = [result, left, loose].find(([verdict]) => verdict !== 'accepted');
    return remote.spoiled ?? failed ?? ACCEPTED;
  }

  /** What a test began and does not wait for has its say before the next one, as far as it comes soon. */
  async rest() {
    for (let turn = 0; turn < RESTS && this.remote.isBusy; turn += 1) {
      this.turn();
      await new Promise((resolve) => REAL.setImmediate(resolve));
    }
  }

  /** A program that has ended is started anew; a result where that fails. */
  renew() {
    const { stream, remote, loader } = this;
    if (stream.isAlive) return null;
    if (stream.generation >= PROGRAMS_MAX) return ['dead', 'the program has ended'];
    return remote.start(loader.demanded);
  }

  async said(work) {
    try {
      await work();
      return ACCEPTED;
    } catch (error) {
      if (error instanceof TestsBroken || error instanceof Closed) throw error;
      return this.failureOf(error);
    }
  }

  async guard(promise, ms) {
    return await waitFor(promise, { ms, turn: () => this.turn() });
  }

  /** Lets the program go on; for how long this side may wait then, ms. */
  turn() {
    const { remote } = this;
    // The timer of the waiting itself is not set yet.
    const hasTimers = process.getActiveResourcesInfo().includes('Timeout');
    remote.turn(hasTimers ? TURN_MS.besideTimers : TURN_MS.alone);
    return remote.isBusy && !hasTimers ? 0 : hasTimers ? TURN_MS.besideTimers : PAUSE_MS;
  }

  failureOf(error) {
    if (error instanceof TimedOut) return ['time_limit', error.message];
    const isRaised =
      error instanceof CandidateError ||
      (typeof error === 'object' && error !== null && this.remote.raised.has(error));
    return [isRaised ? 'runtime_error' : 'wrong_answer', sentenceOf(error)];
  }
}

/** The program's hand in an error of the tests: what spoiled them, or that they had an answer of its. */
function handIn(bench, error) {
  if (bench === null || error instanceof TestsBroken) return null;
  const { remote } = bench;
  if (remote.spoiled !== null) return remote.spoiled;
  if (!remote.raised.has(error) && lacksModule(bench, error)) return null;
  return remote.isAsked || remote.raised.has(error) ? ['wrong_answer', 'raised'] : null;
}

/** Whether the tests import what is not there, with which no program has to do. */
function lacksModule({ remote }, error) {
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(error?.code) && !remote.handles.has(error);
}

async function main() {
  const stream = new Stream(new Channel());
  let bench = null;
  takeStreams((text) => bench?.print(text));
  globalThis.console = new console.Console(process.stdout);
  const onLoose = (error) => {
    if (error instanceof Closed) process.exit(3);
    if (bench !== null) bench.loose ??= { error };
  };
  process.on('uncaughtException', onLoose);
  process.on('unhandledRejection', onLoose);
  const frame = stream.channel.receive();
  if (frame.toString('latin1', 0, 1) !== 'T') process.exit(2);
  const { added, tests } = JSON.parse(frame.toString('utf8', 1));
  try {
    bench = new Bench(stream, { ...tests, ...added });
    await bench.run();
    stream.tell('D');
  } catch (error) {
    if (error instanceof Closed) process.exit(3);
    const said = error instanceof Error ? sentenceOf(error) : util.inspect(error);
    stream.tell(
      'E',
      Buffer.from(JSON.stringify([said.slice(0, MESSAGE_MAX), handIn(bench, error)])),
    );
  }
  process.exit(0);
}

module.exports = { main };
