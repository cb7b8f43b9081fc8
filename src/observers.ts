/** Who is told of what happens: the log, the counts, and traces where they are asked for. */
import type { LoadedConfig } from './config/load.ts';
import type { ServiceOptions } from './judge/service-options.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './observe/logger.ts';
import { Observations } from './observe/observations.ts';
import { logFault, logReport } from './observe/submission-log.ts';
import { Traces } from './observe/traces.ts';

interface ObserverParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the service. */
  readonly version: string;
}

interface Observers extends Pick<ServiceOptions, 'onReport' | 'onFault'> {
  readonly observed: Observations;
  /** Null where nobody asked for them. */
  readonly traces: Traces | null;
  /** Sends what is left, in bounded time. */
  close(): Promise<void>;
}

export async function openObservers(
  loaded: LoadedConfig,
  parts: ObserverParts,
): Promise<Observers> {
  const { logger, clock } = parts;
  const observed = new Observations(clock);
  const traces = await openTraces(loaded, parts);
  return {
    observed,
    traces,
    onReport(report, context) {
      logReport(logger, report, context);
      observed.report(report, context);
      traces?.report(report, context);
    },
    onFault(fault, id) {
      logFault(logger, fault, id);
      observed.fault(fault, id);
    },
    close: async () => await traces?.close(),
  };
}

/** The SDK is loaded only where traces are asked for: that takes a tenth of a second. */
async function openTraces(
  { traces }: LoadedConfig,
  { clock, version, logger }: ObserverParts,
): Promise<Traces | null> {
  if (traces === null) return null;
  const { openOTLP } = await import('./observe/otlp.ts');
  const onFailure = (error: Error | undefined): void => {
    logger.warn({ event: 'traces', reason: error?.message }, 'traces cannot be sent');
  };
  return new Traces(await openOTLP({ ...traces, clock, version, onFailure }), { clock, version });
}
