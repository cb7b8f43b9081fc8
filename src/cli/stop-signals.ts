/**
 * The signals that end a command: Ctrl-C in a terminal, a supervisor's SIGTERM, a terminal that is closed. Owns which
 * of them are one and the same; what is done about them is the command's business.
 */
import { systemClock } from '../lib/clock.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

/** 128 + number, as a shell reports a command that a signal ended. */
export const SIGNAL_EXIT: Readonly<Record<StopSignal, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Signals within this time are one: on Ctrl-C both the terminal and npm send one, ms. */
const SAME_SIGNAL_MS = 1000;

export interface StopSignals extends Disposable {
  /** The first one. */
  readonly first: Promise<StopSignal>;
  /** One that came clearly later: whoever sent it is out of patience. */
  readonly second: Promise<StopSignal>;
  readonly third: Promise<StopSignal>;
}

/** Takes the signals from here on, until disposed of; they then have their usual effect again. */
export function watchStopSignals(): StopSignals {
  const [first, second, third] = [
    Promise.withResolvers<StopSignal>(),
    Promise.withResolvers<StopSignal>(),
    Promise.withResolvers<StopSignal>(),
  ];
  const waiting = [first, second, third];
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: StopSignal): void => {
    const now = systemClock.now();
    if (now - lastAt < SAME_SIGNAL_MS) return;
    lastAt = now;
    waiting.shift()?.resolve(signal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    first: first.promise,
    second: second.promise,
    third: third.promise,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
