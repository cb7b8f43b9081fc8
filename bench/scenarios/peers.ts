/**
 * Side by side, one language a scenario: the same program and the same 20 stdin tests through Assay, as plain
 * subprocesses, at the bare limit, and in go-judge, with as many submissions in flight as there are slots.
 */
import { isLeftOut, lineUp, prepareArena } from '../peers/line-up.ts';
import { measure, type MeasureOptions } from '../peers/measure.ts';
import { PEER_PROGRAMS, type PeerProgram } from '../peers/programs.ts';
import { toResult } from '../peers/result.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';

const REPEATS = 5;
const BATCH_MS = 3000;
const WARM_UP_MS = 1000;

export const PEERS: readonly Scenario[] = PEER_PROGRAMS.map((program) => ({
  name: `peer-${program.name}`,
  title: `${program.title}: 20 stdin tests a submission, beside its peers`,
  run: async (context) => await run(program, context),
}));

async function run(program: PeerProgram, context: BenchContext): Promise<ScenarioResult> {
  await using stack = new AsyncDisposableStack();
  try {
    const arena = await prepareArena(program, context);
    const { contenders, notes } = await lineUp(arena, stack);
    const measured = await measure(contenders, toMeasureOptions(context));
    return toResult(measured, {
      targets: program.targets,
      notes: [
        `${arena.callers} submissions in flight everywhere, ${arena.tests.length} tests each; every verdict checked`,
        ...notes,
      ],
    });
  } catch (error) {
    if (!isLeftOut(error)) throw error;
    return toResult([], { targets: program.targets, notes: [`left out: ${error.message}`] });
  }
}

/** `--amount` is the number of repeats, `--minutes` bounds the time of one contender in one repeat. */
export function toMeasureOptions(context: BenchContext): MeasureOptions {
  const { quick, amount, timeLimitMs, say } = context;
  return {
    repeats: amount ?? (quick ? 1 : REPEATS),
    batchMs: timeLimitMs ?? (quick ? 0 : BATCH_MS),
    warmUpMs: quick ? null : WARM_UP_MS,
    say,
  };
}
