/**
 * Tests per second as other judges state them, for information: Python and native programs, one test a request and
 * many, all slots in use; and what bare processes of the same kind reach beside it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BareRunner } from '../lib/bare.ts';
import { cleanPython } from '../lib/clean-python.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { closedLoop, stopwatch } from '../lib/load.ts';
import { quantileCells } from '../lib/quantiles.ts';
import type { BenchContext, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT, TestService } from '../lib/service.ts';
import { judge, readStats, runOnce } from '../lib/wire.ts';

const STDIN = '42\n';
const PYTHON = 'print(int(input()))\n';
const TESTS = 100;

export const peerRate: Scenario = {
  name: 'peer-rate',
  title: 'Tests per second with all slots in use',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const durationMs = context.timeLimitMs ?? (context.quick ? 700 : 15_000);
  const trivial = readFileSync(join(ROOT, 'bench', 'baseline', 'trivial.c'), 'utf8');
  await using service = await TestService.start();
  const callers = (await readStats(service.client)).slots.total;
  const measure = async (label: string, work: () => Promise<number[]>): Promise<Row> => {
    const values: number[] = [];
    await work();
    const elapsed = stopwatch();
    await closedLoop({ callers, until: () => elapsed() >= durationMs }, async () => {
      values.push(...(await work()));
    });
    const rate = values.length / (elapsed() / 1000);
    context.say(label);
    return { label, cells: { 'tests/s': rate.toFixed(0), ...quantileCells(values, 'ms', 1) } };
  };
  const judged = (language: string, code: string) => async (): Promise<number[]> => {
    const cases = Array.from({ length: TESTS }, () => ({ stdin: STDIN, expected_stdout: STDIN }));
    const tests = { kind: 'stdio', cases };
    const report = await judge(service.client, { language, code, tests, detail: 'full' });
    if (report.verdict !== 'accepted') throw new Error(`${language}: ${report.verdict}`);
    return report.cases.map(({ wall_ms: wallMs }) => wallMs ?? 0);
  };
  const single = async (): Promise<number[]> => {
    const elapsed = stopwatch();
    const report = await runOnce(service.client, {
      language: 'python',
      code: PYTHON,
      stdin: STDIN,
    });
    if (report.outcome?.stdout !== STDIN) throw new Error('a wrong answer');
    return [elapsed()];
  };
  return {
    rows: [
      await measure('Python, one test a request: request', single),
      await measure(`Python, ${TESTS} tests a request: program`, judged('python', PYTHON)),
      await measure(
        `native, ${TESTS} tests a request, compile step included: program`,
        judged('c', trivial),
      ),
      ...(await bareRows(durationMs)),
    ],
    checks: [],
    notes: [
      `${callers} callers; "request" is the whole request, "program" the program’s own wall time`,
      'bare Python is a virtual environment without packages; bare processes run one after the other',
    ],
  };
}

async function bareRows(durationMs: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-peer-'));
  try {
    const script = join(folder, 'main.py');
    writeFileSync(script, PYTHON);
    return [
      await bareRow('bare Python, one after the other', [cleanPython(), script], durationMs),
      await bareRow(
        'bare native, one after the other',
        [buildBaseline('trivial', ['-static'])],
        durationMs,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bareRow(label: string, argv: readonly string[], durationMs: number): Promise<Row> {
  using bare = new BareRunner({ argv, stdin: STDIN, expected: STDIN });
  const [first = 1] = await bare.batch(1);
  const count = Math.max(10, Math.min(5000, Math.round(durationMs / 3 / first)));
  const values = await bare.batch(count);
  const seconds = values.reduce((sum, value) => sum + value, 0) / 1000;
  const cells = {
    'tests/s': (values.length / seconds).toFixed(0),
    ...quantileCells(values, 'ms', 1),
  };
  return { label, cells };
}
