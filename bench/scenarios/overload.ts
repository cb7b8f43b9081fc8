/**
 * More than there is capacity for: open-loop load at shares and multiples of what a closed loop gets through, each request
 * with a deadline. What is taken must be answered in time, what is not must be refused at once, and when it is over the
 * service must be as before.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { closedLoop, openLoop, stopwatch } from '../lib/load.ts';
import { summarise } from '../lib/quantiles.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { readStats, type RunResponse } from '../lib/wire.ts';

const FACTORS = [0.5, 0.9, 1.5, 3];
/** Long beside what a request costs client and service, who share the cores with the runs. */
const CPU_MS = 200;
const DEADLINE_MS = 4000;
/** To see that it works. */
const QUICK = { seconds: 1, factors: [0.5, 3], deadlineMs: 1000 };
/** For the way to the client. */
const DEADLINE_SLACK_MS = 100;
const REFUSAL_MS = 5;
const GOODPUT_SHARE = 0.95;
const RECOVERY_MS = 5000;
/** Of what a request takes alone. */
const QUICK_SHARE = 1.25;
const GROWTH_MAX = 0.1;
const PHASE_S = 60;

export const overload: Scenario = {
  name: 'overload',
  title: `open loop at ${FACTORS.join(', ')} × capacity: what is taken is answered in time, the rest refused at once`,
  run,
};

const REQUEST = {
  language: 'python',
  code: `import time\nwhile time.process_time() < ${CPU_MS / 1000}: pass\nprint("done")\n`,
};

interface Load {
  readonly service: TestService;
  /** Undefined for none. */
  readonly deadlineMs: number | undefined;
}

interface Answered {
  readonly status: number;
  readonly ms: number;
  /** Since the phase began. */
  readonly atMs: number;
}

interface Phase {
  readonly factor: number;
  readonly offered: number;
  readonly answers: readonly Answered[];
  readonly rssBytes: number;
  /** Ended while they ran: work for nothing. */
  readonly wasted: number;
}

async function run(context: BenchContext): Promise<ScenarioResult> {
  const { seconds, factors, deadlineMs } = context.quick
    ? QUICK
    : {
        seconds: (context.timeLimitMs ?? PHASE_S * 1000) / 1000,
        factors: FACTORS,
        deadlineMs: DEADLINE_MS,
      };
  await using service = await TestService.start({ config: { languages: ['python'] } });
  const load = { service, deadlineMs };
  const { slots } = await readStats(service.client);
  // Jails and compiled code are made.
  await capacityOf(load, slots.total + 2, 1);
  const idleMs = await slowestAlone(load);
  const capacity = await capacityOf(load, slots.total + 2, seconds);
  context.say(`capacity ${capacity.toFixed(1)} a second on ${slots.total} slots`);
  const phases: Phase[] = [];
  let recoveredMs = 0;
  for (const factor of factors) {
    const offered = factor * capacity;
    const wastedBefore = await wastedOf(service);
    const elapsed = stopwatch();
    const answers = await openLoop({ perSecond: offered, seconds }, async () => {
      const answer = await ask(load);
      return { ...answer, atMs: elapsed() };
    });
    recoveredMs = await recovery(load, idleMs);
    const { rssBytes } = await service.ask('collect');
    const wasted = (await wastedOf(service)) - wastedBefore;
    phases.push({ factor, offered, answers, rssBytes, wasted });
    context.say(`${factor} ×: ${answers.length} sent, ${countOf(answers, 200)} right`);
  }
  const [first] = phases;
  const last = phases.at(-1);
  if (first === undefined || last === undefined) throw new Error('there was no phase');
  return {
    rows: phases.map((phase) => rowOf(phase, capacity)),
    checks: [
      ...checksOf(last, { capacity, deadlineMs }),
      memoryCheck(first, last),
      recoveryCheck(recoveredMs),
    ],
    notes: [
      `each request takes ${CPU_MS} ms of CPU and has a deadline of ${deadlineMs} ms; capacity ${capacity.toFixed(1)} a second in a closed loop of ${slots.total + 2} callers, ${seconds} s a phase`,
      '503 is refused on arrival, 504 was given up by its deadline; client and service share the cores with the runs',
    ],
    figures: {
      capacity,
      phases: phases.map(({ answers, ...rest }) => ({ ...rest, sent: answers.length })),
      recoveredMs,
    },
  };
}

async function capacityOf(load: Load, callers: number, seconds: number): Promise<number> {
  const elapsed = stopwatch();
  const done = await closedLoop({ callers, until: () => elapsed() > 1000 * seconds }, async () => {
    const { status } = await ask({ ...load, deadlineMs: undefined });
    if (status !== 200) throw new Error(`a request below capacity was answered ${status}`);
  });
  return done / (elapsed() / 1000);
}

async function ask({ service, deadlineMs }: Load): Promise<Pick<Answered, 'status' | 'ms'>> {
  const { status, ms, body } = await service.client.post('/v1/run', {
    ...REQUEST,
    deadline_ms: deadlineMs,
  });
  if (status !== 200) return { status, ms };
  // The service's tests hold its answers to this type.
  const { outcome } = JSON.parse(body.toString('utf8')) as RunResponse;
  return { status: outcome?.stdout === 'done\n' ? 200 : 0, ms };
}

/** Of a few requests, one after the other. */
async function slowestAlone(load: Load): Promise<number> {
  let slowestMs = 0;
  for (let i = 0; i < 5; i += 1)
    slowestMs = Math.max(slowestMs, (await ask({ ...load, deadlineMs: undefined })).ms);
  return slowestMs;
}

/** From the last answer of a phase until a request is as quick as on an idle service, ms. */
async function recovery(load: Load, idleMs: number): Promise<number> {
  const elapsed = stopwatch();
  for (;;) {
    const { status, ms } = await ask(load);
    if (status === 200 && ms <= QUICK_SHARE * idleMs) return elapsed() - ms;
    if (elapsed() > 2 * RECOVERY_MS) return elapsed();
    await sleep(20);
  }
}

async function wastedOf({ client }: TestService): Promise<number> {
  const { given_up: givenUp } = await readStats(client);
  return Object.values(givenUp.running).reduce((sum, count) => sum + count, 0);
}

function countOf(answers: readonly Answered[], status: number): number {
  return answers.filter((each) => each.status === status).length;
}

/** Right answers a second, until the last of them. */
function goodputOf({ answers }: Phase): number {
  const right = answers.filter(({ status }) => status === 200);
  return right.length / (Math.max(...right.map(({ atMs }) => atMs)) / 1000);
}

function timesOf({ answers }: Phase, status: number): readonly number[] {
  return answers.filter((each) => each.status === status).map(({ ms }) => ms);
}

function p99Of(times: readonly number[]): number | null {
  return times.length === 0 ? null : summarise(times).p99;
}

function rowOf(phase: Phase, capacity: number): Row {
  const { factor, offered, answers, rssBytes } = phase;
  const ms = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} ms`);
  return {
    label: `${factor} ×`,
    cells: {
      offered: `${offered.toFixed(1)}/s`,
      right: `${goodputOf(phase).toFixed(1)}/s`,
      'of capacity': `${((100 * goodputOf(phase)) / capacity).toFixed(0)} %`,
      'p99 right': ms(p99Of(timesOf(phase, 200))),
      503: String(countOf(answers, 503)),
      'p99 of 503': ms(p99Of(timesOf(phase, 503))),
      504: String(countOf(answers, 504)),
      'ended running': String(phase.wasted),
      other: String(answers.filter(({ status }) => ![200, 503, 504].includes(status)).length),
      RSS: `${(rssBytes / 2 ** 20).toFixed(0)} MiB`,
    },
  };
}

function checksOf(
  phase: Phase,
  { capacity, deadlineMs }: { readonly capacity: number; readonly deadlineMs: number },
): Check[] {
  const share = goodputOf(phase) / capacity;
  const right = p99Of(timesOf(phase, 200)) ?? Infinity;
  const refused = p99Of(timesOf(phase, 503)) ?? Infinity;
  const name = `at ${phase.factor} × capacity`;
  return [
    {
      what: `${name}: right answers, of the capacity`,
      target: `≥ ${100 * GOODPUT_SHARE} %`,
      measured: `${(100 * share).toFixed(1)} %`,
      ok: share >= GOODPUT_SHARE,
    },
    {
      what: `${name}: p99 of right answers`,
      target: `≤ ${deadlineMs + DEADLINE_SLACK_MS} ms`,
      measured: `${right.toFixed(0)} ms`,
      ok: right <= deadlineMs + DEADLINE_SLACK_MS,
    },
    {
      what: `${name}: p99 of refusals`,
      target: `< ${REFUSAL_MS} ms`,
      measured: `${refused.toFixed(1)} ms`,
      ok: refused < REFUSAL_MS,
    },
  ];
}

function memoryCheck(first: Phase, last: Phase): Check {
  const growth = last.rssBytes / first.rssBytes - 1;
  return {
    what: 'resident memory after the heaviest load, beside the lightest',
    target: `≤ +${100 * GROWTH_MAX} %`,
    measured: `${(100 * growth).toFixed(1)} %`,
    ok: growth <= GROWTH_MAX,
  };
}

function recoveryCheck(recoveredMs: number): Check {
  return {
    what: 'quick again after the last answer of the heaviest load',
    target: `≤ ${RECOVERY_MS} ms`,
    measured: `${recoveredMs.toFixed(0)} ms`,
    ok: recoveredMs <= RECOVERY_MS,
  };
}
