/**
 * The same Python programs forked warm and started anew: reference solutions of public data sets (a folder of their
 * `.jsonl` files, ASSAY_BENCH_DATASETS), and programs just below and above the memory limit. What the caller sees must
 * not differ.
 */
import { mapLoop } from '../lib/load.ts';
import { readReferencePrograms, type ReferenceProgram } from '../lib/reference-programs.ts';
import type { BenchContext, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { readStats, runOnce, type RunResponse } from '../lib/wire.ts';

const QUICK = 20;
const SHOWN_MAX = 25;
const MEMORY_MB = 64;
const MIB = 1024 * 1024;
/** How exactly the largest allocation that fits is found, KiB. */
const STEP_KIB = 64;

export const warmVerdicts: Scenario = {
  name: 'warm-verdicts',
  title: 'Python forked warm and started anew',
  run,
};

interface Pair {
  readonly name: string;
  readonly warm: RunResponse;
  readonly cold: RunResponse;
}

async function run(context: BenchContext): Promise<ScenarioResult> {
  const folder = process.env['ASSAY_BENCH_DATASETS'] ?? '';
  const all = folder === '' ? [] : readReferencePrograms(folder);
  const programs = all.slice(0, context.amount ?? (context.quick ? QUICK : all.length));
  await using service = await TestService.start();
  const { slots } = await readStats(service.client);
  const pairs = await mapLoop(programs, slots.total, async ({ name, code }): Promise<Pair> => {
    const [warm, cold] = await both(service, { name, code });
    return { name, warm, cold };
  });
  const fits = [await largest(service, true), await largest(service, false)];
  return toResult(pairs, fits, folder === '');
}

async function both(
  { client }: TestService,
  { code }: ReferenceProgram,
): Promise<[RunResponse, RunResponse]> {
  const body = { language: 'python', code };
  return [
    await runOnce(client, { ...body, warm: true }),
    await runOnce(client, { ...body, warm: false }),
  ];
}

/** The largest array that a program can fill within the limit, KiB. */
async function largest({ client }: TestService, warm: boolean): Promise<number> {
  let [fits, fails] = [0, 2 * MEMORY_MB * 1024];
  while (fails - fits > STEP_KIB) {
    const middle = Math.floor((fits + fails) / 2);
    const { outcome } = await runOnce(client, {
      language: 'python',
      code: `x = bytearray(b"x") * (${middle} << 10)\nprint(len(x))\n`,
      limits: { memory_mb: MEMORY_MB },
      warm,
    });
    if (outcome?.kind === 'exited') fits = middle;
    else fails = middle;
  }
  return fits;
}

function toResult(
  pairs: readonly Pair[],
  [warmFits = 0, coldFits = 0]: readonly number[],
  isEmpty: boolean,
): ScenarioResult {
  const differing = pairs
    .filter(({ warm, cold }) => seen(warm) !== seen(cold))
    .map(({ name, warm, cold }) => `${name}: warm ${seen(warm)}, cold ${seen(cold)}`);
  const difference = Math.abs(warmFits - coldFits) / 1024;
  return {
    rows: [row('warm', pairs, warmFits), row('cold', pairs, coldFits)],
    checks: [
      {
        what: 'programs that end differently warm and cold',
        target: '0',
        measured: String(differing.length),
        ok: differing.length === 0,
      },
      {
        what: `largest array within ${MEMORY_MB} MiB, warm against cold`,
        target: '≤ 4 MiB apart',
        measured: `${difference.toFixed(1)} MiB`,
        ok: difference <= 4,
      },
    ],
    notes: [
      ...(isEmpty ? ['no data sets: name their folder in ASSAY_BENCH_DATASETS'] : []),
      ...differing.slice(0, SHOWN_MAX),
    ],
  };
}

function row(kind: 'warm' | 'cold', pairs: readonly Pair[], fitsKib: number): Row {
  const reports = pairs.map((pair) => pair[kind]);
  const sorted = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const outcomes = reports.flatMap(({ outcome }) => outcome ?? []);
  return {
    label: kind,
    cells: {
      programs: String(reports.length),
      forked: String(reports.filter(({ provenance }) => provenance.runtime === 'forked').length),
      passed: String(outcomes.filter(({ stdout }) => stdout.endsWith('passed\n')).length),
      'wall p50': `${sorted(outcomes.map(({ wall_ms: wall }) => wall))} ms`,
      'cpu p50': `${sorted(outcomes.map(({ cpu_ms: cpu }) => cpu))} ms`,
      'memory p50': `${(sorted(outcomes.map(({ memory_bytes: bytes }) => bytes ?? 0)) / MIB).toFixed(1)} MiB`,
      fits: `${(fitsKib / 1024).toFixed(1)} MiB`,
    },
  };
}

function seen({ outcome, fault, attempts }: RunResponse): string {
  const parts = [
    outcome?.kind,
    outcome?.exit_code,
    outcome?.signal,
    outcome?.stdout,
    outcome?.stderr,
    fault,
    attempts,
  ];
  return JSON.stringify(parts).replaceAll(/0x[\da-f]{6,}/g, '0x');
}
