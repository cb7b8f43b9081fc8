/**
 * Works on a stream of items, several at once, and hands out the results as they finish. Reads no faster than the
 * work goes, holds a bounded number of items and of finished bytes, and stops everything when its reader leaves.
 */
import type { Clock } from '../../lib/clock.ts';
import type { BatchConfig } from '../config.ts';

export interface PacedOptions<Item> {
  readonly config: BatchConfig;
  readonly clock: Clock;
  readonly sizeOf: (item: Item) => number;
  /** Turns an item into a piece of output; must not throw, and must end soon after `signal` has aborted. */
  readonly work: (item: Item) => Promise<string>;
  /** Aborts when the reader of the results has left: nothing more is read or handed out. */
  readonly signal: AbortSignal;
  /** Called once when finished output has waited too long for the reader. */
  readonly onStall: () => void;
}

/** Results in order of completion. Throws what `items` throws; what was finished then is dropped. */
export async function* runPaced<Item>(
  items: AsyncIterable<Item>,
  options: PacedOptions<Item>,
): AsyncGenerator<string> {
  const { config, signal } = options;
  const bell = createBell();
  const finished: string[] = [];
  const count = { inFlight: 0, inFlightBytes: 0, unsentBytes: 0 };
  const start = async (item: Item): Promise<void> => {
    const size = options.sizeOf(item);
    count.inFlight += 1;
    count.inFlightBytes += size;
    const result = await options.work(item);
    count.inFlight -= 1;
    count.inFlightBytes -= size;
    count.unsentBytes += result.length;
    finished.push(result);
    bell.ring();
  };
  const hasSpace = (): boolean =>
    count.inFlight === 0 ||
    (count.inFlight < config.inFlightMax && count.inFlightBytes < config.inFlightMaxBytes);
  const read = async (): Promise<void> => {
    for await (const item of items) {
      void start(item);
      while (!hasSpace() && !signal.aborted) await bell.heard();
      using _ = watchStall(options, () => count.unsentBytes <= config.unsentMaxBytes);
      while (count.unsentBytes > config.unsentMaxBytes && !signal.aborted) await bell.heard();
      if (signal.aborted) return;
    }
  };
  let reading: { readonly error: unknown } | 'on' | 'done' = 'on';
  const settle = (state: typeof reading): void => {
    reading = state;
    bell.ring();
  };
  void read().then(
    () => settle('done'),
    (error: unknown) => settle({ error }),
  );
  const state = (): typeof reading => reading;
  const onAbort = (): void => bell.ring();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const result = finished.shift();
      if (result !== undefined) {
        count.unsentBytes -= result.length;
        bell.ring();
        yield result;
        continue;
      }
      const now = state();
      if (typeof now === 'object') throw now.error;
      if (now === 'done' && count.inFlight === 0) return;
      await bell.heard();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface Bell {
  ring(): void;
  /** Resolves at the next ring. */
  heard(): Promise<void>;
}

function createBell(): Bell {
  let current = Promise.withResolvers<void>();
  return {
    ring() {
      current.resolve();
      current = Promise.withResolvers<void>();
    },
    heard: () => current.promise,
  };
}

function watchStall(
  { clock, config, onStall }: Pick<PacedOptions<never>, 'clock' | 'config' | 'onStall'>,
  isOver: () => boolean,
): Disposable {
  if (isOver()) return { [Symbol.dispose]() {} };
  const timer = clock.after(config.stallMs, () => {
    if (!isOver()) onStall();
  });
  return {
    [Symbol.dispose]() {
      timer.cancel();
    },
  };
}
