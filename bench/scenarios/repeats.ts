/**
 * The same mixed submissions again and again, one at a time and under full load in turn: programs of every language,
 * near-limit ones among them, and programs of the gauntlet in every style, honest ones and hacks. Every repeat must
 * give each the verdicts of the first, case by case.
 */
import { openApi } from '../../src/cli/api.ts';
import { attemptName, attemptsOf, endOf, judgeRequest } from '../../src/cli/gauntlet/run.ts';
import { readGauntlet } from '../../src/cli/gauntlet/problems.ts';
import { readLanguages as readLanguagesWhole } from '../../src/cli/program-file.ts';
import { mapLoop } from '../lib/load.ts';
import { calibrate, makeSubmissions } from '../lib/near-limit.ts';
import { createRandom, type Random } from '../lib/random.ts';
import type { BenchContext, Check, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT, TestService } from '../lib/service.ts';
import { judge, type JudgeResponse, readLanguages, readStats } from '../lib/wire.ts';

const SUBMISSIONS = 300;
const REPEATS = 100;
/** Of the submissions; the rest are the gauntlet's. */
const PROGRAMS_SHARE = 0.2;
/** Beyond one a slot, under load. */
const QUEUED = 20;
/** One repeat in so many is judged one at a time; the first is. */
const ALONE_EVERY = 10;
const SHOWN_MAX = 25;

export const repeats: Scenario = {
  name: 'repeats',
  title: `${REPEATS} times ${SUBMISSIONS} mixed submissions, alone and under load: the same verdicts`,
  run,
};

interface Repeated {
  readonly name: string;
  readonly request: unknown;
  readonly isRight: (report: JudgeResponse) => boolean;
}

async function run(context: BenchContext): Promise<ScenarioResult> {
  const times = context.amount ?? (context.quick ? 3 : REPEATS);
  const count = context.quick ? 30 : SUBMISSIONS;
  await using service = await TestService.start();
  const { client } = service;
  const { slots } = await readStats(client);
  const submissions = await mixed(service, count, createRandom(context.seed));
  const first: string[] = [];
  const differences: string[] = [];
  const wrong = new Set<string>();
  let judged = 0;
  for (let repeat = 0; repeat < times; repeat += 1) {
    const isAlone = repeat % ALONE_EVERY === 0;
    const reports = await mapLoop(
      submissions,
      isAlone ? 1 : slots.total + QUEUED,
      async ({ request }) => await judge(client, request),
    );
    for (const [index, report] of reports.entries()) {
      const { name = '', isRight } = submissions[index] ?? {};
      const said = verdictsOf(report);
      if (repeat === 0) first.push(said);
      else if (said !== first[index]) {
        const how = isAlone ? ', alone' : '';
        const found = `${name}, repeat ${repeat + 1}${how}: ${first[index] ?? ''}, then ${said}`;
        differences.push(found);
        context.say(found);
      }
      if (isRight?.(report) !== true) {
        const told = report.fault?.message ?? report.message;
        wrong.add(`${name} → ${report.verdict} ${told}`);
      }
    }
    judged += reports.length;
    context.say(
      `repeat ${repeat + 1} of ${times}; ${differences.length} differ, ${wrong.size} not right`,
    );
  }
  return {
    rows: [
      {
        label: 'judged',
        cells: {
          submissions: String(submissions.length),
          times: String(times),
          all: String(judged),
        },
      },
    ],
    checks: [
      noneCheck('verdicts that differ from the first repeat', differences.length),
      noneCheck('submissions whose verdict is not right', wrong.size),
    ],
    notes: [
      `one repeat in ${ALONE_EVERY} alone, the others with all slots busy and ${QUEUED} queued`,
      ...differences.slice(0, SHOWN_MAX),
      ...[...wrong].slice(0, SHOWN_MAX),
    ],
  };
}

async function mixed(service: TestService, count: number, random: Random): Promise<Repeated[]> {
  const { client } = service;
  const languages = await readLanguages(client);
  const calibration = await calibrate(client, { languages, runs: 3 });
  const programs = makeSubmissions(Math.round(count * PROGRAMS_SHARE), {
    languages,
    calibration,
    random,
  }).map(({ name, request, right }) => ({
    name,
    request,
    isRight: ({ verdict }: JudgeResponse) => right.includes(verdict),
  }));
  await using api = await openApi({ url: service.url });
  const all = await readLanguagesWhole(api);
  const gauntlet = attemptsOf(await readGauntlet(`${ROOT}/gauntlet`), /^/).flatMap((attempt) => {
    const request = judgeRequest(attempt, all);
    if (typeof request === 'string') return [];
    const isRight = (report: JudgeResponse): boolean => endOf(attempt.program, report) === 'passed';
    return [{ name: attemptName(attempt), request, isRight }];
  });
  return random.shuffle([
    ...programs,
    ...random.shuffle(gauntlet).slice(0, count - programs.length),
  ]);
}

function verdictsOf({ verdict, reward, cases }: JudgeResponse): string {
  return `${verdict} ${reward} [${cases.map((each) => each.verdict).join(' ')}]`;
}

function noneCheck(what: string, times: number): Check {
  return { what, target: '0', measured: String(times), ok: times === 0 };
}
