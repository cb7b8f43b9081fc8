/**
 * 200 rows of HumanEval (its 164, the first ones twice) with 8 completions each in one call of `/v1/reward`, against the same tests through
 * `/run_code` one a request. Those are some 7,000 requests, so their rate is measured on a sample of them and their
 * time is reckoned; the call for rewards is measured whole.
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

const Row = z.looseObject({
  prompt: z.string(),
  canonical_solution: z.string(),
  entry_point: z.string(),
  test: z.string(),
});
type Row = z.infer<typeof Row>;

const Answer = z.looseObject({
  rewards: z.array(z.array(z.number().nullable())),
  summary: z.looseObject({ judged: z.number(), faults: z.number() }),
});

export const rewardBatch: Scenario = {
  name: 'reward-batch',
  title: `Rewards for HumanEval rows × ${COMPLETIONS} completions in one call, against one test a /run_code`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const rows = readRows().slice(0, context.amount ?? (context.quick ? QUICK_ROWS : ROWS));
  const service = await context.sharedService();
  await callReward(service, rows.slice(0, 2));
  const { seconds: rewardS, wrong } = await callReward(service, rows);
  context.say(`${rows.length * COMPLETIONS} completions in ${rewardS.toFixed(1)} s`);
  const calls = rows.flatMap(callsOf);
  const sample = sampleOf(calls, context.quick ? QUICK_SAMPLE : SAMPLE, context.seed);
  const sampleS = await callRunCode(service, sample);
  const reckonedS = (sampleS / sample.length) * calls.length;
  const ratio = reckonedS / rewardS;
  return {
    rows: [
      {
        label: '/v1/reward',
        cells: { seconds: rewardS.toFixed(1), 'tests/s': (calls.length / rewardS).toFixed(0) },
      },
      {
        label: '/run_code',
        cells: { seconds: reckonedS.toFixed(1), 'tests/s': (sample.length / sampleS).toFixed(0) },
      },
    ],
    checks: [
      {
        what: 'one call of /v1/reward, by the time of /run_code',
        target: `≥ ${TARGET} ×`,
        measured: `${ratio.toFixed(1)} ×`,
        ok: ratio >= TARGET,
      },
      {
        what: 'rewards that are not what the completion deserves',
        target: '0',
        measured: String(wrong),
        ok: wrong === 0,
      },
    ],
    notes: [
      `${rows.length} rows, ${calls.length} tests of programs that have code; /run_code: ${CALLERS} at once, reckoned from ${sample.length} of them`,
      'a wrong program ends at its first failing test in /v1/reward, and is asked for every test through /run_code, as trainers do',
    ],
    figures: { rewardS, reckonedS, sampleS, sample: sample.length, calls: calls.length },
  };
}

function readRows(): Row[] {
  const text = readFileSync(join(ROOT, 'test', 'data', 'humaneval.jsonl'), 'utf8');
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)));
  return [...rows, ...rows];
}

/** Codes of a row's completions, each another text; null for one without code. */
function codesOf(row: Row): (string | null)[] {
  return Array.from({ length: COMPLETIONS }, (_none, index) => {
    if (index < RIGHT) return `${row.prompt}${row.canonical_solution}\n# ${index}`;
    if (index === COMPLETIONS - 1) return null;
    return `${row.prompt}    return "none of it, ${index}"\n`;
  });
}

async function callReward(service: TestService, rows: readonly Row[]) {
  const items = rows.map((row) => ({
    row,
    completions: codesOf(row).map((code) =>
      code === null ? 'I do not know.' : `\`\`\`python\n${code}\n\`\`\``,
    ),
  }));
  const elapsed = stopwatch();
  const response = await fetch(`${service.url}/v1/reward`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataset: 'humaneval', items }),
  });
  const { rewards } = Answer.parse(await response.json());
  const seconds = elapsed() / 1000;
  const wrong = rewards
    .flat()
    .filter((reward, index) => reward !== (index % COMPLETIONS < RIGHT ? 1 : 0)).length;
  return { seconds, wrong };
}

/** A program for each test of each completion that has code. */
function callsOf(row: Row): string[] {
  const asserts = row.test.split('\n').filter((line) => /^\s+assert candidate\(/.test(line));
  return codesOf(row).flatMap((code) =>
    code === null
      ? []
      : asserts.map((line) => `${code}\n\ncandidate = ${row.entry_point}\n${line.trimStart()}\n`),
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
