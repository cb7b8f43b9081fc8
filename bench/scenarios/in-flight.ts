/**
 * A trainer's client as it is: verl's, one request per test on a connection of its own, 64 at once, on Sandbox
 * Fusion's wire. Right programs that need 1.5 s of CPU each queue far longer than their own limit; none may be judged
 * a time-out. What cannot be answered within the client's deadline gets 504, which the client tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { mapLoop, stopwatch } from '../lib/load.ts';
import { summarise } from '../lib/quantiles.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { parseRunCode, type RunCodeResponse } from '../lib/wire.ts';

/** verl/utils/reward_score/sandbox_fusion/utils.py: attempts in all, seconds between, and what it adds to its limits. */
const ATTEMPTS_MAX = 3;
const PAUSE_MS = [1000, 2000];
const API_MARGIN_S = 10;
const TIMEOUT_S = 10;

interface Job {
  readonly language: string;
  readonly code: string;
  readonly stdin: string;
  readonly expected: string;
}

interface Done {
  readonly statuses: readonly number[];
  /** `right`, or what else came. */
  readonly verdict: string;
  readonly totalMs: number;
}

export const inFlight: Scenario = {
  name: 'in-flight-64',
  title: '64 slow right programs and 32 C++ compilations at once, as verl sends them',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const cpuSeconds = context.quick ? 0.3 : 1.5;
  const counts = context.quick ? { python: 6, cpp: 3 } : { python: 64, cpp: 32 };
  const random = createRandom(context.seed);
  await using service = await TestService.start();
  const batches = [
    {
      label: `${counts.python} Python programs of ${cpuSeconds} s CPU`,
      jobs: Array.from({ length: counts.python }, () =>
        pythonJob(cpuSeconds, random.int(0, 1_000_000)),
      ),
    },
    {
      label: `${counts.cpp} different C++ programs with bits/stdc++.h`,
      jobs: Array.from({ length: counts.cpp }, (_, index) =>
        cppJob(index, random.int(0, 1_000_000)),
      ),
    },
  ];
  const rows: Row[] = [];
  const checks: Check[] = [];
  for (const { label, jobs } of batches) {
    const elapsed = stopwatch();
    const done = await mapLoop(jobs, jobs.length, async (job) => await ask(service, job));
    const seconds = elapsed() / 1000;
    const right = done.filter(({ verdict }) => verdict === 'right').length;
    const timeouts = done.filter(({ verdict }) => verdict.includes('TimeLimitExceeded')).length;
    const others = done.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'right');
    const attempts = done.flatMap(({ statuses }) => statuses);
    rows.push({
      label,
      cells: {
        right: String(right),
        'time-outs': String(timeouts),
        attempts: String(attempts.length),
        '504s': String(attempts.filter((status) => status === 504).length),
        took: `${seconds.toFixed(1)} s`,
        'slowest answer': `${(summarise(done.map(({ totalMs }) => totalMs)).max / 1000).toFixed(1)} s`,
      },
    });
    checks.push({
      what: `${label}: right without a time-out`,
      target: `${jobs.length} of ${jobs.length}`,
      measured: `${right}${others.length > 0 ? `; else ${[...new Set(others)].join(', ')}` : ''}`,
      ok: right === jobs.length,
    });
    context.say(`${label}: ${right} right after ${seconds.toFixed(1)} s`);
  }
  return {
    rows,
    checks,
    notes: [
      `run_timeout and compile_timeout ${TIMEOUT_S}; a client gives up after ${2 * TIMEOUT_S + API_MARGIN_S} s of silence, tries again on 504 only, ${ATTEMPTS_MAX} attempts`,
    ],
  };
}

/** One test as verl's `call_sandbox_api` sends it. */
async function ask(service: TestService, job: Job): Promise<Done> {
  const elapsed = stopwatch();
  const statuses: number[] = [];
  const body = {
    compile_timeout: TIMEOUT_S,
    run_timeout: TIMEOUT_S,
    code: job.code,
    stdin: job.stdin,
    memory_limit_MB: 1024,
    language: job.language,
    files: {},
    fetch_files: [],
  };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      const answer = await service.client.post('/run_code', body, {
        freshConnection: true,
        silenceMs: (2 * TIMEOUT_S + API_MARGIN_S) * 1000,
      });
      statuses.push(answer.status);
      if (answer.status === 504) {
        await sleep(PAUSE_MS[attempt] ?? 0);
        continue;
      }
      const verdict =
        answer.status === 200 ? judgeAnswer(parseRunCode(answer), job) : `HTTP ${answer.status}`;
      return { statuses, verdict, totalMs: elapsed() };
    } catch (error) {
      // Any other failure of the request ends the test for this client.
      return { statuses: [...statuses, 0], verdict: String(error), totalMs: elapsed() };
    }
  }
  return { statuses, verdict: 'HTTP 504 three times', totalMs: elapsed() };
}

function judgeAnswer(answer: RunCodeResponse, job: Job): string {
  const { status, compile_result: compile, run_result: result } = answer;
  if (compile?.status === 'TimeLimitExceeded') return 'compile TimeLimitExceeded';
  if (status === 'Success' && result?.stdout?.trimEnd() === job.expected) return 'right';
  return `${status} ${result?.status ?? 'no run'} ${result?.return_code ?? ''}`.trim();
}

function pythonJob(cpuSeconds: number, number: number): Job {
  const code = [
    'import time',
    'n = int(input())',
    `while time.process_time() < ${cpuSeconds}:`,
    '    pass',
    'print(n + 1)',
    '',
  ].join('\n');
  return { language: 'python', code, stdin: `${number}\n`, expected: String(number + 1) };
}

/** Each source differs, so that no cache of compilations could help. */
function cppJob(index: number, number: number): Job {
  const code = [
    `// ${index} ${number}`,
    '#include <bits/stdc++.h>',
    'using namespace std;',
    'int main() {',
    '  long long n; cin >> n;',
    '  map<long long, vector<string>> m;',
    `  m[n].push_back(to_string(n + ${index}));`,
    '  cout << m[n][0] << endl;',
    '}',
    '',
  ].join('\n');
  return { language: 'cpp', code, stdin: `${number}\n`, expected: String(number + index) };
}
