/**
 * One call per test as verl makes it: each test a request with the whole source on Sandbox Fusion's wire, 64 at once
 * on connections that are kept, against plain subprocesses that are handed whole submissions.
 */
import { createRunCode } from '../peers/assay.ts';
import type { Contender } from '../peers/contender.ts';
import { createGoJudgeCalls } from '../peers/go-judge.ts';
import {
  type Arena,
  createPlain,
  isLeftOut,
  prepareArena,
  startGoJudge,
} from '../peers/line-up.ts';
import { measure } from '../peers/measure.ts';
import { PEER_PROGRAMS } from '../peers/programs.ts';
import { toResult } from '../peers/result.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { toMeasureOptions } from './peers.ts';

const CALLERS = 64;

export const oneCallPerTest: Scenario = {
  name: 'one-call-per-test',
  title: `Python with typical imports, one request a test, ${CALLERS} at once`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const [program] = PEER_PROGRAMS;
  if (program === undefined) throw new RangeError('there are no programs');
  await using stack = new AsyncDisposableStack();
  const arena = await prepareArena(program, context);
  const { service, tests, nextSource } = arena;
  const { language } = program;
  const options = { callers: CALLERS, tests, language, nextSource };
  const contenders = [
    createRunCode(service, { ...options, id: 'assay', label: 'Assay, /run_code' }),
    createPlain(arena),
  ];
  const notes = [
    `${CALLERS} requests in flight on kept connections; plain subprocesses: ${arena.callers} at once, without HTTP`,
  ];
  try {
    contenders.push(await createCalls(arena, stack));
  } catch (error) {
    if (!isLeftOut(error)) throw error;
    notes.push(`go-judge is left out: ${error.message}`);
  }
  for (const contender of contenders) stack.use(contender);
  const measured = await measure(contenders, toMeasureOptions(context));
  const targets = [{ kind: 'rate', who: 'assay', against: 'plain', atLeast: 5 }] as const;
  return toResult(measured, { targets, notes });
}

async function createCalls(arena: Arena, stack: AsyncDisposableStack): Promise<Contender> {
  const { program, tools, tests, nextSource } = arena;
  const run = tools.command(program.run);
  const server = await startGoJudge({ callers: arena.callers, programs: run }, stack);
  const { file } = program;
  return createGoJudgeCalls(server, {
    label: 'go-judge, /run',
    about: await server.describe(),
    callers: CALLERS,
    tests,
    file,
    nextSource,
    run,
  });
}
