/** `assay serve`: the service until a signal ends it. */
import { defineCommand } from 'citty';

import { createAssay, type Assay } from '../../app.ts';
import { listen, type Listening } from '../../http/server.ts';
import { systemClock } from '../../lib/clock.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Serve the HTTP API.' },
  args: configArgs,
  async run({ args }) {
    const loaded = loadCommandConfig(args);
    const { config } = loaded;
    const assay = await createAssay(loaded);
    const listening = await listen(assay.app, config).catch(async (cause: unknown) => {
      await assay.close();
      throw new UsageError(
        `cannot listen on ${config.host}:${config.port}: ${String(cause)}; choose another with --port`,
        { cause },
      );
    });
    console.error(welcome(listening.url));
    void announceReady(assay);
    await stopSignal();
    await stop(assay, listening);
  },
});

/** Signals within this time are one: on Ctrl-C both the terminal and npm send one. */
const SAME_SIGNAL_MS = 1000;

/** Waits for the first SIGINT or SIGTERM; a second one, later, ends the process at once. */
async function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAt: number | null = null;
  const onSignal = (): void => {
    const now = systemClock.now();
    firstAt ??= now;
    if (now - firstAt < SAME_SIGNAL_MS) resolve();
    else process.exit(EXIT.fault);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  await promise;
}

async function stop(assay: Assay, listening: Listening): Promise<void> {
  console.error('assay: stopping; running submissions may end');
  assay.drain();
  await Promise.all([listening.close(), assay.idle()]);
  await assay.close();
}

async function announceReady(assay: Assay): Promise<void> {
  await assay.selfTested;
  for (const language of assay.service.languages()) {
    if (!language.available) {
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
