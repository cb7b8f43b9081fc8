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
  /**
   * Calls back once after `ms`, however long (Infinity: never); does not keep the process alive, so it is for limits.
   * What is waited for uses `sleep`.
   */
  after(ms: number, callback: () => void): Timer;
  /** Resolves after `ms` and keeps the process alive until then. */
  sleep(ms: number): Promise<void>;
}

/** setTimeout takes a signed 32-bit number and fires at once for more. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, callback) {
    const dueAt = performance.now() + ms;
    const arm = (restMs: number): NodeJS.Timeout =>
      setTimeout(onTimeout, Math.min(restMs, TIMEOUT_MAX_MS)).unref();
    const onTimeout = (): void => {
      const restMs = ms > TIMEOUT_MAX_MS ? dueAt - performance.now() : 0;
      if (restMs <= 0) callback();
      else timer = arm(restMs);
    };
    let timer = arm(ms);
    return { cancel: () => clearTimeout(timer) };
  },
  sleep: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.min(ms, TIMEOUT_MAX_MS));
    }),
};
