/**
 * The same submissions judged one at a time and again under full load must get identical verdicts, near-limit ones
 * included. Each is also held against the verdict that is right for it.
 */
import { mapLoop } from '../lib/load.ts';
import { calibrate, makeSubmissions, type Submission } from '../lib/near-limit.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Check, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readLanguages, readStats, type JudgeResponse } from '../lib/wire.ts';

const SUBMISSIONS = 500;
const QUEUED = 50;
const SHOWN_MAX = 25;

export const sameVerdicts: Scenario = {
  name: 'same-verdicts',
  title: `${SUBMISSIONS} submissions alone and under full load`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const count = context.amount ?? (context.quick ? 10 : SUBMISSIONS);
  await using service = await TestService.start();
  const { client } = service;
  const languages = await readLanguages(client);
  const calibration = await calibrate(client, { languages, runs: context.quick ? 1 : 5 });
  const random = createRandom(context.seed);
  const submissions = makeSubmissions(count, { languages, calibration, random });
  const { slots } = await readStats(client);

  const judgeAll = async (callers: number, name: string): Promise<JudgeResponse[]> => {
    let done = 0;
    return await mapLoop(submissions, callers, async ({ request }) => {
      const report = await judge(client, request);
      done += 1;
      if (done % 100 === 0) context.say(`${name}: ${done} of ${count}`);
      return report;
    });
  };
  const alone = await judgeAll(1, 'alone');
  const loaded = await judgeAll(slots.total + QUEUED, 'under load');
  const again = context.quick ? [] : await judgeAll(slots.total + QUEUED, 'under load, again');
  return toResult({ submissions, alone, loads: [loaded, again], calibration });
}

interface Facts {
  readonly submissions: readonly Submission[];
  readonly alone: readonly JudgeResponse[];
  readonly loads: readonly (readonly JudgeResponse[])[];
  readonly calibration: ReadonlyMap<string, number>;
}

function toResult({ submissions, alone, loads, calibration }: Facts): ScenarioResult {
  const passes = loads.filter((reports) => reports.length > 0);
  const differences = submissions.flatMap(({ name }, index) =>
    passes.flatMap((reports) => {
      const [one, other] = [verdictsOf(alone[index]), verdictsOf(reports[index])];
      return one === other ? [] : [`${name}: alone ${one}, under load ${other}`];
    }),
  );
  const wrong = [alone, ...passes].flatMap((reports) =>
    submissions.flatMap(({ name, right }, index) => {
      const verdict = reports[index]?.verdict;
      return verdict !== undefined && right.includes(verdict)
        ? []
        : [`${name} → ${verdict ?? 'nothing'}`];
    }),
  );
  const row = (label: string, reports: readonly JudgeResponse[]) => ({
    label,
    cells: Object.fromEntries(
      [...tally(reports)].map(([verdict, times]) => [verdict, String(times)]),
    ),
  });
  return {
    rows: [
      row('alone', alone),
      ...passes.map((reports, index) => row(`under load, pass ${index + 1}`, reports)),
      ...slowdownRows(submissions, alone, passes),
    ],
    checks: [
      listCheck('verdicts that differ between alone and under load', differences),
      listCheck('verdicts that are not right', wrong),
    ],
    notes: [
      `under load: all slots busy and ${QUEUED} queued`,
      `fixed work, rounds per ms of CPU at rest: ${[...calibration].map(([id, rate]) => `${id} ${rate.toFixed(0)}`).join(', ')}`,
      ...differences.slice(0, SHOWN_MAX),
      ...wrong.slice(0, SHOWN_MAX),
    ],
  };
}

/** How much more CPU the same work costs under load; what a near-limit verdict depends on. */
function slowdownRows(
  submissions: readonly Submission[],
  alone: readonly JudgeResponse[],
  passes: readonly (readonly JudgeResponse[])[],
) {
  const ratios = submissions.flatMap(({ name }, index) => {
    if (!name.includes('/work at 70')) return [];
    const before = alone[index]?.cases[0]?.cpu_ms ?? 0;
    return passes.map((reports) => (reports[index]?.cases[0]?.cpu_ms ?? 0) / before);
  });
  if (ratios.length === 0) return [];
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (q: number): string =>
    `${(sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toFixed(2)} ×`;
  return [
    {
      label: 'CPU time of the same work, under load against alone',
      cells: { p50: at(0.5), p95: at(0.95), max: at(1) },
    },
  ];
}

function verdictsOf(report: JudgeResponse | undefined): string {
  if (report === undefined) return 'nothing';
  const cases = report.cases.map(({ verdict }) => verdict);
  return `${report.verdict} ${report.reward} [${cases.join(' ')}]`;
}

function tally(reports: readonly JudgeResponse[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of reports) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}

function listCheck(what: string, list: readonly string[]): Check {
  return { what, target: '0', measured: String(list.length), ok: list.length === 0 };
}
