/** `assay replay RECORDS`: judges again what was recorded, and says whether the answers are the same, and what varies. */
import { defineCommand } from 'citty';

import { inParallel } from '../../lib/in-parallel.ts';
import { expectSuccess, openApi, type Api } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { readRecords, ReplayedReport } from '../replay/record.ts';
import { describeAll, describeFlakes, type FlakeReport, Tally } from '../replay/tally.ts';
import { SIGNAL_EXIT, watchStopSignals } from '../stop-signals.ts';

const TIMES_MAX = 10_000;
const CONCURRENCY = { preset: 4, max: 64 };

export const replayCommand = defineCommand({
  meta: { name: 'replay', description: 'Judge recorded submissions again and compare.' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description:
        'What `assay judge --record` wrote, or such records, one a line, or a folder of such files.',
    },
    times: { type: 'string', description: 'How often; 1 by default. Tells of verdicts that vary.' },
    concurrency: {
      type: 'string',
      description: `Replays under way at once; ${CONCURRENCY.preset} by default.`,
    },
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print what was found as JSON.' },
    ...configArgs,
  },
  async run({ args }) {
    const times = toNumber('times', args.times ?? '1', TIMES_MAX);
    const preset = String(CONCURRENCY.preset);
    const most = toNumber('concurrency', args.concurrency ?? preset, CONCURRENCY.max);
    const tallies = (await readRecords(args.file)).map((record) => new Tally(record));
    const tell = (): readonly FlakeReport[] => {
      const found = tallies
        .map((tally, index) => tally.report(index + 1))
        .filter(({ replays }) => replays > 0);
      if (args.json === true) console.log(JSON.stringify(found, null, 2));
      else if (found.length > 0)
        console.log([...found.flatMap(describeFlakes), ...describeAll(found)].join('\n'));
      return found;
    };
    await using api = await openApi(args);
    using signals = watchStopSignals();
    // What has been found is told; a service of the command's own ends itself and then the process.
    void signals.first.then((signal) => {
      console.error('\nassay: stopped; what was found until then:');
      tell();
      if (args.url !== undefined) process.exit(SIGNAL_EXIT[signal]);
    });
    await replayAll(api, { tallies, times, most });
    process.exitCode = exitCode(tell());
  },
});

function toNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name} takes a number from 1 to ${max}, not ${text}`);
}

/** All records once, then all once more, so that the replays of one are far apart. */
async function replayAll(
  api: Api,
  { tallies, times, most }: { tallies: readonly Tally[]; times: number; most: number },
): Promise<void> {
  const total = tallies.length * times;
  let done = 0;
  for (let round = 0; round < times; round += 1) {
    await inParallel(tallies, {
      most,
      work: async (tally) => {
        const answer = expectSuccess(await api.post('/v1/judge', tally.request));
        tally.add(ReplayedReport.parse(answer));
        done += 1;
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}`);
      },
    });
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
}

/** A fault says nothing of the submission, so it is no difference but a fault. */
function exitCode(found: readonly FlakeReport[]): number {
  if (found.some(({ verdicts }) => (verdicts['fault'] ?? 0) > 0)) return EXIT.fault;
  return found.every(({ same, replays }) => same === replays) ? EXIT.ok : EXIT.notAccepted;
}
