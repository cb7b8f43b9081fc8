// Timers, immediates, next ticks and the order in which they run: Node's phases (timers, poll, check), one callback a
// turn, because only the host's return from a turn makes the engine run the microtasks.
'use strict';

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  FunctionPrototypeApply,
  MathMax,
  MathTrunc,
  ObjectDefineProperty,
  ReflectApply,
  SafeMap,
  Symbol,
  SymbolDispose,
  SymbolToPrimitive,
} = primordials;

const customPromisify = Symbol.for('nodejs.util.promisify.custom');
const { unsupported } = host;

function validateFunction(value, name) {
  // Node's own check makes the error; it is loaded only to throw.
  if (typeof value !== 'function') require('internal/validators').validateFunction(value, name);
}

const TIMEOUT_MAX = 2 ** 31 - 1;

const ticks = [];
let immediates = [];
let currentImmediates = [];
/** Timers by id. */
const timers = new SafeMap();
/**
 * Lists of timers by their delay, as Node keeps them: one whose first timer is due runs all that are due in it, before
 * those of other delays that were due earlier than its last (internal/timers).
 */
const lists = new SafeMap();
/** The list in work, and the time of the phase. */
let current = null;
let phaseNow = 0;
let nextId = 1;
let sequence = 0;
let startedAt = 0;

const loopNow = () => MathTrunc(host.now() - startedAt);

class Timeout {
  constructor(callback, after, args, isRepeat) {
    let ms = +after;
    if (!(ms >= 1 && ms <= TIMEOUT_MAX)) {
      // Node warns on stderr of a delay beyond the maximum, and of NaN and negative ones.
      if (ms > TIMEOUT_MAX || ms < 0 || (ms !== ms && after !== undefined))
        unsupported('a timer with a warning');
      ms = 1;
    }
    this._idleTimeout = ms;
    this._idlePrev = null;
    this._idleNext = null;
    this._idleStart = null;
    this._onTimeout = callback;
    this._timerArgs = args.length > 0 ? args : undefined;
    this._repeat = isRepeat ? ms : null;
    this._destroyed = false;
    hide(this, 'id', nextId++);
    hide(this, 'isRefed', true);
    arm(this);
  }

  ref() {
    this[fields].isRefed = true;
    return this;
  }

  unref() {
    this[fields].isRefed = false;
    return this;
  }

  hasRef() {
    return this[fields].isRefed;
  }

  refresh() {
    if (!this._destroyed) arm(this);
    return this;
  }

  close() {
    disarm(this);
    return this;
  }

  [SymbolToPrimitive]() {
    return this[fields].id;
  }

  [SymbolDispose]() {
    disarm(this);
  }
}

const fields = Symbol('timer');
function hide(object, name, value) {
  if (object[fields] === undefined) {
    ObjectDefineProperty(object, fields, {
      __proto__: null,
      value: { __proto__: null },
      enumerable: false,
    });
  }
  object[fields][name] = value;
}

function arm(timer) {
  const own = timer[fields];
  leaveList(own);
  const ms = MathTrunc(timer._idleTimeout);
  own.start = loopNow();
  own.list = lists.get(ms);
  if (own.list === undefined) {
    own.list = { ms, expiry: own.start + ms, sequence: sequence++, timers: new SafeMap() };
    lists.set(ms, own.list);
  }
  own.list.timers.set(own.id, timer);
  timers.set(own.id, timer);
}

function leaveList(own) {
  timers.delete(own.id);
  const { list } = own;
  if (list === undefined) return;
  own.list = undefined;
  list.timers.delete(own.id);
  if (list.timers.size === 0 && list !== current) lists.delete(list.ms);
}

function disarm(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  leaveList(timer[fields]);
}

class Immediate {
  constructor(callback, args) {
    this._idleNext = null;
    this._idlePrev = null;
    this._onImmediate = callback;
    this._argv = args.length > 0 ? args : undefined;
    this._destroyed = false;
    hide(this, 'isRefed', true);
    ArrayPrototypePush(immediates, this);
  }

  ref() {
    this[fields].isRefed = true;
    return this;
  }

  unref() {
    this[fields].isRefed = false;
    return this;
  }

  hasRef() {
    return this[fields].isRefed;
  }

  [SymbolDispose]() {
    clearImmediate(this);
  }
}

function setTimeout(callback, after, ...args) {
  validateFunction(callback, 'callback');
  return new Timeout(callback, after, args, false);
}

function setInterval(callback, repeat, ...args) {
  validateFunction(callback, 'callback');
  return new Timeout(callback, repeat, args, true);
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) disarm(timer);
  else if (typeof timer === 'number' || typeof timer === 'string') {
    const found = timers.get(+timer);
    if (found !== undefined) disarm(found);
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

function setImmediate(callback, ...args) {
  validateFunction(callback, 'callback');
  return new Immediate(callback, args);
}

function clearImmediate(immediate) {
  if (immediate instanceof Immediate) immediate._destroyed = true;
}

ObjectDefineProperty(setTimeout, customPromisify, {
  __proto__: null,
  get: () => (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value)),
});
ObjectDefineProperty(setImmediate, customPromisify, {
  __proto__: null,
  get: () => (value) => new Promise((resolve) => setImmediate(resolve, value)),
});

function nextTick(callback, ...args) {
  validateFunction(callback, 'callback');
  if (!host.isExiting) ArrayPrototypePush(ticks, { callback, args });
}

/** Runs the ticks that are there, and those which they add. Throws what a callback throws. */
function runTicks() {
  while (ticks.length > 0) {
    const { callback, args } = ArrayPrototypeShift(ticks);
    ReflectApply(callback, undefined, args);
  }
}

function nextList() {
  let first = null;
  for (const { 1: list } of lists) {
    const isEarlier =
      first === null ||
      list.expiry < first.expiry ||
      (list.expiry === first.expiry && list.sequence < first.sequence);
    if (isEarlier) first = list;
  }
  return first;
}

/** Begins the phase of timers. */
function startTimers() {
  phaseNow = loopNow();
  current = null;
}

/** The next timer to run in this phase, or null. */
function takeTimer() {
  for (;;) {
    if (current === null) {
      const list = nextList();
      if (list === null || list.expiry > phaseNow) return null;
      current = list;
    }
    const list = current;
    for (const { 1: timer } of list.timers) {
      if (phaseNow - timer[fields].start >= list.ms) return timer;
      list.expiry = MathMax(timer[fields].start + list.ms, phaseNow + 1);
      list.sequence = sequence++;
      break;
    }
    current = null;
    if (list.timers.size === 0) lists.delete(list.ms);
  }
}

/** Runs one timer whose time has come; false when there is none. */
function runTimer() {
  const timer = takeTimer();
  if (timer === null) return false;
  const own = timer[fields];
  leaveList(own);
  try {
    const args = timer._timerArgs;
    if (args === undefined) timer._onTimeout();
    else FunctionPrototypeApply(timer._onTimeout, timer, args);
  } finally {
    // A repeated timer is armed again when its callback has returned; the callback may have armed it itself.
    if (own.list === undefined) {
      if (timer._repeat !== null && !timer._destroyed) arm(timer);
      else timer._destroyed = true;
    }
  }
  return true;
}

/** Takes the immediates that are there for this round. */
function startImmediates() {
  currentImmediates = immediates;
  immediates = [];
}

/** Runs one of the round; false when it is over. */
function runImmediate() {
  while (currentImmediates.length > 0) {
    const immediate = ArrayPrototypeShift(currentImmediates);
    if (immediate._destroyed) continue;
    immediate._destroyed = true;
    const args = immediate._argv;
    if (args === undefined) immediate._onImmediate();
    else FunctionPrototypeApply(immediate._onImmediate, immediate, args);
    return true;
  }
  return false;
}

/** Whether anything keeps the program alive, and in how many ms the next timer is due (null: none). */
function pending() {
  let isAlive = false;
  let hasImmediates = false;
  for (let i = 0; i < immediates.length; i++) {
    if (immediates[i]._destroyed) continue;
    hasImmediates = true;
    if (immediates[i][fields].isRefed) isAlive = true;
  }
  for (const { 1: timer } of timers) if (timer[fields].isRefed) isAlive = true;
  const first = nextList();
  const sleepMs = first === null ? null : MathMax(0, first.expiry - loopNow());
  return { isAlive, hasImmediates, sleepMs, hasTicks: ticks.length > 0 };
}

const timerFunctions = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
};

module.exports = {
  validateFunction,
  timerFunctions,
  nextTick,
  runTicks,
  startTimers,
  runTimer,
  startImmediates,
  runImmediate,
  pending,
  start() {
    startedAt = host.now();
  },
};
