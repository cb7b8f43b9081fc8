/**
 * The benchmark's command line: `node bench/main.ts [NAME…] [--quick] [--json FILE] [--out FOLDER] [--seed N]
 * [--amount N] [--minutes N]`. Runs the named scenarios (all but the long ones by default), prints a table each and the
 * targets at the end, and leaves everything as JSON and as a page. A name that ends in `-` stands for all that begin
 * with it. Exit status 1 when a target is missed, unless `--quick`; 2 for a wrong argument.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { describeMachine, loadWarning, readMachine, type Machine } from './lib/machine.ts';
import { stopwatch } from './lib/load.ts';
import { renderPage } from './lib/page.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from './lib/scenario.ts';
import { ROOT, TestService } from './lib/service.ts';
import { renderTable } from './lib/table.ts';
import { SCENARIOS } from './scenarios.ts';

interface Finished {
  readonly scenario: Scenario;
  readonly seconds: number;
  readonly loadBefore: number;
  readonly result: ScenarioResult | null;
  readonly error: string | null;
}

const LONG = new Set(['soak', 'repeats', 'surfaces']);

const USAGE = `npm run bench -- [NAME…] [--quick] [--json FILE] [--out FOLDER] [--seed N] [--amount N] [--minutes N]

All scenarios but the long ones, or those that are named; a name that ends in - stands for all that begin with it.
  --quick      less of everything, for a look; missed targets are no failure then
  --json FILE  the results as JSON there, too
  --out FOLDER where results go, by default bench/results
  --seed N     of what is random; --amount N and --minutes N: how much, and how long, of scenarios that ask

`;

function listScenarios(): string {
  const line = ({ name, title }: Scenario): string =>
    `  ${name.padEnd(18)} ${title}${LONG.has(name) ? ' (long: only by name)' : ''}`;
  return SCENARIOS.map(line).join('\n');
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      out: { type: 'string', default: join(ROOT, 'bench', 'results') },
      seed: { type: 'string', default: '1' },
      amount: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
}

async function main(): Promise<number> {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments();
  } catch (error) {
    // Of an option that there is not.
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    console.log(USAGE + listScenarios());
    return 0;
  }
  const unknown = positionals.filter((word) => !SCENARIOS.some(({ name }) => isMeant(name, word)));
  if (unknown.length > 0) {
    console.error(`no scenario ${unknown.join(', ')}; there are:\n${listScenarios()}`);
    return 2;
  }
  const isDue = ({ name }: Scenario): boolean =>
    positionals.length > 0
      ? positionals.some((word) => isMeant(name, word))
      : values.quick || !LONG.has(name);
  const machine = readMachine();
  console.log(`machine: ${describeMachine(machine)}`);
  const warning = loadWarning(machine);
  if (warning !== null) console.log(warning);
  const finished = await runAll(SCENARIOS.filter(isDue), {
    quick: values.quick,
    seed: Number(values.seed),
    amount: values.amount === undefined ? null : Number(values.amount),
    timeLimitMs: values.minutes === undefined ? null : Number(values.minutes) * 60_000,
  });
  printTargets(finished);
  writeResults({ machine, quick: values.quick, finished }, values);
  const hasError = finished.some(({ error }) => error !== null);
  const hasMissed = finished.some(({ result }) => result?.checks.some(({ ok }) => !ok) === true);
  return hasError || (hasMissed && !values.quick) ? 1 : 0;
}

/** `peer-` means every peer scenario. */
function isMeant(name: string, word: string): boolean {
  return word.endsWith('-') ? name.startsWith(word) : name === word;
}

async function runAll(
  scenarios: readonly Scenario[],
  options: Omit<BenchContext, 'say' | 'sharedService'>,
): Promise<Finished[]> {
  await using stack = new AsyncDisposableStack();
  let shared: Promise<TestService> | null = null;
  const sharedService = async (): Promise<TestService> => {
    shared ??= TestService.start().then((service) => stack.use(service));
    return await shared;
  };
  const finished: Finished[] = [];
  for (const scenario of scenarios) {
    const say = (line: string): void => console.error(`  ${scenario.name}: ${line}`);
    finished.push(await runScenario(scenario, { ...options, say, sharedService }));
  }
  return finished;
}

interface Outcome {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly finished: readonly Finished[];
}

/** A file pair per run, named after its time, so that no run takes another's place. */
function writeResults(
  { machine, quick, finished }: Outcome,
  { out, json }: { readonly out: string; readonly json?: string | undefined },
): void {
  const date = new Date().toISOString();
  const facts = finished.map(({ scenario, ...rest }) => ({ scenario: scenario.name, ...rest }));
  const text = `${JSON.stringify({ date, machine, quick, scenarios: facts }, null, 2)}\n`;
  if (json !== undefined) writeFileSync(json, text);
  const about = [
    `${date}${quick ? ', --quick: figures mean little' : ''}`,
    describeMachine(machine),
    loadWarning(machine),
  ].filter((line) => line !== null);
  const sections = finished.map(({ scenario: { name, title }, ...rest }) => ({
    name,
    title,
    ...rest,
  }));
  mkdirSync(out, { recursive: true });
  const path = join(out, date.slice(0, 19).replaceAll(':', '-'));
  writeFileSync(`${path}.json`, text);
  writeFileSync(`${path}.html`, renderPage({ about, sections }));
  console.log(`\nresults: ${path}.html and .json`);
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

// A signal then ends what was started, too: `exit` listeners run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main();
