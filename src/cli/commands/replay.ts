/** `assay replay RECORD`: judges again what was recorded, and says whether the answer is the same. */
import { defineCommand } from 'citty';

import { expectSuccess, openApi, type Api } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { differences, flakes, movedPlaces } from '../replay/compare.ts';
import { readRecords, ReplayedReport, type Record } from '../replay/record.ts';

const TIMES_MAX = 10_000;

interface Replayed {
  readonly record: Record;
  readonly replays: readonly ReplayedReport[];
}

export const replayCommand = defineCommand({
  meta: { name: 'replay', description: 'Judge recorded submissions again and compare.' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'What `assay judge --record` wrote, or such records, one a line.',
    },
    times: { type: 'string', description: 'How often; 1 by default. Tells of verdicts that vary.' },
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print what was found as JSON.' },
    ...configArgs,
  },
  async run({ args }) {
    const times = toTimes(args.times);
    const records = await readRecords(args.file);
    await using api = await openApi(args);
    const replayed: Replayed[] = [];
    for (const [index, record] of records.entries()) {
      replayed.push({ record, replays: await replay(api, record, times) });
      if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${records.length}`);
    }
    if (process.stderr.isTTY) process.stderr.write('\n');
    const found = replayed.map((each, index) => ({ record: index + 1, ...compare(each) }));
    if (args.json) console.log(JSON.stringify(found, null, 2));
    else console.log(found.flatMap(describe).join('\n'));
    process.exitCode = exitCode(replayed, found);
  },
});

function toTimes(text: string | undefined): number {
  const times = Number(text ?? 1);
  if (Number.isSafeInteger(times) && times >= 1 && times <= TIMES_MAX) return times;
  throw new UsageError(`--times takes a number from 1 to ${TIMES_MAX}, not ${text}`);
}

/** One after the other: the service's other work is the load, if one is wanted. */
async function replay(api: Api, { request }: Record, times: number): Promise<ReplayedReport[]> {
  const reports: ReplayedReport[] = [];
  for (let index = 0; index < times; index += 1) {
    reports.push(ReplayedReport.parse(expectSuccess(await api.post('/v1/judge', request))));
  }
  return reports;
}

interface Finding {
  readonly replays: number;
  /** Of the first replay that differs. */
  readonly differences: readonly string[];
  readonly flakes: readonly string[];
  readonly moved: readonly string[];
}

function compare({ record, replays }: Replayed): Finding {
  const found = replays.map((each) => differences(record.report, each));
  const [first] = replays;
  return {
    replays: replays.length,
    differences: found.find((lines) => lines.length > 0) ?? [],
    flakes: flakes(replays),
    moved: first === undefined ? [] : movedPlaces(record.report, first),
  };
}

function describe(found: Finding & { readonly record: number }): string[] {
  const { record, replays, moved } = found;
  const isSame = found.differences.length === 0;
  return [
    `record ${record}: ${isSame ? 'the same' : 'DIFFERS'} in ${replays} ${replays === 1 ? 'replay' : 'replays'}`,
    ...found.differences.map((line) => `  ${line}`),
    ...found.flakes.map((line) => `  varies: ${line}`),
    ...(isSame ? [] : moved.map((line) => `  judged elsewhere: ${line}`)),
  ];
}

/** A fault says nothing of the submission, so it is no difference but a fault. */
function exitCode(replayed: readonly Replayed[], found: readonly Finding[]): number {
  const isFault = replayed.some(({ replays }) =>
    replays.some(({ verdict }) => verdict === 'fault'),
  );
  if (isFault) return EXIT.fault;
  return found.every(({ differences: lines }) => lines.length === 0) ? EXIT.ok : EXIT.notAccepted;
}
