/**
 * The same Python programs with one stdin test, forked warm, behind nsjail and behind gVisor: one service with both
 * walls, one client, in turns, so that both see the same machine. Needs `npm run gvisor`.
 */
import { projectPath } from '../../src/lib/project.ts';
import { findRunsc } from '../../src/sandbox/find.ts';
import { median, quantileCells } from '../lib/quantiles.ts';
import type { BenchContext, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge } from '../lib/wire.ts';

const WALLS = ['nsjail', 'gvisor'] as const;
type Wall = (typeof WALLS)[number];
const TARGET_RATIO = 6;
const BLOCK = 20;

export const gvisor: Scenario = {
  name: 'gvisor',
  title: 'A warm Python stdin test behind gVisor against nsjail',
  run,
};

interface Measured {
  /** Round trips over HTTP, ms. */
  readonly times: number[];
  readonly cpuMs: number[];
  /** Leases that found no jail ready, or runs that were not forked. */
  cold: number;
}

async function run(context: BenchContext): Promise<ScenarioResult> {
  const found = await findRunsc({
    program: process.env['ASSAY_RUNSC'] ?? '',
    searchPath: process.env['PATH'] ?? '',
    ownProgram: projectPath('.assay', 'gvisor', 'runsc'),
  });
  if (found.path === null) return { rows: [], checks: [], notes: [found.problem] };
  const blocks = context.amount ?? (context.quick ? 2 : 20);
  await using service = await TestService.start({
    config: { walls: [...WALLS], languages: ['python'] },
  });
  const measured: Record<Wall, Measured> = {
    nsjail: { times: [], cpuMs: [], cold: 0 },
    gvisor: { times: [], cpuMs: [], cold: 0 },
  };
  let count = 0;
  const ask = async (wall: Wall): Promise<void> => {
    count += 1;
    const since = performance.now();
    const report = await judge(service.client, {
      language: 'python',
      code: `print(sum(map(int, input().split())))  # ${count}\n`,
      tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] },
      wall,
    });
    const { times, cpuMs } = measured[wall];
    times.push(performance.now() - since);
    if (report.verdict !== 'accepted' || report.wall !== wall)
      throw new Error(`${wall}: ${report.verdict} ${report.message}`);
    cpuMs.push(report.cases?.[0]?.cpu_ms ?? 0);
    const isWarm =
      report.provenance.runtime === 'forked' && report.phases.acquire_ms < COLD_START_MS;
    if (!isWarm) measured[wall].cold += 1;
  };
  for (const wall of WALLS) for (let n = 0; n < BLOCK; n += 1) await ask(wall);
  for (const wall of WALLS) Object.assign(measured[wall], { times: [], cpuMs: [], cold: 0 });
  for (let block = 0; block < blocks; block += 1) {
    for (const wall of WALLS) for (let n = 0; n < BLOCK; n += 1) await ask(wall);
    context.say(`block ${block + 1} of ${blocks}`);
  }
  return toResult(measured);
}

/** Waiting for so long is waiting for a jail to be made, ms. */
const COLD_START_MS = 100;

function toResult(measured: Readonly<Record<Wall, Measured>>): ScenarioResult {
  const { nsjail, gvisor: behindGvisor } = measured;
  const ratio = median(behindGvisor.times) / median(nsjail.times);
  const rows = WALLS.map((wall): Row => {
    const { times, cpuMs, cold } = measured[wall];
    const cells = quantileCells(times, 'ms');
    return {
      label: wall,
      cells: { ...cells, 'cpu p50': `${median(cpuMs)} ms`, cold: String(cold) },
    };
  });
  return {
    rows,
    checks: [
      {
        what: 'median of gVisor against nsjail',
        target: `≤ ${TARGET_RATIO} ×`,
        measured: `${ratio.toFixed(2)} ×`,
        ok: ratio <= TARGET_RATIO,
      },
      {
        what: 'requests that waited for a jail, or were not forked, behind gVisor',
        target: '0',
        measured: String(behindGvisor.cold),
        ok: behindGvisor.cold === 0,
      },
    ],
    notes: ['one client, one request after the other; what the service does besides is in both'],
    figures: measured,
  };
}
