/**
 * A long mixed load: good, failing and hostile programs in all languages. Every verdict is checked; at rest, between
 * batches, a census counts what the service holds on the machine. Warm-up is the first fifth of the runs: by then
 * every environment has its jails, heaps and caches their size.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import {
  describeFds,
  JAIL_KINDS,
  takeCensus,
  type Census,
  type JailKind,
  type JailsCensus,
} from '../lib/census.ts';
import { growthOf, mib, noGrowthCheck, smallGrowthCheck } from '../lib/growth.ts';
import { closedLoop, stopwatch } from '../lib/load.ts';
import { createMix, programsFor, toJudgeRequest, type Program } from '../lib/programs.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readLanguages, readStats, runOnce, type StatsResponse } from '../lib/wire.ts';

const RUNS = 20_000;
const BATCHES = 40;
const WARM_UP_SHARE = 0.2;
const CALLERS_EXTRA = 6;
const RSS_GROWTH = 0.05;
const TIME_LIMIT_MS = 45 * 60_000;
/** One in so many submissions is a plain run with files collected. */
const PLAIN_EVERY = 10;
/** Ends of jails are finished in the background, after the service calls itself idle. */
const SETTLE_MS = 500;
const FINDINGS_MAX = 20;

interface Sample extends Census {
  readonly runs: number;
  readonly rssCollectedBytes: number;
  readonly heapUsedBytes: number;
}

/** One figure of the samples: a row of the table, and a check where something is asked of it. */
interface Figure {
  readonly what: string;
  /** Null in a sample that says nothing of it. */
  readonly of: (sample: Sample) => number | null;
  readonly show: (value: number) => string;
  /** `none`: must not grow at all; `small`: by less than `RSS_GROWTH`. */
  readonly growth?: 'none' | 'small';
}

interface Tally {
  runs: number;
  submissions: number;
  faults: number;
  retries: number;
  readonly kinds: Map<string, number>;
  /** Verdicts that are not right for their program. */
  readonly findings: Map<string, number>;
}

export const soak: Scenario = {
  name: 'soak',
  title: `${RUNS} mixed runs: nothing grows, nothing fails that was not meant to`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const wanted = context.amount ?? (context.quick ? 400 : RUNS);
  const limitMs = context.timeLimitMs ?? (context.quick ? 12_000 : TIME_LIMIT_MS);
  const batches = context.quick ? 4 : BATCHES;
  await using service = await TestService.start();
  const { client } = service;
  const random = createRandom(context.seed);
  const next = createMix(programsFor(await readLanguages(client)), random);
  const callers = (await readStats(client)).slots.total + CALLERS_EXTRA;
  const tally: Tally = {
    runs: 0,
    submissions: 0,
    faults: 0,
    retries: 0,
    kinds: new Map(),
    findings: new Map(),
  };
  const samples: Sample[] = [];
  const elapsed = stopwatch();
  for (let batch = 1; batch <= batches && elapsed() < limitMs; batch += 1) {
    const goal = Math.round((wanted * batch) / batches);
    const until = (): boolean => tally.runs >= goal || elapsed() >= limitMs;
    await closedLoop({ callers, until }, async (index) => {
      if (index % PLAIN_EVERY === PLAIN_EVERY - 1) await plainRun(service, tally);
      else await judged(service, tally, toJudgeRequestOf(next(), random));
    });
    const sample = await takeSample(service, tally.runs);
    samples.push(sample);
    const { serviceFds, jails, processes, rssCollectedBytes } = sample;
    context.say(
      `${tally.runs} of ${wanted} runs, ${(elapsed() / 1000).toFixed(0)} s; fds ${serviceFds}, jails ${jails}, processes ${processes}, RSS ${mib(rssCollectedBytes)}; faults ${tally.faults}, findings ${tally.findings.size}`,
    );
  }
  const stats = await readStats(client);
  return toResult({
    tally,
    samples,
    stats,
    wanted,
    fds: describeFds(service.pid),
    log: service.log,
  });
}

interface Judged {
  readonly program: Program;
  readonly request: unknown;
}

function toJudgeRequestOf(program: Program, random: ReturnType<typeof createRandom>): Judged {
  return { program, request: toJudgeRequest(program, random) };
}

async function judged(service: TestService, tally: Tally, { program, request }: Judged) {
  const report = await judge(service.client, request);
  tally.submissions += 1;
  tally.runs += report.cases.length + (report.compile === null ? 0 : 1);
  tally.retries += report.attempts.length;
  count(tally.kinds, report.verdict);
  if (report.verdict === 'fault') tally.faults += 1;
  if (program.right.includes(report.verdict)) return;
  count(tally.findings, `${program.name} → ${report.verdict} ${report.fault?.code ?? ''}`.trim());
}

async function plainRun(service: TestService, tally: Tally): Promise<void> {
  const report = await runOnce(service.client, {
    language: 'python',
    code: "import sys\nopen('out.txt', 'w').write(sys.stdin.read())\n",
    stdin: 'kept',
    collect: ['out.txt', 'missing.txt'],
  });
  tally.submissions += 1;
  tally.runs += 1;
  tally.retries += report.attempts - 1;
  count(tally.kinds, 'plain run');
  if (report.fault !== null) tally.faults += 1;
  if (report.files['out.txt'] === 'kept') return;
  count(tally.findings, `plain run → ${report.fault?.code ?? report.outcome?.kind ?? 'nothing'}`);
}

async function takeSample(service: TestService, runs: number): Promise<Sample> {
  await service.whenIdle();
  service.client.disconnect();
  await sleep(SETTLE_MS);
  const census = takeCensus({ pid: service.pid, stateDir: service.stateDir });
  const { rssBytes, heapUsedBytes } = await service.ask('collect');
  return { ...census, runs, rssCollectedBytes: rssBytes, heapUsedBytes };
}

interface Facts {
  readonly tally: Tally;
  readonly samples: readonly Sample[];
  readonly stats: StatsResponse;
  readonly wanted: number;
  readonly fds: Readonly<Record<string, number>>;
  readonly log: string;
}

function toResult(facts: Facts): ScenarioResult {
  const { tally, samples, stats, wanted, fds, log } = facts;
  const total = samples.at(-1)?.runs ?? 0;
  const isWarm = ({ runs }: Sample): boolean => runs > WARM_UP_SHARE * total;
  const warm = samples.filter(isWarm);
  const findings = [...tally.findings].map(([what, times]) => `${what} (${times} ×)`);
  return {
    rows: toRows(samples, warm),
    checks: [
      {
        what: 'runs made',
        target: `${wanted}`,
        measured: `${tally.runs} runs, ${tally.submissions} submissions`,
        ok: tally.runs >= wanted,
      },
      zeroCheck('faults', tally.faults + stats.submissions.faults, log),
      zeroCheck('verdicts that are not right', findings.length, findings.join('; ')),
      ...FIGURES.flatMap((figure) => toChecks(figure, warm)),
    ],
    notes: [
      `warm-up: the first ${WARM_UP_SHARE * 100} % of the runs; growth: the median of the last fifth of the samples after it against that of the first fifth`,
      `verdicts: ${[...tally.kinds].map(([kind, times]) => `${kind} ${times}`).join(', ')}`,
      `jails retired: ${retired(stats)}; attempts listed in reports: ${tally.retries}`,
      `descriptors of the service at the end: ${Object.entries(fds)
        .map(([kind, times]) => `${kind} ${times}`)
        .join(', ')}`,
    ],
  };
}

function zeroCheck(what: string, value: number, detail: string): Check {
  const measured = value === 0 ? '0' : `${value}: ${detail.slice(-2000)}`;
  return { what, target: '0', measured, ok: value === 0 };
}

const COUNTS: readonly Figure[] = [
  // The number of jails follows the load; what each of them costs must not grow.
  { what: 'jails', of: ({ jails }) => jails, show: String },
  {
    what: 'descriptors of the service beyond one a jail',
    of: ({ serviceFds, jails }) => serviceFds - jails,
    show: String,
    growth: 'none',
  },
  {
    what: 'descriptors of the launcher',
    of: ({ launcherFds }) => launcherFds,
    show: String,
    growth: 'none',
  },
  { what: 'zombies', of: ({ zombies }) => zombies, show: String, growth: 'none' },
  { what: 'processes of no jail', of: ({ strays }) => strays, show: String, growth: 'none' },
  {
    what: 'cgroup folders of no jail',
    of: ({ strayCgroupFolders }) => strayCgroupFolders,
    show: String,
    growth: 'none',
  },
  { what: 'mounts of the host', of: ({ hostMounts }) => hostMounts, show: String, growth: 'none' },
  {
    what: 'files in the state folder beside the compile cache',
    of: ({ stateFiles }) => stateFiles,
    show: String,
    growth: 'none',
  },
];

const KIND_NAMES: Readonly<Record<JailKind, string>> = {
  plain: 'a jail',
  warm: 'a jail with a warm interpreter',
  isolate: 'a jail of isolates',
};

/** Exact for each kind of jail, however the load mixes them. */
function figuresOf(kind: JailKind): Figure[] {
  const figure = (
    what: string,
    key: keyof JailsCensus,
    rest: Pick<Figure, 'show' | 'growth'>,
  ): Figure => ({
    what: `${what} of ${KIND_NAMES[kind]}`,
    of: ({ byKind }) => (byKind[kind].jails === 0 ? null : byKind[kind][key]),
    ...rest,
  });
  const exact = { show: String, growth: 'none' } as const;
  return [
    figure('processes', 'processes', exact),
    figure('mounts', 'mounts', exact),
    figure('descriptors', 'fds', exact),
    figure('cgroup folders', 'cgroupFolders', exact),
    figure('tmpfs', 'tmpfsBytes', { show: mib, growth: 'none' }),
    // A supervisor allocates nothing after its start, so this is exact; which of its pages it has touched depends on
    // what has come by. V8 reserves as it likes.
    figure('memory mapped by the first process', 'mappedBytes', {
      show: mib,
      ...(kind === 'isolate' ? {} : { growth: 'none' }),
    }),
    figure('RSS', 'rssMeanBytes', { show: mib, ...(kind === 'warm' ? { growth: 'small' } : {}) }),
  ];
}

const FIGURES: readonly Figure[] = [
  ...COUNTS,
  ...JAIL_KINDS.flatMap(figuresOf),
  { what: 'service RSS', of: ({ serviceRssBytes }) => serviceRssBytes, show: mib },
  {
    what: 'service RSS after a collection',
    of: ({ rssCollectedBytes }) => rssCollectedBytes,
    show: mib,
    growth: 'small',
  },
  { what: 'heap in use', of: ({ heapUsedBytes }) => heapUsedBytes, show: mib },
];

function seriesOf({ of }: Figure, samples: readonly Sample[]): number[] {
  return samples.map(of).filter((value) => value !== null);
}

function toChecks(figure: Figure, warm: readonly Sample[]): Check[] {
  const { what, show, growth } = figure;
  const series = seriesOf(figure, warm);
  if (growth === undefined) return [];
  if (series.length === 0) return [{ what, target: 'no growth', measured: 'none there', ok: true }];
  if (growth === 'none') return [noGrowthCheck(what, series, show)];
  return [smallGrowthCheck(what, series, { limit: RSS_GROWTH, show })];
}

function toRows(samples: readonly Sample[], warm: readonly Sample[]): Row[] {
  const [first] = samples;
  if (first === undefined) return [];
  return FIGURES.flatMap((figure): Row[] => {
    const series = seriesOf(figure, warm);
    if (series.length === 0) return [];
    const { from, to } = growthOf(series);
    const { what, of, show } = figure;
    const atFirst = of(first);
    return [
      {
        label: what,
        cells: {
          'first sample': atFirst === null ? '' : show(atFirst),
          'after warm-up': show(from),
          'at the end': show(to),
          most: show(Math.max(...series)),
        },
      },
    ];
  });
}

function retired(stats: StatsResponse): string {
  const sums = new Map<string, number>();
  for (const { retired: each } of stats.environments) {
    for (const [reason, times] of Object.entries(each)) {
      sums.set(reason, (sums.get(reason) ?? 0) + times);
    }
  }
  return sums.size === 0
    ? 'none'
    : [...sums].map(([reason, times]) => `${reason} ${times}`).join(', ');
}

/** Counts under a bounded number of names. */
function count(counts: Map<string, number>, name: string): void {
  if (!counts.has(name) && counts.size >= FINDINGS_MAX) return;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
