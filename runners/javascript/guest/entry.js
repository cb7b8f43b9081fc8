// The one function that the host calls, once a turn. It keeps no reference to anything of the program that could
// answer for it: what ended the run is told by the host's own functions, which the program never gets to see.
'use strict';

const {
  ErrorPrototypeToString,
  ObjectDefineProperty,
  ReflectApply,
  String,
  StringPrototypeIncludes,
} = primordials;

const timers = require('assay/timers');
const stdio = require('assay/process');
const modules = require('assay/modules');
const globals = require('assay/globals');

/** Whether a stack may be formatted now: its text holds paths that differ from Node's, so only stderr may have it. */
host.mayFormat = 0;

function callSiteText(sites) {
  let text = '';
  for (let i = 0; i < sites.length; i++) {
    const site = String(sites[i]);
    if (!StringPrototypeIncludes(site, '<isolated-vm>')) text += `\n    at ${site}`;
  }
  return text;
}

function prepareStackTrace(error, sites) {
  if (host.mayFormat === 0 && !isHostReading()) host.unsupported('the text of a stack');
  let head;
  try {
    head = ErrorPrototypeToString(error);
  } catch {
    head = '<error>';
  }
  return head + callSiteText(sites);
}

/** True when no frame of the program is on the stack: the host reads a rejected promise's error. */
function isHostReading() {
  const probe = {};
  NativeError.captureStackTrace(probe, prepareStackTrace);
  // The engine does not call the hook while it runs, so this is its own text.
  return !StringPrototypeIncludes(String(probe.stack), '\n    at ');
}
const NativeError = Error;

ObjectDefineProperty(Error, 'prepareStackTrace', {
  __proto__: null,
  value: prepareStackTrace,
  writable: true,
  enumerable: false,
  configurable: true,
});

/** The text of an error for stderr, where its stack need not be Node's to the byte. */
function describe(error) {
  host.mayFormat += 1;
  try {
    return require('internal/util/inspect').inspect(error);
  } catch {
    return 'an error that cannot be shown';
  } finally {
    host.mayFormat -= 1;
  }
}

/** Errors of a limit of the engine's, which a Node process meets elsewhere: at another depth, or never. */
const LIMITS = ['call stack', 'Array buffer allocation', 'out of memory'];
const isOfLimit = (error) => {
  try {
    if (!host.isError(error)) return false;
    const text = String(error.message);
    return LIMITS.some((limit) => StringPrototypeIncludes(text, limit));
  } catch {
    return true;
  }
};

/** An exception that nobody caught. Ends the program unless it has a handler. */
function uncaught(error) {
  if (isOfLimit(error)) host.unsupported('a limit of the engine');
  if (stdio.emitEvent('uncaughtException', error, 'uncaughtException')) return;
  const isError = host.isError(error);
  const text = isError ? describe(error) : `Uncaught:\n${describe(error)}`;
  stdio.emit(2, `/work/${host.config.entry}\n\n${text}\n\nNode.js ${process.version}\n`);
  end(1);
}
host.uncaught = uncaught;

/** Runs the exit handlers and tells the code; does not return. */
function end(code) {
  if (code === 1 && !host.isExiting) stdio.fail();
  process.exit();
}

function guarded(work) {
  try {
    work();
  } catch (error) {
    uncaught(error);
  }
}

/** The callback of a turn, then the ticks it queued; a tick that throws leaves the others for the next turn. */
function turn(work) {
  guarded(work);
  guarded(timers.runTicks);
}

let phase = 'timers';
let isNewPhase = true;

/** One callback of the event loop, if any is due. */
function next() {
  for (let round = 0; round < 4; round++) {
    if (phase === 'timers') {
      if (isNewPhase) timers.startTimers();
      isNewPhase = false;
      if (timers.runTimer()) return true;
      phase = 'poll';
    }
    if (phase === 'poll') {
      phase = 'check';
      timers.startImmediates();
      if (stdio.poll()) return true;
    }
    if (timers.runImmediate()) return true;
    phase = 'timers';
    isNewPhase = true;
    if (round >= 1 && !timers.pending().hasImmediates && !stdio.isReading()) return false;
  }
  return false;
}

let wasBeforeExit = false;

/** What the host is to do: call again now, or in `wait` ms. The end of the program is told by `exit`. */
function loop() {
  let isDone = false;
  let waitMs = 0;
  const state = timers.pending();
  turn(() => {
    if (state.hasTicks) return;
    if (next()) {
      wasBeforeExit = false;
      return;
    }
    const { isAlive, sleepMs } = timers.pending();
    if (isAlive || stdio.isReading()) waitMs = stdio.isReading() ? 0 : (sleepMs ?? 0);
    else if (!wasBeforeExit) {
      wasBeforeExit = true;
      stdio.emitEvent('beforeExit', stdio.exitCode() ?? 0);
    } else isDone = true;
  });
  return isDone ? finish() : waitMs;
}

/** Whether nothing is left to do but what a promise may bring. */
function isIdle() {
  const { isAlive, hasImmediates, hasTicks } = timers.pending();
  return !(isAlive || hasImmediates || hasTicks || stdio.isUsed());
}

/** The end of a program: −1 less its exit code. */
function finish() {
  let code = 0;
  guarded(() => {
    code = stdio.finish();
  });
  return -1 - code;
}

function boot(config, tell, ask, now) {
  host.config = config;
  host.report = tell;
  host.tell = tell;
  host.ask = ask;
  host.now = now;
  // The engine adds this one to a fresh context, so the snapshot does not have it.
  host.isError = Error.isError;
  const bornAt = now();
  host.nowNs = () => (now() - bornAt + 25) * 1e6;
  host.epochMs = () => bornAt;
  process.argv = config.argv;
  process.env = Object.assign({}, config.env);
  process.pid = config.pid;
  timers.start();
  globals.start();
  delete globalThis.__assay;
  delete globalThis.__loaded;
}

const operations = {
  __proto__: null,
  boot,
  main(main, isSynchronous) {
    const module = modules.createModule();
    module.filename = `/work/${host.config.entry}`;
    if (host.config.isModule) {
      // A module's code is itself a microtask, so those it queues come before its ticks.
      guarded(() => ReflectApply(main, undefined, [modules.importBuiltin, module.require]));
      return 0;
    }
    turn(() => {
      const { exports, require, filename } = module;
      ReflectApply(main, exports, [exports, require, module, filename, '/work']);
      module.loaded = true;
    });
    return isSynchronous && isIdle() ? finish() : 0;
  },
  loop,
  // A promise was rejected and nobody handled it; the host has read the reason.
  rejected(text) {
    stdio.emit(2, `/work/${host.config.entry}\n\n${text}\n\nNode.js ${process.version}\n`);
    guarded(() => end(1));
    return 0;
  },
};

exports.entry = (name, ...args) => operations[name](...args);
