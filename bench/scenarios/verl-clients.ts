/**
 * verl's own client, unchanged: eight worker processes with 64 requests in flight each, every test of every submission a
 * request on a connection of its own. The tests are real ones, and every program is right: anything but `true` is wrong.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { getVerlClient, type Job, type JobResult } from '../../test/compat/verl/client.ts';
import { cleanPython } from '../lib/clean-python.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { stopwatch } from '../lib/load.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT } from '../lib/service.ts';
import { readAllLanguages } from '../lib/wire.ts';
import { createDriven } from '../peers/driver.ts';

const WORKERS = 8;
const IN_FLIGHT = 64;
const TESTS = 2000;
const QUICK_TESTS = 60;
/** Plain processes are measured on this part of the submissions. */
const PLAIN_SHARE = 0.4;
const TARGET = 5;

/** Problems of the file with one right output for each input, and the programs that solve them. */
const SOLVED = [
  ['570676e22bd21c28e452486b0668ec74', 'diagonal'],
  ['f3e3b9f12d602bf80fdcd2c08a2f417f', 'barrels'],
  ['1a54a91d7294e33bed666e3bc94148fd', 'beautiful'],
] as const;

const Problem = z.looseObject({
  id: z.string(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
});

interface Solved {
  readonly code: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export const verlClients: Scenario = {
  name: 'verl-clients',
  title: `verl's client: ${WORKERS} processes with ${IN_FLIGHT} requests in flight each, one request a test`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const found = await getVerlClient();
  if (found.kind === 'unreachable')
    return { rows: [], checks: [], notes: [`verl's client cannot be fetched: ${found.reason}`] };
  const service = await context.sharedService();
  const wanted = context.amount ?? (context.quick ? QUICK_TESTS : TESTS);
  const jobs = jobsOf(wanted);
  const tests = jobs.reduce((sum, job) => sum + (job.test_cases.inputs?.length ?? 0), 0);
  await service.whenIdle();
  const elapsed = stopwatch();
  const shares = Array.from({ length: WORKERS }, (_none, worker) =>
    jobs.filter((_job, index) => index % WORKERS === worker),
  );
  const results = await Promise.all(
    shares.map(async (share) => await found.client.run(service.url, share, IN_FLIGHT)),
  );
  const seconds = elapsed() / 1000;
  const outcomes = results.flat().flatMap(outcomesOf);
  context.say(`${tests} tests in ${seconds.toFixed(1)} s`);
  const plain = await measurePlain(context, jobs);
  context.say(`plain processes: ${plain.tests} tests in ${plain.seconds.toFixed(1)} s`);
  const [rate, plainRate] = [tests / seconds, plain.tests / plain.seconds];
  const wrong = outcomes.filter((outcome) => outcome !== 'true');
  return {
    rows: [
      { label: "verl's client", cells: { 'tests/s': rate.toFixed(0), tests: String(tests) } },
      {
        label: 'a plain python3 process a test',
        cells: { 'tests/s': plainRate.toFixed(0), tests: String(plain.tests) },
      },
    ],
    checks: [
      {
        what: 'tests that are not true: time-outs, -1 and all else',
        target: '0',
        measured: wrong.length === 0 ? '0' : `${wrong.length}: ${[...new Set(wrong)].join(', ')}`,
        ok: wrong.length === 0 && outcomes.length === tests,
      },
      {
        what: 'tests a second, by those of one plain process a test on the same cores',
        target: `≥ ${TARGET} ×`,
        measured: `${(rate / plainRate).toFixed(2)} ×`,
        ok: rate / plainRate >= TARGET,
      },
    ],
    notes: [
      `${WORKERS * IN_FLIGHT} requests in flight; the clients' own work, Python's, is on the same cores and in the figure`,
      `plain processes: ${availableParallelism()} at once, without HTTP`,
    ],
    figures: { seconds, tests, plain },
  };
}

/** Submissions of the problems in turn, each a text of its own, until there are so many tests. */
function jobsOf(tests: number): Job[] {
  const problems = readSolved();
  const jobs: Job[] = [];
  let left = tests;
  for (let index = 0; left > 0; index += 1) {
    const problem = problems[index % problems.length];
    if (problem === undefined) throw new RangeError('there are no problems');
    const inputs = problem.inputs.slice(0, left);
    const test_cases = { inputs, outputs: problem.outputs.slice(0, left) };
    jobs.push({ language: 'python', code: `${problem.code}\n# ${index}\n`, test_cases });
    left -= inputs.length;
  }
  return jobs;
}

function readSolved(): Solved[] {
  const rows = readFileSync(join(ROOT, 'test', 'data', 'stdin-problems.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Problem.parse(JSON.parse(line)));
  return SOLVED.map(([id, name]) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw new Error(`no problem ${id}`);
    const file = join(ROOT, 'test', 'e2e', 'programs', name, 'right.py');
    return { code: readFileSync(file, 'utf8'), inputs: row.inputs, outputs: row.outputs };
  });
}

function outcomesOf({ results = [], metadata }: JobResult): string[] {
  return results.map((result, index) =>
    result === true ? 'true' : `${String(result)} (${metadata[index]?.status ?? 'no status'})`,
  );
}

/** A process for each test, as many at once as there are cores, by a driver that does nothing else. */
async function measurePlain(context: BenchContext, jobs: readonly Job[]) {
  const service = await context.sharedService();
  const languages = await readAllLanguages(service.client);
  const version = languages.find(({ id }) => id === 'python')?.version ?? undefined;
  const callers = availableParallelism();
  const chosen = jobs.slice(0, Math.max(callers, Math.ceil(jobs.length * PLAIN_SHARE)));
  let tests = 0;
  let seconds = 0;
  // A driver has the tests of one problem.
  for (const group of Map.groupBy(chosen, (job) => JSON.stringify(job.test_cases)).values()) {
    const cases = casesOf(group[0]);
    let next = 0;
    const driver = buildBaseline('plain');
    await using contender = createDriven({
      id: 'plain',
      label: 'plain',
      callers,
      tests: cases,
      file: 'main.py',
      nextSource: () => group[next]?.code ?? '',
      argv: (folder) => [driver, folder, String(cases.length), cleanPython(version), 'main.py'],
      environment: { PATH: '/usr/bin:/bin' },
    });
    const elapsed = stopwatch();
    await Promise.all(
      Array.from({ length: callers }, async (_none, caller) => {
        for (; next < group.length; tests += cases.length) {
          const judged = contender.submit(caller);
          next += 1;
          await judged;
        }
      }),
    );
    seconds += elapsed() / 1000;
  }
  return { tests, seconds };
}

function casesOf(job: Job | undefined) {
  const { inputs = [], outputs = [] } = job?.test_cases ?? {};
  return inputs.map((stdin, index) => ({ stdin: stdin ?? '', expected: outputs[index] ?? '' }));
}
