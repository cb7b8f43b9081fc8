/** A service that lives as long as one command: quiet, without a port, and gone with all it made when a signal comes. */
import { createAssay, type Assay } from '../app.ts';
import { loadCommandConfig } from './config-args.ts';
import { SIGNAL_EXIT, watchStopSignals } from './stop-signals.ts';

/** A started service; disposing of it ends it. */
export interface OwnService extends AsyncDisposable {
  readonly assay: Assay;
}

/**
 * Starts it and waits for its self-tests. Until it is disposed of, SIGINT, SIGTERM and SIGHUP end it and then this
 * process, with the exit status that shells give; a second signal does not wait. Throws ConfigError.
 */
export async function startOwnService(
  args: Readonly<Record<string, unknown>>,
): Promise<OwnService> {
  const signals = watchStopSignals();
  const stopped = new AbortController();
  const starting = createAssay(
    // It has no port, so that only this command can ask it.
    loadCommandConfig({ ...args, anonymous: 'auto', logLevel: args['logLevel'] ?? 'silent' }),
    { signal: stopped.signal },
  );
  void signals.first.then(async (signal) => {
    stopped.abort();
    try {
      await (await starting).close();
    } finally {
      process.exit(SIGNAL_EXIT[signal]);
    }
  });
  void signals.second.then((signal) => process.exit(SIGNAL_EXIT[signal]));
  try {
    const assay = await starting;
    await assay.selfTested;
    return {
      assay,
      async [Symbol.asyncDispose]() {
        await assay.close();
        signals[Symbol.dispose]();
      },
    };
  } catch (error) {
    signals[Symbol.dispose]();
    throw error;
  }
}
