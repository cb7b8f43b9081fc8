// A clock that stands still until it is told to go on, in the place of timers and `Date`. Each side has its own; the tests'
// side tells the program's what it does with its.
'use strict';

const REAL = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  Date: globalThis.Date,
};
/** Timers that set timers for ever end here. */
const RUNS_MAX = 100_000;

class FakeTimers {
  constructor() {
    this.now = null;
    this.waiting = new Map();
    this.next = 1;
  }

  get isOn() {
    return this.now !== null;
  }

  install(now = REAL.Date.now()) {
    this.now = Number(now);
    this.waiting.clear();
    const add =
      (every) =>
      (work, ms, ...args) => {
        const wait = Math.max(Number(ms) || 0, every === null ? 0 : 1);
        const timer = { id: this.next++, at: this.now + wait, every: every && wait, work, args };
        const handle = { id: timer.id, ref: () => handle, unref: () => handle, hasRef: () => true };
        handle.refresh = () => {
          timer.at = this.now + wait;
          return handle;
        };
        handle[Symbol.toPrimitive] = () => timer.id;
        this.waiting.set(timer.id, timer);
        return handle;
      };
    const clear = (handle) =>
      void this.waiting.delete(typeof handle === 'object' ? handle?.id : Number(handle));
    const after = add(null);
    const fake = this;
    const date = new Proxy(REAL.Date, {
      construct: (real, args, own) =>
        Reflect.construct(real, args.length === 0 ? [fake.now] : args, own === date ? real : own),
      apply: (real) => new real(fake.now).toString(),
      get: (real, key) => (key === 'now' ? () => fake.now : Reflect.get(real, key)),
    });
    Object.assign(globalThis, {
      setTimeout: after,
      setInterval: add(true),
      setImmediate: (work, ...args) => after(work, 0, ...args),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
      Date: date,
    });
  }

  uninstall() {
    if (!this.isOn) return;
    this.now = null;
    this.waiting.clear();
    Object.assign(globalThis, REAL);
  }

  /** The next timer due until then, or none. */
  due(until) {
    let first;
    for (const timer of this.waiting.values())
      if (timer.at <= until && (first === undefined || timer.at < first.at)) first = timer;
    return first;
  }

  run(timer) {
    this.now = Math.max(this.now, timer.at);
    if (timer.every) timer.at = this.now + timer.every;
    else this.waiting.delete(timer.id);
    timer.work(...timer.args);
  }

  advance(ms) {
    const until = this.now + Number(ms);
    for (let runs = 0, timer; (timer = this.due(until)) !== undefined; runs += 1) {
      if (runs === RUNS_MAX) throw new Error('timers set timers for ever');
      this.run(timer);
    }
    this.now = until;
  }

  /** One of the verbs of `vi` and `jest`. */
  perform(verb, value) {
    if (verb === 'install') this.install(value);
    else if (verb === 'uninstall') this.uninstall();
    else if (!this.isOn) throw new Error('useFakeTimers was not called');
    else if (verb === 'advance') this.advance(value);
    else if (verb === 'set') this.now = Number(value);
    else if (verb === 'clear') this.waiting.clear();
    else if (verb === 'pending')
      for (const timer of [...this.waiting.values()].sort((a, b) => a.at - b.at)) this.run(timer);
    else if (verb === 'all') {
      for (let runs = 0, timer; (timer = this.due(Infinity)) !== undefined; runs += 1) {
        if (runs === RUNS_MAX) throw new Error('timers set timers for ever');
        this.run(timer);
      }
    } else if (verb === 'next') {
      const timer = this.due(Infinity);
      if (timer !== undefined) this.run(timer);
    }
    return this.waiting.size;
  }
}

module.exports = { FakeTimers, REAL };
