/**
 * Fresh runs a second: trivial C and Python programs, each run in a sandbox made for it, one a request and many, with
 * all slots in use; as a multiple of the 35 a second that three million sandboxes a day are; and what bare processes
 * of the same kind reach beside it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createAssay } from '../peers/assay.ts';
import type { Contender, StdinTest } from '../peers/contender.ts';
import { createDriven } from '../peers/driver.ts';
import { measure, type Measured } from '../peers/measure.ts';
import { toCharts } from '../peers/result.ts';
import { cleanPython } from '../lib/clean-python.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { quantileCells, median, spread } from '../lib/quantiles.ts';
import type { BenchContext, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT, type TestService } from '../lib/service.ts';
import { readAllLanguages, readStats } from '../lib/wire.ts';
import { toMeasureOptions } from './peers.ts';

/** 3,000,000 a day. */
const DAILY_RATE = 35;
const TEST: StdinTest = { stdin: '42\n', expected: '42\n' };
const PYTHON = 'print(int(input()))\n';
const TESTS = 100;
const TESTS_QUICK = 10;

export const freshRuns: Scenario = {
  name: 'fresh-runs',
  title: 'Fresh sandboxes a second with all slots in use',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const service = await context.sharedService();
  const callers = (await readStats(service.client)).slots.total;
  const languages = await readAllLanguages(service.client);
  const version = languages.find(({ id }) => id === 'python')?.version ?? undefined;
  const many = context.quick ? TESTS_QUICK : TESTS;
  await using stack = new AsyncDisposableStack();
  const contenders = [
    ...judged(service, { callers, many }),
    ...bare({ callers, many }, cleanPython(version)),
  ];
  for (const contender of contenders) stack.use(contender);
  const measured = await measure(contenders, toMeasureOptions(context));
  const single = measured[0];
  const multiple = single === undefined ? 0 : median(single.rates) / DAILY_RATE;
  return {
    rows: measured.map(toRow),
    checks: [
      {
        what: 'fresh Python runs a second, one a request, of 3,000,000 a day',
        target: '≥ 1 ×',
        measured: `${multiple.toFixed(1)} ×`,
        ok: multiple >= 1,
      },
    ],
    notes: [
      `${callers} requests in flight, and as many bare processes`,
      'C: the same source each time, its compile step included; bare C was compiled before',
      'bare Python is a virtual environment without packages',
    ],
    charts: toCharts(measured),
    figures: measured,
  };
}

interface Amounts {
  readonly callers: number;
  readonly many: number;
}

function judged(service: TestService, { callers, many }: Amounts): Contender[] {
  const c = readFileSync(join(ROOT, 'bench', 'baseline', 'trivial.c'), 'utf8');
  const way = (label: string, language: string, code: string, count: number): Contender =>
    createAssay(service, {
      id: 'assay',
      label: `${label}, ${count === 1 ? 'one test' : `${count} tests`} a request`,
      callers,
      tests: Array.from({ length: count }, () => TEST),
      language,
      environment: null,
      nextSource: () => code,
      warm: true,
    });
  return [
    way('Python', 'python', PYTHON, 1),
    way('Python', 'python', PYTHON, many),
    way('C', 'c', c, 1),
    way('C', 'c', c, many),
  ];
}

function bare({ callers, many }: Amounts, python: string): Contender[] {
  const driver = buildBaseline('plain');
  const trivial = buildBaseline('trivial', ['-static']);
  const way = (label: string, command: readonly string[]): Contender =>
    createDriven({
      id: 'plain',
      label,
      callers,
      tests: Array.from({ length: many }, () => TEST),
      file: 'main.py',
      nextSource: () => PYTHON,
      argv: (folder) => [driver, folder, String(many), ...command],
      environment: {},
    });
  return [way('bare Python', [python, 'main.py']), way('bare C', [trivial])];
}

function toRow({ label, rates, latenciesMs, testsPerSubmission }: Measured): Row {
  return {
    label,
    cells: {
      'runs/s': spread(rates, 0),
      [`× ${DAILY_RATE}/s`]: (median(rates) / DAILY_RATE).toFixed(1),
      ...quantileCells(latenciesMs, 'ms', 1),
      'tests a request': String(testsPerSubmission),
    },
  };
}
