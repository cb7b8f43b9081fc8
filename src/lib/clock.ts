/** Time, injectable: the only place of the product that reads a clock or sets a timer. */

export interface Timer {
  /** Stops it; harmless when it has fired. */
  cancel(): void;
}

export interface Clock {
  /** Monotonic milliseconds with a fraction. */
  now(): number;
  /** Wall clock, for logs and file names. */
  date(): Date;
  /** Calls back once after `ms`; does not keep the process alive. */
  after(ms: number, callback: () => void): Timer;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
