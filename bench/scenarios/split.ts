/**
 * Tests that are code, judged in two jails: problems of HumanEval's shape through HTTP, by one client and by as many as
 * there are slots, beside one plain Python process per problem that has program and tests in one file.
 */
import type { Contender } from '../peers/contender.ts';
import { createDriven } from '../peers/driver.ts';
import { measure, type Measured } from '../peers/measure.ts';
import { type CheckProblem, readCheckProblems } from '../lib/check-problems.ts';
import { cleanPython } from '../lib/clean-python.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { median, quantileCells, spread } from '../lib/quantiles.ts';
import type { BenchContext, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import type { TestService } from '../lib/service.ts';
import { judge, readAllLanguages, readStats } from '../lib/wire.ts';
import { toMeasureOptions } from './peers.ts';

const MEDIAN_MS = 12;
const RATIO = 5;
const DONE = 'done\n';

export const split: Scenario = {
  name: 'split',
  title: 'HumanEval problems in two jails, against one Python process each',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const service = await context.sharedService();
  const callers = (await readStats(service.client)).slots.total;
  const languages = await readAllLanguages(service.client);
  const version = languages.find(({ id }) => id === 'python')?.version ?? undefined;
  const folder = process.env['ASSAY_BENCH_DATASETS'] ?? '';
  const problems = readCheckProblems(folder);
  await using stack = new AsyncDisposableStack();
  const contenders = [
    judged(service, problems, 1),
    judged(service, problems, callers),
    plain(problems, callers, cleanPython(version)),
  ];
  for (const contender of contenders) stack.use(contender);
  const measured = await measure(contenders, toMeasureOptions(context));
  return toResult(measured, [
    `${problems.length} problems in turn, each submission a source of its own; every verdict checked`,
    ...(folder === ''
      ? ['our own problems: ASSAY_BENCH_DATASETS may name a folder of others']
      : []),
  ]);
}

/** Problem after problem, the source new each time. */
function sources(problems: readonly CheckProblem[]): () => CheckProblem {
  let count = 0;
  return () => {
    const problem = problems[count % problems.length];
    if (problem === undefined) throw new RangeError('there are no problems');
    count += 1;
    return { ...problem, completion: `${problem.completion}\n# ${count}\n` };
  };
}

function judged(
  { client }: TestService,
  problems: readonly CheckProblem[],
  callers: number,
): Contender {
  const next = sources(problems);
  return {
    id: 'assay',
    label: `Assay, ${callers === 1 ? 'one client' : `${callers} clients`}`,
    callers,
    testsPerSubmission: 1,
    submit: async () => {
      const { prompt, completion, test, entry } = next();
      const { verdict, mode, phases, message } = await judge(client, {
        language: 'python',
        code: prompt + completion,
        tests: { kind: 'check', code: test, entry, prompt },
      });
      if (verdict !== 'accepted' || mode !== 'split') {
        throw new Error(`${entry}: ${verdict} in mode ${mode}: ${message}`);
      }
      return { compileMs: null, runMs: phases.run_ms, served: [`acquired ${phases.acquire}`] };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function plain(problems: readonly CheckProblem[], callers: number, python: string): Contender {
  const next = sources(problems);
  return createDriven({
    id: 'plain',
    label: 'plain subprocesses',
    callers,
    tests: [{ stdin: '', expected: DONE }],
    file: 'main.py',
    nextSource: () => {
      const { prompt, completion, test, entry } = next();
      return `${prompt}${completion}${test}\ncheck(${entry})\nprint("done")\n`;
    },
    argv: (tests) => [buildBaseline('plain'), tests, '1', python, 'main.py'],
    environment: { PATH: '/usr/bin:/bin' },
  });
}

function toResult(measured: readonly Measured[], notes: readonly string[]): ScenarioResult {
  const [one, many, bare] = measured;
  if (one === undefined || many === undefined || bare === undefined) {
    throw new RangeError('a contender is missing');
  }
  const p50 = median(one.latenciesMs);
  const ratio = median(ratios(many, bare));
  return {
    rows: measured.map((each) => toRow(each, bare)),
    checks: [
      {
        what: 'a HumanEval problem through HTTP by one client, median',
        target: `≤ ${MEDIAN_MS} ms`,
        measured: `${p50.toFixed(1)} ms`,
        ok: p50 <= MEDIAN_MS,
      },
      {
        what: 'problems a second, of one plain Python process each',
        target: `≥ ${RATIO} ×`,
        measured: `${ratio.toFixed(2)} ×`,
        ok: ratio >= RATIO,
      },
    ],
    notes,
    figures: measured,
  };
}

function toRow(measured: Measured, bare: Measured): Row {
  return {
    label: measured.label,
    cells: {
      'problems/s': spread(measured.rates, 0),
      '× plain': spread(ratios(measured, bare)),
      ...quantileCells(measured.latenciesMs, 'ms', 1),
    },
  };
}

/** Of the rates, repeat by repeat. */
function ratios(who: Measured, against: Measured): number[] {
  return who.rates.map((rate, repeat) => rate / (against.rates[repeat] ?? Number.NaN));
}
