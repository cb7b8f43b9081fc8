/**
 * Measures contenders side by side: repeats, in each of which every contender works for the same time, one after the
 * other, in an order that turns from repeat to repeat.
 */
import { stopwatch } from '../lib/load.ts';
import type { Contender, ContenderId, Judged } from './contender.ts';

export interface Measured {
  readonly id: ContenderId;
  readonly label: string;
  readonly testsPerSubmission: number;
  readonly callers: number;
  /** Tests a second, one figure a repeat. */
  readonly rates: readonly number[];
  /** Of every submission of every repeat, ms. */
  readonly latenciesMs: readonly number[];
  readonly compileMs: readonly number[];
  /** Run phase per test, ms. */
  readonly runMsPerTest: readonly number[];
  /** How often submissions were served in which way. */
  readonly served: Readonly<Record<string, number>>;
}

export interface MeasureOptions {
  readonly repeats: number;
  /** Time of one contender in one repeat; each caller finishes what it has begun. */
  readonly batchMs: number;
  /** Time of each contender before the first repeat; null for none, where figures do not count. */
  readonly warmUpMs: number | null;
  readonly say: (line: string) => void;
}

interface Sample extends Judged {
  readonly latencyMs: number;
}

interface Batch {
  readonly rate: number;
  readonly samples: readonly Sample[];
}

export async function measure(
  contenders: readonly Contender[],
  { repeats, batchMs, warmUpMs, say }: MeasureOptions,
): Promise<Measured[]> {
  const batches = new Map<Contender, Batch[]>(contenders.map((each) => [each, []]));
  if (warmUpMs !== null) {
    // Pools grow, page caches fill, and a wrong verdict shows before much time is spent.
    for (const contender of contenders) await runBatch(contender, warmUpMs);
  }
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const turn = repeat % contenders.length;
    for (const contender of [...contenders.slice(turn), ...contenders.slice(0, turn)]) {
      batches.get(contender)?.push(await runBatch(contender, batchMs));
    }
    say(`repeat ${repeat + 1} of ${repeats}`);
  }
  return contenders.map((contender) => toMeasured(contender, batches.get(contender) ?? []));
}

async function runBatch(contender: Contender, batchMs: number): Promise<Batch> {
  const samples: Sample[] = [];
  const caller = async (index: number): Promise<number> => {
    const own = stopwatch();
    let count = 0;
    do {
      const elapsed = stopwatch();
      const judged = await contender.submit(index);
      samples.push({ ...judged, latencyMs: elapsed() });
      count += 1;
    } while (own() < batchMs);
    // By its own time: at the end callers wait for each other, which is no cost of the contender.
    return (count * contender.testsPerSubmission * 1000) / own();
  };
  const started = Array.from({ length: contender.callers }, (_, index) => caller(index));
  // All come to rest before a failure is told, so that nothing runs on into what comes next.
  await Promise.allSettled(started);
  const rates = await Promise.all(started);
  return { rate: rates.reduce((sum, rate) => sum + rate, 0), samples };
}

function toMeasured(contender: Contender, batches: readonly Batch[]): Measured {
  const { id, label, callers, testsPerSubmission } = contender;
  const samples = batches.flatMap((batch) => batch.samples);
  const served: Record<string, number> = {};
  for (const way of samples.flatMap((sample) => sample.served)) {
    served[way] = (served[way] ?? 0) + 1;
  }
  return {
    id,
    label,
    callers,
    testsPerSubmission,
    rates: batches.map(({ rate }) => rate),
    latenciesMs: samples.map(({ latencyMs }) => latencyMs),
    compileMs: samples.flatMap(({ compileMs }) => compileMs ?? []),
    runMsPerTest: samples.flatMap(({ runMs }) =>
      runMs === null ? [] : runMs / testsPerSubmission,
    ),
    served,
  };
}
