/**
 * The benchmark's command line: `node bench/main.ts [NAME…] [--quick] [--json FILE] [--seed N] [--amount N]
 * [--minutes N]`. Runs the named scenarios (all but `soak` by default), prints a table each and the targets at the
 * end. Exit status 1 when a target is missed, unless `--quick`; 2 for a wrong argument.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { describeMachine, loadWarning, readMachine } from './lib/machine.ts';
import { stopwatch } from './lib/load.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from './lib/scenario.ts';
import { renderTable } from './lib/table.ts';
import { SCENARIOS } from './scenarios.ts';

interface Finished {
  readonly scenario: Scenario;
  readonly seconds: number;
  readonly loadBefore: number;
  readonly result: ScenarioResult | null;
  readonly error: string | null;
}

const LONG = new Set(['soak']);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      seed: { type: 'string', default: '1' },
      amount: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const unknown = positionals.filter((name) => !SCENARIOS.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`no scenario ${unknown.join(', ')}; there are:`);
    for (const { name, title } of SCENARIOS) console.error(`  ${name.padEnd(16)} ${title}`);
    return 2;
  }
  const isDue = ({ name }: Scenario): boolean =>
    positionals.length > 0 ? positionals.includes(name) : values.quick || !LONG.has(name);
  const machine = readMachine();
  console.log(`machine: ${describeMachine(machine)}`);
  const warning = loadWarning(machine);
  if (warning !== null) console.log(warning);
  const finished: Finished[] = [];
  for (const scenario of SCENARIOS.filter(isDue)) {
    finished.push(
      await runScenario(scenario, {
        quick: values.quick,
        seed: Number(values.seed),
        amount: values.amount === undefined ? null : Number(values.amount),
        timeLimitMs: values.minutes === undefined ? null : Number(values.minutes) * 60_000,
        say: (line) => console.error(`  ${scenario.name}: ${line}`),
      }),
    );
  }
  printTargets(finished);
  if (values.json !== undefined) {
    const facts = finished.map(({ scenario, ...rest }) => ({ scenario: scenario.name, ...rest }));
    const text = JSON.stringify({ machine, quick: values.quick, scenarios: facts }, null, 2);
    writeFileSync(values.json, `${text}\n`);
  }
  const hasError = finished.some(({ error }) => error !== null);
  const hasMissed = finished.some(({ result }) => result?.checks.some(({ ok }) => !ok) === true);
  return hasError || (hasMissed && !values.quick) ? 1 : 0;
}

async function runScenario(scenario: Scenario, context: BenchContext): Promise<Finished> {
  console.log(`\n== ${scenario.name}: ${scenario.title}`);
  const loadBefore = readMachine().load1;
  const elapsed = stopwatch();
  try {
    const result = await scenario.run(context);
    const seconds = elapsed() / 1000;
    for (const line of renderTable(result.rows)) console.log(line);
    for (const note of result.notes) console.log(`  · ${note}`);
    console.log(`  ${seconds.toFixed(1)} s, load before it ${loadBefore.toFixed(2)}`);
    return { scenario, seconds, loadBefore, result, error: null };
  } catch (error) {
    console.error(`  FAILED:`, error);
    return { scenario, seconds: elapsed() / 1000, loadBefore, result: null, error: String(error) };
  }
}

function printTargets(finished: readonly Finished[]): void {
  const toRow = (name: string, check: Check): Row => ({
    label: name,
    cells: {
      what: check.what,
      target: check.target,
      measured: check.measured,
      '': check.ok ? 'met' : 'MISSED',
    },
  });
  const rows = finished.flatMap(({ scenario: { name }, result, error }): Row[] =>
    error === null
      ? (result?.checks ?? []).map((check) => toRow(name, check))
      : [{ label: name, cells: { what: 'ended with an error', '': 'FAILED' } }],
  );
  if (rows.length === 0) return;
  console.log('\n== targets');
  for (const line of renderTable(rows)) console.log(line);
}

process.exitCode = await main();
