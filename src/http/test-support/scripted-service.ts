/** For tests: a `Service` that answers as told, and builders of the reports it answers with. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestCallers } from '../../judge/tenants/test-callers.ts';
import type { WallTest } from '../../judge/wall-test/verdict.ts';
import { Controls } from '../../judge/testsets/controls.ts';
import { TestsetLibrary } from '../../judge/testsets/library.ts';
import { TestsetStore } from '../../judge/testsets/store.ts';
import { readRow } from '../../datasets/row-reading.ts';
import { REJECTIONS, Rejection, type RejectionCode } from '../../domain/errors.ts';
import { inForce } from '../../domain/profile.ts';
import { DEFAULT_MAXIMA, resolveLimits } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { CellsReport, JudgeReport, RunReport } from '../../domain/report.ts';
import type { CellsSubmission, JudgeSubmission, RunSubmission } from '../../domain/submission.ts';
import type { CaseReport } from '../../domain/verdict.ts';
import type { CallContext, LanguageInfo, Service } from '../../judge/door.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { MemoryKept } from '../../lib/kept.ts';
import { createLeaseId } from '../../lib/lease-id.ts';
import { unshared, type SharedWork } from '../../lib/shared-flight.ts';
import { Observations } from '../../observe/observations.ts';
import type { Traces } from '../../observe/traces.ts';
import { DEFAULT_HTTP_CONFIG, type HTTPConfig } from '../config.ts';
import type { Degradation, HTTPDeps } from '../app-env.ts';
import { Idempotency } from '../native/idempotency.ts';
import { itemJudge } from '../native/jobs/judge-item.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { Sessions } from '../../sessions/sessions.ts';
import { SqliteJobStore } from '../../jobs/sqlite-store.ts';
import { createApp } from '../server.ts';
import { SESSION_BOUNDS } from './session-bounds.ts';

const encoder = new TextEncoder();

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function anOutcome(parts: Partial<Outcome> = {}): Outcome {
  const stdout = parts.stdout ?? bytes('1\n');
  const stderr = parts.stderr ?? bytes('');
  return {
    kind: 'exited',
    exitCode: 0,
    signal: null,
    limit: null,
    cpuMs: 3,
    wallMs: 4,
    memoryBytes: 9_000_000,
    memorySource: 'cgroup_peak',
    stdout,
    stderr,
    stdoutBytes: stdout.byteLength,
    stderrBytes: stderr.byteLength,
    stdoutTruncated: false,
    stderrTruncated: false,
    forked: false,
    collected: [],
    ...parts,
  };
}

const base = {
  language: 'python',
  environment: { id: 'python', fingerprint: 'sha256:0' },
  wall: 'nsjail',
  ...resolveLimits({}, DEFAULT_MAXIMA),
  compile: null,
  fault: null,
  attempts: [{ jail: 'jail-1', runtime: 'process', fault: null, wallMs: 5 }],
  phases: { queueMs: 0, acquireMs: 0, acquire: 'warm', compileMs: 0, runMs: 4, verifyMs: 0.5 },
  provenance: {
    service: '0.1.0',
    runner: '1',
    tests: null,
    testset: null,
    profile: null,
    cgroup: 'v1',
    verifier: '1',
    runtime: 'process',
    reused: null,
  },
  labels: {},
} as const;

export function aRunReport(parts: Partial<RunReport> = {}): RunReport {
  return { kind: 'run', id: 'run_1', ...base, outcome: anOutcome(), ...parts };
}

export function aCase(parts: Partial<CaseReport> = {}): CaseReport {
  return {
    id: '1',
    verdict: 'accepted',
    weight: 1,
    group: null,
    score: 1,
    limit: null,
    outcome: anOutcome(),
    message: '',
    ...parts,
  };
}

export function aJudgeReport(parts: Partial<JudgeReport> = {}): JudgeReport {
  return {
    kind: 'judge',
    id: 'jdg_1',
    ...base,
    verdict: 'accepted',
    reward: 1,
    passed: 1,
    total: 1,
    fraction: 1,
    cases: [aCase()],
    groups: null,
    canaries: null,
    mode: 'stdio',
    profile: inForce('strict'),
    message: '',
    ...parts,
  };
}

export const aFault = {
  code: 'jail_died',
  message: 'the jail ended during the run',
  retryable: true,
} as const;

const LANGUAGES: readonly LanguageInfo[] = [
  aLanguage('python', ['py', 'python3']),
  aLanguage('cpp', ['c++']),
  aLanguage('javascript', ['js', 'node']),
  {
    ...aLanguage('bash', ['sh']),
    available: false,
    reason: 'no bash here',
    environments: [],
    tests: [],
  },
];

function aLanguage(id: string, aliases: readonly string[]): LanguageInfo {
  const offered = { available: true, reason: null, packages: {}, fingerprint: 'sha256:0' };
  const environments = [{ id, title: id, aliases: [], ...offered, warm: true }];
  return {
    id,
    title: id,
    aliases,
    fenceTags: [],
    version: '1',
    available: true,
    reason: null,
    sourceFile: `main.${id}`,
    compiled: id === 'cpp',
    testPackages: id === 'python' ? '/tests' : null,
    hasCells: id === 'python',
    determinism: { seed: 'hashes', clock: 'its wall clock', varies: null },
    allowance: { cpuMs: 0, memoryMb: 0, processes: 0 },
    environments,
    tests: [{ kind: 'function', available: true, reason: null }],
  };
}

export interface Script {
  readonly run?: (submission: RunSubmission, context: CallContext) => Promise<RunReport>;
  readonly judge?: (submission: JudgeSubmission, context: CallContext) => Promise<JudgeReport>;
  readonly talk?: Service['talk'];
  readonly runCells?: (submission: CellsSubmission, context: CallContext) => Promise<CellsReport>;
  readonly ready?: boolean;
  readonly checkRoom?: () => void;
  readonly checkHost?: () => void;
}

/** A service that knows four languages; unscripted calls echo the submission's id and succeed at once. */
export function createScriptedService(script: Script = {}): Service {
  const rejections: Partial<Record<RejectionCode, number>> = {};
  const language = (name: string): LanguageInfo | null =>
    LANGUAGES.find((each) => each.id === name || each.aliases.includes(name)) ?? null;
  const check = (submission: { readonly language: string }, context: CallContext): void => {
    if (language(submission.language) === null) throw rejection('unknown_language');
    context.onStart?.();
  };
  return {
    maxima: DEFAULT_MAXIMA,
    async run(submission, context) {
      if (script.run !== undefined) return script.run(submission, context);
      check(submission, context);
      const { id, labels, limits, clamped } = submission;
      return aRunReport({ id, labels, limits, clamped });
    },
    async talk(submission, talk, context) {
      if (script.talk !== undefined) return script.talk(submission, talk, context);
      check(submission, context);
      talk.onStage('run');
      return aRunReport({ id: submission.id });
    },
    async runCells(submission, context) {
      if (script.runCells !== undefined) return script.runCells(submission, context);
      check(submission, context);
      const { id, labels, limits, clamped, cells } = submission;
      const empty = bytes('');
      const outcome = anOutcome({ stdout: empty });
      return {
        run: aRunReport({ id, labels, limits, clamped, outcome }),
        cells: cells.map((text) => ({
          stdout: bytes(text),
          stderr: empty,
          displays: [],
          error: null,
          isComplete: true,
        })),
      };
    },
    async judge(submission, context) {
      if (script.judge !== undefined) return script.judge(submission, context);
      check(submission, context);
      const { id, labels, limits, clamped, tests } = submission;
      const cases =
        'cases' in tests
          ? tests.cases.map((each) => aCase({ id: each.id, weight: each.weight }))
          : (tests.ids ?? []).map((id) => aCase({ id, weight: 1 }));
      return aJudgeReport({
        id,
        labels,
        limits,
        clamped,
        cases,
        passed: cases.length,
        total: cases.length,
      });
    },
    tryChecker: async () => [],
    check({ language: name }) {
      const known = language(name);
      if (known === null) throw rejection('unknown_language');
      return known;
    },
    language,
    languages: () => LANGUAGES,
    capabilities: () => ({
      service: '0.1.0',
      runner: '1',
      walls: [],
      cgroup: 'v1',
      slots: 2,
      defaults: base.limits,
      maxima: DEFAULT_MAXIMA,
      selfTests: [{ environment: 'python', test: 'ok', ok: true, message: '' }],
    }),
    stats: () => ({
      uptimeMs: 1,
      slots: { total: 2, busy: 0 },
      queue: { length: 0, bytes: 0, lengthMax: 10, tenants: [], waitMs: null },
      submissions: { run: 0, judged: 0, faults: 0 },
      rejections: { ...rejections },
      givenUp: { waiting: {}, running: {} },
      environments: [
        {
          id: 'python',
          wall: 'nsjail',
          pool: 'python',
          jails: { starting: 0, ready: 2, leased: 0, target: 2 },
          warmHitRate: null,
          acquireMs: { p50: 1, p95: 2, p99: 3 },
          acquireWarmMs: { p50: 1, p95: 2, p99: 3 },
          acquireColdMs: null,
          idleBytes: 1024,
          outcomes: { exited: 1 },
          retired: {},
        },
      ],
      compileCache: null,
      reuse: null,
      jailMemory: {
        capacityBytes: 4096,
        idleBytes: 2048,
        busyBytes: 0,
        waiting: 0,
        refused: 0,
        reclaimed: 0,
      },
      hostRoom: [
        { resource: 'disk', usedPercent: 25.5, freeBytes: 4096, limitPercent: 80, isFull: false },
      ],
      eventLoopDelayMs: { p50: 1, p95: 2, p99: 3 },
      memoryBytes: 1,
    }),
    checkRoom: () => script.checkRoom?.(),
    rejected: (code) => {
      rejections[code] = (rejections[code] ?? 0) + 1;
    },
    readiness: () =>
      script.ready === false
        ? { ready: false, reasons: ['no environment serves'] }
        : { ready: true, reasons: [] },
  };
}

export function rejection(code: RejectionCode, retryAfterMs?: number): Rejection {
  return new Rejection(code, {
    detail: REJECTIONS[code].title,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Nothing is registered with a scripted service, so the folder is never made. */
const NOWHERE = join(tmpdir(), 'assay-no-testsets');
const testsetsIn = (folder = NOWHERE): TestsetStore =>
  TestsetStore.empty({ folder, bytesMax: folder === NOWHERE ? 0 : 10_000, now: () => 0 });

/** An app over a scripted service, and the lines it logs. */
export function createTestApp(
  options: {
    readonly script?: Script;
    readonly config?: Partial<HTTPConfig>;
    readonly clock?: Clock;
    readonly tenants?: Omit<Parameters<typeof createTestCallers>[0], 'service' | 'clock'>;
    readonly traces?: Traces;
    readonly jobsMaxBytes?: number;
    readonly wallTests?: readonly WallTest[];
    readonly jobsShare?: number;
    /** For test sets of one of several replicas; left out, it is alone, and has none. */
    readonly testsetFolder?: string;
    readonly shared?: SharedWork;
    readonly degraded?: readonly Degradation[];
  } = {},
) {
  const lines: LogLine[] = [];
  const log = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const service = createScriptedService(options.script);
  const clock = options.clock ?? systemClock;
  const kept = new MemoryKept({ bytesMax: 1024 * 1024, ttlMs: 60_000, clock });
  const judging = {
    callers: createTestCallers({ service, clock, ...options.tenants }),
    service,
    testsets: new TestsetLibrary(testsetsIn(options.testsetFolder), clock),
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  };
  const store = SqliteJobStore.open(':memory:', clock);
  const runner = new JobRunner({
    store,
    judge: itemJudge({ ...judging, isShared: options.testsetFolder !== undefined }),
    atOnce: 2,
    clock,
    keptMs: 60_000,
    onError: (error) => log('error')({ error }, 'jobs'),
  });
  const deps: HTTPDeps = {
    ...judging,
    selfTest: async () => options.wallTests ?? [],
    sessions: new Sessions(SESSION_BOUNDS, clock),
    jobs: {
      store,
      runner,
      room: { max: options.jobsMaxBytes ?? 64 * 1024 * 1024, share: options.jobsShare ?? 1 },
      isAway: () => false,
    },
    degraded: () => options.degraded ?? [],
    controls: Controls.none(),
    idempotency: new Idempotency({
      ...{ work: options.shared ?? unshared(kept), createToken: createLeaseId, clock },
    }),
    rows: { read: async (task) => readRow(task) },
    config: { ...DEFAULT_HTTP_CONFIG, ...options.config },
    ...{ observed: new Observations(clock), traces: options.traces ?? null, clock },
    checkHost: () => options.script?.checkHost?.(),
  };
  return { app: createApp(deps), lines, deps };
}

/** A POST of JSON; a string or bytes go as they are. */
export function post(body: unknown, contentType = 'application/json'): RequestInit {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return { method: 'POST', headers: { 'content-type': contentType }, body: raw };
}

/** A judge request that is accepted, with fields replaced. */
export function aJudgeBody(parts: object = {}): object {
  return {
    language: 'python',
    code: 'print(3)',
    tests: { kind: 'stdio', cases: [{ expected_stdout: '3\n' }] },
    ...parts,
  };
}
