/**
 * A hundred real submissions (problems with stdin in six languages, problems of HumanEval with tests that are code, right
 * programs, wrong ones and ones that break) are judged once; each report is then replayed ten times, as `assay replay`
 * does it. No replay may differ from its report: verdict, reward, and how each case ended.
 */
import { ReplayedReport } from '../../src/cli/replay/record.ts';
import { Tally } from '../../src/cli/replay/tally.ts';
import {
  humanEvalPrograms,
  stdinPrograms,
  type KnownProgram,
} from '../../test/support/known-programs.ts';
import { mapLoop } from '../lib/load.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readLanguages, readStats } from '../lib/wire.ts';

const REPORTS = 100;
const TIMES = 10;
/** Of the reports; the rest are of HumanEval. */
const STDIN_SHARE = 0.6;
/** Beyond one a slot, in every other round; the others are judged one at a time. */
const QUEUED = 8;
const SHOWN_MAX = 25;

export const replays: Scenario = {
  name: 'replays',
  title: `${REPORTS} reports of real problems replayed ${TIMES} times each: identical verdicts`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const times = context.amount ?? (context.quick ? 2 : TIMES);
  const count = context.quick ? 10 : REPORTS;
  await using service = await TestService.start();
  const { client } = service;
  const { slots } = await readStats(client);
  const programs = choose(count, {
    languages: await readLanguages(client),
    shuffle: (all) => createRandom(context.seed).shuffle([...all]),
  });
  const atOnce = slots.total + QUEUED;
  const recorded = await mapLoop(programs, atOnce, async ({ name, language, request }) => {
    const report = ReplayedReport.parse(await judge(client, request));
    return { name, language, tally: new Tally({ request: { ...request }, report }), report };
  });
  for (let round = 0; round < times; round += 1) {
    await mapLoop(recorded, round % 2 === 0 ? 1 : atOnce, async ({ tally }) => {
      tally.add(ReplayedReport.parse(await judge(client, tally.request)));
    });
    context.say(`${(round + 1) * recorded.length} of ${times * recorded.length}`);
  }
  const found = recorded.map(({ tally }, index) => tally.report(index + 1));
  const other = found.filter(({ same, replays: all }) => same < all);
  const faults = found.filter(({ verdicts }) => verdicts['fault'] !== undefined);
  const verdicts = Object.entries(Object.groupBy(recorded, ({ report }) => report.verdict));
  const replayed = found.reduce((sum, each) => sum + each.replays, 0);
  return {
    rows: verdicts.map(([verdict, all = []]) => ({
      label: `reports with ${verdict}`,
      cells: {
        reports: String(all.length),
        languages: [...new Set(all.map(({ language }) => language))].toSorted().join(' '),
      },
    })),
    checks: [
      {
        what: `reports of ${found.length} of which any of ${replayed} replays differs`,
        target: '0',
        measured: String(other.length),
        ok: other.length === 0,
      },
      {
        what: 'reports with a replay that is a fault',
        target: '0',
        measured: String(faults.length),
        ok: faults.length === 0,
      },
    ],
    notes: other
      .slice(0, SHOWN_MAX)
      .map(
        ({ record, differences, flakes }) =>
          `${recorded[record - 1]?.name}: ${[...differences, ...flakes].join('; ')}`,
      ),
  };
}

/** Some of each kind, of the languages that are there. */
function choose(
  count: number,
  given: {
    readonly languages: readonly string[];
    readonly shuffle: (all: readonly KnownProgram[]) => KnownProgram[];
  },
): readonly KnownProgram[] {
  const stdin = given
    .shuffle(stdinPrograms())
    .filter(({ language }) => given.languages.includes(language))
    .slice(0, Math.round(count * STDIN_SHARE));
  return [...stdin, ...given.shuffle(humanEvalPrograms()).slice(0, count - stdin.length)];
}
