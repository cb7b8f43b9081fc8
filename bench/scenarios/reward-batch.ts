/**
 * 200 rows of LeetCodeDataset, and those of HumanEval, with 8 completions each in one call of `/v1/reward`, against the same
 * tests through `/run_code` one a request. Those are some 100,000 requests, so their rate is measured on a sample of them
 * and their time is reckoned; the call for rewards is measured whole.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { closedLoop, stopwatch } from '../lib/load.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT, type TestService } from '../lib/service.ts';

const ROWS = 200;
const QUICK_ROWS = 25;
const COMPLETIONS = 8;
/** Of the completions of a row, so many are right; a quarter of the others holds no code. */
const RIGHT = 4;
const CALLERS = 64;
const SAMPLE = 1000;
const QUICK_SAMPLE = 200;
const TARGET = 3;
const LIMITS = { cpu_ms: 2000, wall_ms: 20_000 };
/** A row is taken whose own solution needs less: a program between the two may meet the limit or not. */
const EASY_LIMITS = { cpu_ms: 1300, wall_ms: 20_000 };
/** Rows that are tried for each that is wanted. */
const SPARE = 1.14;

const LeetCodeRow = z.looseObject({
  prompt: z.string(),
  completion: z.string(),
  entry_point: z.string(),
  test: z.string(),
});
const HumanEvalRow = z.looseObject({
  prompt: z.string(),
  canonical_solution: z.string(),
  entry_point: z.string(),
  test: z.string(),
});

/** A row as it is sent, and what a client of `/run_code` makes of it. */
interface Problem {
  readonly row: object;
  readonly solution: string;
  /** A solution that is wrong, another text for each number. */
  readonly wrong: (number: number) => string;
  readonly candidate: string;
  /** One statement a test. */
  readonly asserts: readonly string[];
}

interface DataSet {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  /** Null for a row whose tests are no single statements. */
  readonly read: (row: unknown) => Problem | null;
}

const ASSERT = /^\s+assert /;

const DATA_SETS: readonly DataSet[] = [
  {
    name: 'leetcode',
    title: 'LeetCode',
    file: 'leetcode-functions.jsonl',
    read(value) {
      const row = LeetCodeRow.parse(value);
      const [, name = 'f'] = row.entry_point.split('.');
      const asserts = row.test.split('\n').filter((line) => ASSERT.test(line));
      return {
        row,
        solution: row.completion,
        wrong: (number) =>
          `class Solution:\n    def ${name}(self, *args, **kwargs):\n        return ${number}.5`,
        candidate: row.entry_point,
        asserts,
      };
    },
  },
  {
    name: 'humaneval',
    title: 'HumanEval',
    file: 'humaneval.jsonl',
    read(value) {
      const row = HumanEvalRow.parse(value);
      const [, body = ''] = row.test.split('def check(candidate):');
      const lines = body.split('\n').filter((line) => /^\s*[^\s#]/.test(line));
      if (lines.length === 0 || !lines.every((line) => ASSERT.test(line))) return null;
      return {
        row,
        solution: row.prompt + row.canonical_solution,
        wrong: (number) => `def ${row.entry_point}(*args, **kwargs):\n    return ${number}.5`,
        candidate: row.entry_point,
        asserts: lines,
      };
    },
  },
];

const Answer = z.looseObject({
  rewards: z.array(z.array(z.number().nullable())),
  summary: z.looseObject({ judged: z.number(), faults: z.number() }),
});

export const rewardBatch: Scenario = {
  name: 'reward-batch',
  title: `Rewards for rows × ${COMPLETIONS} completions in one call, against one test a /run_code`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const measured: ScenarioResult[] = [];
  for (const dataSet of DATA_SETS) measured.push(await measure(context, dataSet));
  return {
    rows: measured.flatMap(({ rows }) => rows),
    checks: measured.flatMap(({ checks }) => checks),
    notes: [
      ...measured.flatMap(({ notes }) => notes),
      'a wrong program ends at its first failing test in /v1/reward, and is asked for every test through /run_code, as trainers do',
    ],
    figures: measured.map(({ figures }) => figures),
  };
}

async function measure(context: BenchContext, dataSet: DataSet): Promise<ScenarioResult> {
  const service = await context.sharedService();
  const { name, title } = dataSet;
  const count = context.amount ?? (context.quick ? QUICK_ROWS : ROWS);
  const problems = await quickProblems(service, dataSet, count);
  await service.whenIdle();
  const { seconds: rewardS, wrong } = await callReward(service, name, problems);
  context.say(`${title}: ${problems.length * COMPLETIONS} completions in ${rewardS.toFixed(1)} s`);
  const calls = problems.flatMap(callsOf);
  const sample = sampleOf(calls, context.quick ? QUICK_SAMPLE : SAMPLE, context.seed);
  const sampleS = await callRunCode(service, sample);
  const reckonedS = (sampleS / sample.length) * calls.length;
  const ratio = reckonedS / rewardS;
  return {
    rows: [
      {
        label: `${title}: /v1/reward`,
        cells: { seconds: rewardS.toFixed(1), 'tests/s': (calls.length / rewardS).toFixed(0) },
      },
      {
        label: `${title}: /run_code`,
        cells: { seconds: reckonedS.toFixed(1), 'tests/s': (sample.length / sampleS).toFixed(0) },
      },
    ],
    checks: [
      {
        what: `${title}: one call of /v1/reward, by the time of /run_code`,
        target: `≥ ${TARGET} ×`,
        measured: `${ratio.toFixed(1)} ×`,
        ok: ratio >= TARGET,
      },
      {
        what: `${title}: rewards that are not what the completion deserves`,
        target: '0',
        measured: String(wrong),
        ok: wrong === 0,
      },
    ],
    notes: [
      `${title}: ${problems.length} rows, ${calls.length} tests of programs that have code; /run_code: ${CALLERS} at once, reckoned from ${sample.length} of them`,
    ],
    figures: { name, rewardS, reckonedS, sampleS, sample: sample.length, calls: calls.length },
  };
}

function readProblems({ file, read }: DataSet): Problem[] {
  return readFileSync(join(ROOT, 'test', 'data', file), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => read(JSON.parse(line)) ?? []);
}

/** Codes of a row's completions, each another text; null for one without code. */
function codesOf({ solution, wrong }: Problem): (string | null)[] {
  return Array.from({ length: COMPLETIONS }, (_none, index) => {
    if (index < RIGHT) return `${solution}\n# ${index}`;
    return index === COMPLETIONS - 1 ? null : wrong(index);
  });
}

/** The first rows whose own solution is right within the limit: some take a minute, some want other packages. */
async function quickProblems(
  service: TestService,
  dataSet: DataSet,
  count: number,
): Promise<Problem[]> {
  const problems = readProblems(dataSet).slice(0, Math.ceil(count * SPARE));
  const wanted = Math.min(count, Math.floor(problems.length / SPARE));
  const { rewards } = await askRewards(
    service,
    dataSet.name,
    problems,
    (each) => [each.solution],
    EASY_LIMITS,
  );
  const right = problems.filter((_problem, index) => rewards[index]?.[0] === 1);
  if (right.length < wanted)
    throw new Error(`only ${right.length} rows of ${wanted} are judged right`);
  return right.slice(0, count);
}

async function callReward(service: TestService, name: string, problems: readonly Problem[]) {
  const { rewards, seconds } = await askRewards(service, name, problems, codesOf);
  const wrong = rewards
    .flat()
    .filter((reward, index) => reward !== (index % COMPLETIONS < RIGHT ? 1 : 0)).length;
  return { seconds, wrong };
}

async function askRewards(
  service: TestService,
  dataset: string,
  problems: readonly Problem[],
  codes: (problem: Problem) => readonly (string | null)[],
  limits = LIMITS,
) {
  const items = problems.map((problem) => ({
    row: problem.row,
    completions: codes(problem).map((code) =>
      code === null ? 'I do not know.' : `\`\`\`python\n${code}\n\`\`\``,
    ),
  }));
  const elapsed = stopwatch();
  const response = await fetch(`${service.url}/v1/reward`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataset, items, limits }),
  });
  const { rewards } = Answer.parse(await response.json());
  return { rewards, seconds: elapsed() / 1000 };
}

/** A program for each test of each completion that has code. */
function callsOf(problem: Problem): string[] {
  const { candidate, asserts } = problem;
  return codesOf(problem).flatMap((code) =>
    code === null
      ? []
      : asserts.map((line) => `${code}\n\ncandidate = ${candidate}\n${line.trimStart()}\n`),
  );
}

function sampleOf(calls: readonly string[], count: number, seed: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: Math.min(count, calls.length) }, () => random.pick(calls));
}

async function callRunCode(service: TestService, programs: readonly string[]): Promise<number> {
  const elapsed = stopwatch();
  await closedLoop(
    { callers: CALLERS, until: (started) => started >= programs.length },
    async (index) => {
      const { status } = await service.client.post('/run_code', {
        code: programs[index],
        language: 'python',
        run_timeout: 10,
      });
      if (status !== 200) throw new Error(`/run_code answered ${status}`);
    },
  );
  return elapsed() / 1000;
}
