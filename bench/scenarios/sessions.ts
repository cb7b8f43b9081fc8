/**
 * Sessions: a thousand made, each used (one file put, one exec, one file got) and destroyed, as fast as all slots allow; and
 * as many idle at once. The rate as a multiple of the 35 a second that three million sandboxes a day are, how long
 * a creation takes, what an idle one holds, and what is left of all: nothing.
 */
import { z } from 'zod';

import { JAIL_KINDS, takeCensus, type Census } from '../lib/census.ts';
import type { Answer } from '../lib/http-client.ts';
import { closedLoop, stopwatch } from '../lib/load.ts';
import { quantileCells, summarise } from '../lib/quantiles.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { readStats } from '../lib/wire.ts';

/** 3,000,000 a day. */
const DAILY_RATE = 35;
const SESSIONS = 1000;
const SESSIONS_QUICK = 60;
const WARM_UP = 20;
const CREATE_MAX_MS = 5;
/** So that no creation waits for a core behind programs. */
const CALLERS_EXTRA = 1;

const LANGUAGE = 'python';
/** A shell, and Python started anew. */
const WAYS = {
  sh: 'read n < in.txt; echo $((n + 1)) > out.txt',
  python:
    "python3 -c \"n = int(open('in.txt').read()); open('out.txt', 'w').write(f'{n + 1}\\n')\"",
} as const;

const Session = z.looseObject({ id: z.string() });
const Executed = z.looseObject({
  fault: z.unknown(),
  kept: z.boolean(),
  outcome: z.looseObject({ exit_code: z.number().nullable() }).nullable(),
});

export const sessions: Scenario = {
  name: 'sessions',
  title: 'Sessions made, used and destroyed a second; nothing is left of them',
  run,
};

const STEPS = ['create', 'put', 'exec', 'get', 'destroy'] as const;
type Times = Record<(typeof STEPS)[number], number[]>;

async function run(context: BenchContext): Promise<ScenarioResult> {
  const count = context.amount ?? (context.quick ? SESSIONS_QUICK : SESSIONS);
  await using service = await TestService.start({ config: { languages: [LANGUAGE] } });
  const callers = (await readStats(service.client)).slots.total + CALLERS_EXTRA;
  await churn(service, { count: WARM_UP, callers, command: WAYS.sh });
  const before = await rest(service);
  const rows: Row[] = [];
  const rates: Record<string, number> = {};
  const all: Times[] = [];
  for (const [way, command] of Object.entries(WAYS)) {
    const elapsed = stopwatch();
    const times = await churn(service, { count, callers, command });
    const rate = (count * 1000) / elapsed();
    rates[way] = rate;
    all.push(times);
    context.say(`${way}: ${rate.toFixed(0)} sessions a second`);
    for (const step of STEPS)
      rows.push({
        label: `${way}, ${step}`,
        cells: {
          'sessions/s': rate.toFixed(0),
          [`× ${DAILY_RATE}/s`]: (rate / DAILY_RATE).toFixed(1),
          ...quantileCells(times[step], 'ms', 1),
        },
      });
  }
  const idle = await manyIdle(service, count);
  const after = await rest(service);
  const create = summarise(all.flatMap((times) => times.create));
  const least = Math.min(...Object.values(rates)) / DAILY_RATE;
  return {
    rows,
    checks: [
      {
        what: 'sessions made, used and destroyed a second, of 3,000,000 a day, the slower way',
        target: '≥ 1 ×',
        measured: `${least.toFixed(1)} ×`,
        ok: least >= 1,
      },
      {
        what: 'a creation, p50, p95, p99',
        target: `p50 ≤ ${CREATE_MAX_MS} ms`,
        measured: `${create.p50.toFixed(2)}, ${create.p95.toFixed(2)}, ${create.p99.toFixed(2)} ms`,
        ok: create.p50 <= CREATE_MAX_MS,
      },
      leftCheck(before, after),
    ],
    notes: [
      `${count} sessions each way, ${callers} callers; every answer is checked, and no exec had a fault`,
      'a creation takes no jail; what comes first of the pool is the exec, whose time includes it',
      `${count} idle at once held ${(idle / 1024).toFixed(1)} KiB each in the service, garbage collected`,
    ],
    figures: { rates, times: all, idleBytes: idle, before, after },
  };
}

interface Churn {
  readonly count: number;
  readonly callers: number;
  readonly command: string;
}

async function churn({ client }: TestService, { count, callers, command }: Churn): Promise<Times> {
  const times: Times = { create: [], put: [], exec: [], get: [], destroy: [] };
  await closedLoop({ callers, until: (started) => started >= count }, async (index) => {
    const made = await client.post('/v1/sessions', { language: LANGUAGE });
    const { id } = Session.parse(json(made, 201));
    const at = `/v1/sessions/${id}`;
    const put = await client.put(`${at}/files?path=in.txt`, Buffer.from(`${index}\n`));
    json(put, 200);
    const executed = await client.post(`${at}/exec`, { command });
    const { fault, kept, outcome } = Executed.parse(json(executed, 200));
    if (fault !== null || !kept || outcome?.exit_code !== 0)
      throw new Error(`an exec failed: ${executed.body.toString()}`);
    const got = await client.get(`${at}/files?path=out.txt`);
    if (got.body.toString() !== `${index + 1}\n`) throw new Error('the file is another');
    const gone = await client.delete(at);
    if (gone.status !== 204) throw new Error(`a session was not destroyed: ${gone.status}`);
    const answers = { create: made, put, exec: executed, get: got, destroy: gone };
    for (const step of STEPS) times[step].push(answers[step].ms);
  });
  return times;
}

/** So many sessions with a file at once, and destroyed by their label; what one held, bytes. */
async function manyIdle(service: TestService, count: number): Promise<number> {
  const { client } = service;
  const collected = async (): Promise<number> => {
    const { heapUsedBytes, externalBytes } = await service.ask('collect');
    return heapUsedBytes + externalBytes;
  };
  const before = await collected();
  const request = { language: LANGUAGE, labels: { bench: 'idle' }, files: { 'in.txt': '1\n' } };
  await closedLoop({ callers: 4, until: (started) => started >= count }, async () => {
    json(await client.post('/v1/sessions', request), 201);
  });
  const held = (await collected()) - before;
  json(await client.delete('/v1/sessions?label=bench%3Didle'), 200);
  return held / count;
}

function json(answer: Answer, status: number): unknown {
  if (answer.status !== status)
    throw new Error(`got ${answer.status}: ${answer.body.toString().slice(0, 500)}`);
  return JSON.parse(answer.body.toString());
}

async function rest(service: TestService): Promise<Census> {
  await service.whenIdle();
  return takeCensus(service);
}

/** Jails may be more or fewer than before; none holds more, and nothing is beside them. */
function leftCheck(before: Census, after: Census): Check {
  const left = {
    processes: after.strays + after.zombies,
    mounts: Math.max(0, after.hostMounts - before.hostMounts) + more(before, after, 'mounts'),
    'cgroup folders': after.strayCgroupFolders,
    files: Math.max(0, after.stateFiles - before.stateFiles),
    'processes in jails': more(before, after, 'processes'),
    'descriptors in jails': more(before, after, 'fds'),
  };
  const words = Object.entries(left).map(([what, number]) => `${number} ${what}`);
  return {
    what: 'left of all sessions',
    target: 'nothing',
    measured: words.join(', '),
    ok: Object.values(left).every((number) => number === 0),
  };
}

function more(before: Census, after: Census, what: 'mounts' | 'processes' | 'fds'): number {
  return JAIL_KINDS.filter((kind) => before.byKind[kind].jails > 0).reduce(
    (sum, kind) => sum + Math.max(0, after.byKind[kind][what] - before.byKind[kind][what]),
    0,
  );
}
