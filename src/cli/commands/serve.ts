/** `assay serve`: the service until a signal ends it. */
import { defineCommand } from 'citty';

import { createAssay, type Assay } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { isNotServed } from '../../catalog/served.ts';
import { bind, type Bound } from '../../http/server.ts';
import { systemClock } from '../../lib/clock.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { describeToolchains } from '../toolchains.ts';
import { watchStopSignals, type StopSignals } from '../stop-signals.ts';

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Serve the HTTP API.' },
  args: configArgs,
  async run({ args }) {
    const loaded = loadCommandConfig(args);
    const { config } = loaded;
    using signals = watchStopSignals();
    // First, so that a port which is taken costs one line and not a start.
    const bound = await bind(config).catch((cause: unknown) => {
      throw new UsageError(whyNotBound(cause, config), { cause });
    });
    const assay = await start(loaded, bound, signals);
    if (assay === null) return;
    bound.serve(assay.app, assay.upgrade);
    for (const line of describeToolchains(assay.catalog)) console.error(`assay: ${line}`);
    console.error(welcome(bound.url));
    const warning = await whoMayCome(assay, config, bound.port);
    if (warning !== null) console.error(`assay: WARNING: ${warning}`);
    void announceReady(assay);
    await signals.first;
    await stop(assay, bound, { signals, config });
  },
});

/** Null when a signal came before the start was over; nothing of it is left then. */
async function start(
  loaded: LoadedConfig,
  bound: Bound,
  signals: StopSignals,
): Promise<Assay | null> {
  const stopped = new AbortController();
  void signals.first.then(() => stopped.abort());
  // Who signals again does not wait for what is being tried on this host.
  void signals.second.then(() => {
    if (starting !== null) leave();
  });
  let starting: Promise<Assay> | null = createAssay(loaded, {
    signal: stopped.signal,
    keepsJobs: true,
  });
  try {
    return await starting;
  } catch (error) {
    await bound.close(AbortSignal.abort());
    if (!stopped.signal.aborted) throw error;
    console.error('assay: stopped before it was ready');
    return null;
  } finally {
    starting = null;
  }
}

/** What the operator of a service that others reach should know; null where all is as it should be. */
async function whoMayCome(
  assay: Assay,
  { host, anonymous }: LoadedConfig['config'],
  port: number,
): Promise<string | null> {
  if (isLoopback(host)) return null;
  const others = `${host} is not only this machine`;
  if (anonymous === 'any')
    return `keys are not needed, and ${others}: whoever reaches port ${port} can run programs here`;
  if (await assay.hasKeys().catch(() => true)) return null;
  return anonymous === 'none'
    ? 'no tenant has a key, so nobody may come in: `assay tenant add NAME` makes one'
    : `no tenant has a key, and ${others}: whoever reaches port ${port} can run programs here. \`assay tenant add NAME\` makes a key, and from then on one is needed`;
}

const REMEDIES: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is taken; end what listens there, or choose another with --port`,
  EADDRNOTAVAIL: (host) =>
    `${host} is no address of this machine; choose one with --host (127.0.0.1, or 0.0.0.0 for all)`,
  ENOTFOUND: (host) => `${host} is no known name of a machine; choose an address with --host`,
  EAI_AGAIN: (host) => `${host} cannot be resolved now; choose an address with --host`,
  EACCES: (_, port) => `port ${port} needs a privilege; choose one above 1023 with --port`,
};

/** What stood in the way of listening, and what to change. */
export function whyNotBound(cause: unknown, { host, port }: { host: string; port: number }) {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const remedy = Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
  return remedy?.(host, port) ?? `cannot listen on ${host}:${port}: ${String(cause)}`;
}

/** After an impatient signal: how long the jails may take to go, ms. */
const FORCED_END_MS = 10_000;

interface Stopping {
  readonly signals: StopSignals;
  readonly config: Pick<LoadedConfig['config'], 'leaveMs' | 'drainMs'>;
}

/** Goes on until balancers have had time to notice, and what they had sent until then has its answer. */
async function leaveBalancers(
  assay: Assay,
  { leaveMs, drainMs }: Stopping['config'],
): Promise<void> {
  assay.leave();
  await systemClock.sleep(leaveMs);
  const late = Promise.withResolvers<void>();
  const timer = systemClock.after(drainMs, late.resolve);
  await Promise.race([assay.left(), late.promise]);
  timer.cancel();
}

/** Ends politely; on a second signal at once but tidily; on a third, or when that hangs, without looking back. */
async function stop(assay: Assay, bound: Bound, { signals, config }: Stopping): Promise<void> {
  console.error('assay: stopping once what runs has ended; signal again to end it now');
  const force = async (): Promise<void> => {
    console.error('assay: ending what runs');
    process.exitCode = EXIT.fault;
    void signals.third.then(leave);
    systemClock.after(FORCED_END_MS, leave);
    await assay.idle(0);
    await bound.close(AbortSignal.abort());
  };
  if (config.leaveMs > 0) await Promise.race([leaveBalancers(assay, config), signals.second]);
  assay.drain();
  const polite = Promise.all([bound.close(), assay.idle()]);
  await Promise.race([polite, signals.second.then(force)]);
  await assay.close();
}

function leave(): void {
  console.error('assay: ended without clearing up; the next start removes what is left');
  process.exit(EXIT.fault);
}

async function announceReady(assay: Assay): Promise<void> {
  await assay.selfTested;
  for (const language of assay.service.languages()) {
    if (!language.available && !isNotServed(language.reason ?? '')) {
      console.error(`assay: ${language.id} is NOT AVAILABLE: ${language.reason}`);
    }
  }
  const { ready, reasons } = assay.service.readiness();
  console.error(ready ? 'assay: ready' : `assay: not ready: ${reasons.join('; ')}`);
}

function welcome(url: string): string {
  const request = JSON.stringify({
    language: 'python',
    code: 'print(sum(map(int, input().split())))',
    tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] },
  });
  return [
    `assay: serving on ${url}`,
    'assay: try it:',
    `  curl -s ${url}/v1/judge -H 'content-type: application/json' -d '${request}'`,
  ].join('\n');
}
