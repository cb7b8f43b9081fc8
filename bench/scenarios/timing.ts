/**
 * CPU limits beside a noisy neighbour: all slots are busy, and as many processes as there are cores spin beside them. What
 * uses 70 % of its limit is never out of time, what uses 140 % always is, and CPU time is what the program's own clock says.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { mapLoop } from '../lib/load.ts';
import { calibrate, makeNearCpu, type TimedSubmission } from '../lib/near-limit.ts';
import { quantileCells } from '../lib/quantiles.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readLanguages, readStats, type JudgeResponse } from '../lib/wire.ts';

const SUBMISSIONS = 1000;
const QUEUED = 8;
const SHOWN_MAX = 25;
/** How far the CPU time of a report may be from the program's own: the greater of the two. */
const CLOSE = { share: 0.05, ms: 15 };

export const timing: Scenario = {
  name: 'timing',
  title: `${SUBMISSIONS} submissions near their CPU limit beside a noisy neighbour`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const count = context.amount ?? (context.quick ? 10 : SUBMISSIONS);
  await using service = await TestService.start();
  const { client } = service;
  const languages = await readLanguages(client);
  const calibration = await calibrate(client, { languages, runs: context.quick ? 1 : 5 });
  const random = createRandom(context.seed);
  const submissions = makeNearCpu(count, { calibration, random });
  const { slots } = await readStats(client);
  using noise = startNoise();
  let done = 0;
  const reports = await mapLoop(submissions, slots.total + QUEUED, async ({ request }) => {
    const report = await judge(client, request);
    done += 1;
    if (done % 100 === 0) context.say(`${done} of ${count}`);
    return report;
  });
  return toResult(submissions, reports, noise.count);
}

/** One spinning process a core, until it is disposed of. */
function startNoise(): Disposable & { readonly count: number } {
  const count = availableParallelism();
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const end = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', end);
  return {
    count,
    [Symbol.dispose]() {
      process.off('exit', end);
      end();
    },
  };
}

interface Judged {
  readonly submission: TimedSubmission;
  readonly report: JudgeResponse;
}

function wrongOf(judged: readonly Judged[]): string[] {
  return judged.flatMap(({ submission: { name, right }, report }) =>
    right.includes(report.verdict)
      ? []
      : [`${name} → ${report.verdict} at ${report.cases[0]?.cpu_ms} ms of CPU`],
  );
}

function toResult(
  submissions: readonly TimedSubmission[],
  reports: readonly JudgeResponse[],
  neighbours: number,
): ScenarioResult {
  const judged = submissions.flatMap((submission, index) => {
    const report = reports[index];
    return report === undefined ? [] : [{ submission, report }];
  });
  const clocked = judged.filter(({ submission }) => submission.clockedMs !== null);
  const fixed = judged.filter(({ submission }) => submission.clockedMs === null);
  const [wrongClocked, wrongFixed] = [wrongOf(clocked), wrongOf(fixed)];
  const errors = judged.flatMap(({ submission: { clockedMs }, report }) => {
    const [first] = report.cases;
    if (clockedMs === null || first === undefined || report.verdict !== 'accepted') return [];
    return [{ clockedMs, error: Math.abs((first.cpu_ms ?? 0) - clockedMs) }];
  });
  const far = errors.filter(
    ({ clockedMs, error }) => error > Math.max(clockedMs * CLOSE.share, CLOSE.ms),
  );
  // Nothing to compare where no program of that kind was judged, as in a quick run.
  const apart = errors.length === 0 ? [0] : errors.map(({ error }) => error);
  return {
    rows: [
      {
        label: "CPU time, from the program's own clock",
        cells: { ...quantileCells(apart, 'ms', 1), programs: String(errors.length) },
      },
    ],
    checks: [
      {
        what: `verdicts of ${clocked.length} that are not right, of programs that go by their own CPU clock`,
        target: '0',
        measured: String(wrongClocked.length),
        ok: wrongClocked.length === 0,
      },
      {
        what: `verdicts of ${fixed.length} that are not right, of work whose time was measured before`,
        target: '0, where the machine is always as quick',
        measured: String(wrongFixed.length),
        ok: wrongFixed.length === 0,
      },
      {
        what: "CPU times beyond 5 % and 15 ms of the program's own",
        target: '0',
        measured: String(far.length),
        ok: far.length === 0,
      },
    ],
    notes: [
      `all slots busy, ${QUEUED} queued, ${neighbours} spinning processes beside the service`,
      ...[...wrongClocked, ...wrongFixed].slice(0, SHOWN_MAX),
    ],
  };
}
