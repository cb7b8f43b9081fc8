/**
 * One submission of a trivial C program with 100 tests over HTTP, against bare fork+exec of the very same binary
 * (fetched from the service, so compiled with its flags). The rate without the compile step is what the target is on;
 * the whole request with it is shown beside.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BareRunner } from '../lib/bare.ts';
import { median, quantileCells, spread } from '../lib/quantiles.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { ROOT, TestService } from '../lib/service.ts';
import { judge, runOnce } from '../lib/wire.ts';

const TARGET_SHARE = 0.6;
const TESTS = 100;
const STDIN = '42\n';
/** What the service calls the compiled program (languages/c/language.json, artefacts). */
const ARTEFACT = 'main';

interface Repeat {
  readonly bareMs: number;
  /** Phases run + verify of the report. */
  readonly runMs: number;
  /** The request as its caller sees it, compile step included, and without it. */
  readonly requestMs: number;
  readonly uncompiledMs: number;
  readonly compileMs: number;
}

export const http100Tests: Scenario = {
  name: 'http-100-tests',
  title: `${TESTS} tests of a trivial C program in one request against bare fork+exec`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const repeats = context.amount ?? (context.quick ? 5 : 60);
  const code = readFileSync(join(ROOT, 'bench', 'baseline', 'trivial.c'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'assay-binary-'));
  await using service = await TestService.start();
  try {
    const binary = join(folder, ARTEFACT);
    writeFileSync(binary, await fetchBinary(service, code), { mode: 0o700 });
    using bare = new BareRunner({ argv: [binary], stdin: STDIN, expected: STDIN });
    const request = Buffer.from(JSON.stringify(toRequest(code)));
    await measure(service, { request, bare });
    const measured: Repeat[] = [];
    const clientCpu = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      measured.push(await measure(service, { request, bare }));
      if (repeat % 10 === 9) context.say(`repeat ${repeat + 1} of ${repeats}`);
    }
    const { user, system } = process.cpuUsage(clientCpu);
    return toResult(measured, (user + system) / 1000 / repeats);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  service: TestService,
  { request, bare }: { readonly request: Buffer; readonly bare: BareRunner },
): Promise<Repeat> {
  const bareMs = (await bare.batch(TESTS)).reduce((sum, ms) => sum + ms, 0);
  const since = performance.now();
  const report = await judge(service.client, request);
  const requestMs = performance.now() - since;
  if (report.verdict !== 'accepted' || report.passed !== TESTS) {
    throw new Error(`verdict ${report.verdict}, ${report.passed} of ${report.total} passed`);
  }
  const { run_ms: run, verify_ms: verify, compile_ms: compileMs } = report.phases;
  return { bareMs, runMs: run + verify, requestMs, uncompiledMs: requestMs - compileMs, compileMs };
}

function toResult(measured: readonly Repeat[], clientCpuMs: number): ScenarioResult {
  const rate = (key: keyof Repeat): number[] => measured.map((each) => (TESTS * 1000) / each[key]);
  const share = (key: keyof Repeat): number[] => measured.map((each) => each.bareMs / each[key]);
  const row = (label: string, key: keyof Repeat) => ({
    label,
    cells: {
      ...quantileCells(
        measured.map((each) => each[key] / TESTS),
        'ms/test',
        3,
      ),
      'tests/s': median(rate(key)).toFixed(0),
      'share of the bare rate': spread(share(key)),
    },
  });
  const reached = median(share('uncompiledMs'));
  return {
    rows: [
      row('bare, same binary', 'bareMs'),
      row('phases run + verify', 'runMs'),
      row('request without compile step', 'uncompiledMs'),
      row('request, compile included', 'requestMs'),
    ],
    checks: [
      {
        what: 'rate of tests over HTTP without the compile step, of the bare sequential rate',
        target: `≥ ${TARGET_SHARE * 100} %`,
        measured: `${(reached * 100).toFixed(0)} %`,
        ok: reached >= TARGET_SHARE,
      },
    ],
    notes: [
      `compile step: ${median(measured.map((each) => each.compileMs)).toFixed(0)} ms (median)`,
      `the client itself uses ${clientCpuMs.toFixed(1)} ms CPU per request of ${TESTS} tests, the bare batch’s reading included`,
      'one request at a time on one slot; bare and judged alternate',
    ],
  };
}

async function fetchBinary(service: TestService, code: string): Promise<Buffer> {
  const answer = await runOnce(service.client, {
    language: 'c',
    code,
    stdin: STDIN,
    collect: [ARTEFACT],
  });
  const file = answer.files[ARTEFACT];
  if (file === undefined) throw new Error('the service did not return the binary');
  return typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.base64, 'base64');
}

function toRequest(code: string) {
  const cases = Array.from({ length: TESTS }, () => ({ stdin: STDIN, expected_stdout: STDIN }));
  return { language: 'c', code, tests: { kind: 'stdio', cases } };
}
