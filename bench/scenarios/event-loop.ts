/**
 * Delay of the service's event loop while all slots are saturated with mixed judge traffic: by the service's own
 * figure, by a probe inside it that weights gaps by their time, and as a caller feels it at `/healthz` at a constant
 * rate.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { closedLoop, stopwatch } from '../lib/load.ts';
import { createMix, programsFor, toJudgeRequest } from '../lib/programs.ts';
import { summarise } from '../lib/quantiles.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readLanguages, readStats } from '../lib/wire.ts';

const TARGET_MS = 20;
const SECONDS = 60;
/** Callers beyond the slots keep the queue from ever running dry. */
const CALLERS_EXTRA = 6;
const PING_EVERY_MS = 50;

export const eventLoop: Scenario = {
  name: 'event-loop',
  title: 'Delay of the event loop while all slots are saturated',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const durationMs = context.timeLimitMs ?? (context.quick ? 4 : SECONDS) * 1000;
  await using service = await TestService.start();
  const { client } = service;
  const random = createRandom(context.seed);
  const next = createMix(programsFor(await readLanguages(client)), random);
  const { slots } = await readStats(client);
  await service.ask('reset');
  const cpuBefore = await service.ask('read');

  const elapsed = stopwatch();
  const isOver = (): boolean => elapsed() >= durationMs;
  const busy: number[] = [];
  const pings: number[] = [];
  const verdicts = new Map<string, number>();
  let runs = 0;
  const load = closedLoop({ callers: slots.total + CALLERS_EXTRA, until: isOver }, async () => {
    const report = await judge(client, toJudgeRequest(next(), random));
    runs += report.cases.length;
    verdicts.set(report.verdict, (verdicts.get(report.verdict) ?? 0) + 1);
  });
  const pinging = (async () => {
    for (let due = 0; due < durationMs; due += PING_EVERY_MS) {
      // Sent when due, not when the last one is answered: a blocked loop delays every ping of its time.
      await sleep(Math.max(0, due - elapsed()));
      void client.get('/healthz').then(
        ({ ms }) => pings.push(ms),
        () => pings.push(Number.POSITIVE_INFINITY),
      );
    }
  })();
  const watching = (async () => {
    while (!isOver()) {
      await sleep(Math.min(250, durationMs));
      busy.push((await readStats(client)).slots.busy / slots.total);
    }
  })();
  await Promise.all([pinging, watching]);
  // Read before the queue runs dry.
  const { loop, cpuMs } = await service.ask('loop');
  const { event_loop_delay_ms: own } = await readStats(client);
  const submissions = await load;
  if (loop === null) throw new Error('the probe has no figures');

  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  const felt = summarise(pings);
  const share = summarise(busy).mean;
  const check = (what: string, p99: number) => ({
    what: `event-loop delay p99, ${what}`,
    target: `< ${TARGET_MS} ms`,
    measured: ms(p99),
    ok: p99 < TARGET_MS,
  });
  const row = (label: string, q: { p50: number; p95: number; p99: number; max?: number }) => ({
    label,
    cells: {
      p50: ms(q.p50),
      p95: ms(q.p95),
      p99: ms(q.p99),
      max: q.max === undefined ? '' : ms(q.max),
    },
  });
  return {
    rows: [
      row('/v1/stats event_loop_delay_ms', own),
      row('probe, weighted by time', loop),
      row('/healthz as a caller feels it', felt),
    ],
    checks: [
      check('by /v1/stats', own.p99),
      check('by the probe', loop.p99),
      {
        what: 'faults',
        target: '0',
        measured: String(verdicts.get('fault') ?? 0),
        ok: !verdicts.has('fault'),
      },
    ],
    notes: [
      `verdicts: ${[...verdicts].map(([verdict, times]) => `${verdict} ${times}`).join(', ')}`,
      `${(durationMs / 1000).toFixed(0)} s, ${submissions} submissions, ${runs} cases, slots busy ${(share * 100).toFixed(0)} % of the time`,
      `the service’s own process used ${(((cpuMs - cpuBefore.cpuMs) / durationMs) * 100).toFixed(0)} % of a core`,
      '/v1/stats counts since the start of the service, each gap once; the probe counts the loaded time only, long gaps by their length',
      'slots are pinned to all cores, so delays include waiting for a core; /healthz also includes the client’s own waiting',
    ],
  };
}
