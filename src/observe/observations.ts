/**
 * What happens in this service, counted once for everyone who looks: histograms and counters in a Prometheus registry of
 * its own, and the short summary that the dashboard shows. Bounded: every label has a closed set of values, or the values
 * seen last. What the service counts itself (`Stats`) is not counted here again.
 */
import { Counter, Histogram, Registry } from 'prom-client';

import { FAULTS, type Fault, type FaultCode } from '../domain/errors.ts';
import type { JudgeReport, RunReport } from '../domain/report.ts';
import { ANONYMOUS, type Payer } from '../domain/tenant.ts';
import type { Clock } from '../lib/clock.ts';
import { QuantileWindow, type QuantileSummary } from '../lib/quantiles.ts';
import { RecentCounts } from './recent-counts.ts';

/** Tenants with series of their own. */
const TENANTS_MAX = 100;
/** Submissions that are named for each kind of fault. */
const EXAMPLES_MAX = 3;

/** From a millisecond to a minute, roughly ×2.5 a step; a queue of a trainer's batch may take longer. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How a submission ended, in three words. */
export type ResultClass = 'passed' | 'failed' | 'fault';

export interface RequestFacts {
  /** `native`, a name of `SURFACES`, or `own` for what operators ask. */
  readonly surface: string;
  /** The pattern of the route, never the raw path. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Where a submission's time goes. */
type Phase = 'queue' | 'acquire' | 'compile' | 'run' | 'verify';

/** All faults of one code. */
interface SeenFault {
  readonly code: string;
  /** What callers are told: no detail. */
  readonly message: string;
  readonly count: number;
  /** Of the last one, ISO 8601. */
  readonly at: string;
  /** Identifiers of the last ones, the newest first. */
  readonly submissions: readonly string[];
}

/** For the dashboard. */
export interface Summary {
  readonly tenants: ReturnType<RecentCounts<ResultClass>['entries']>;
  /** Verdicts of judged submissions and outcomes of plain runs, with how often. */
  readonly results: Readonly<Record<string, number>>;
  /** The code that came last first. */
  readonly faults: readonly SeenFault[];
  /** Over the last 1024 submissions, ms; null before the first. `total` is all phases of one submission. */
  readonly latencyMs: Readonly<Record<Phase | 'total', QuantileSummary | null>>;
}

export class Observations {
  /** Whoever else has something to show joins here. */
  readonly registry = new Registry();
  readonly #clock: Clock;
  readonly #tenants = new RecentCounts<ResultClass>(TENANTS_MAX);
  readonly #results = new Map<string, number>();
  /** By code, the one that came last at the end. */
  readonly #faults = new Map<FaultCode, SeenFault>();
  readonly #windows = {
    queue: new QuantileWindow(),
    acquire: new QuantileWindow(),
    compile: new QuantileWindow(),
    run: new QuantileWindow(),
    verify: new QuantileWindow(),
    total: new QuantileWindow(),
  };
  readonly #metrics: ReturnType<typeof createMetrics>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#metrics = createMetrics(this.registry, this.#tenants);
  }

  /** A request was answered, its stream included. */
  request({ surface, route, method, status, seconds }: RequestFacts): void {
    this.#metrics.requests.inc({ surface, route, method, status });
    this.#metrics.requestSeconds.observe({ surface, route }, seconds);
  }

  /** A submission was answered. The service's own self-tests are nobody's. */
  report(
    report: RunReport | JudgeReport,
    { isOwn = false, payer = ANONYMOUS }: { readonly isOwn?: boolean; readonly payer?: Payer },
  ): void {
    if (isOwn) return;
    const { kind, language } = report;
    const result = resultOf(report);
    const resultClass = classOf(report);
    this.#metrics.submissions.inc({ kind, language, result, class: resultClass });
    this.#tenants.add(payer.tenant, resultClass);
    this.#results.set(result, (this.#results.get(result) ?? 0) + 1);
    if (report.attempts.length > 0) this.#phases(report);
  }

  /** Every fault, those that a second try mended included. */
  fault({ code }: Fault, submission: string): void {
    this.#metrics.faults.inc({ code });
    const before = this.#faults.get(code);
    this.#faults.delete(code);
    this.#faults.set(code, {
      code,
      message: FAULTS[code].message,
      count: (before?.count ?? 0) + 1,
      at: this.#clock.date().toISOString(),
      submissions: [submission, ...(before?.submissions ?? [])].slice(0, EXAMPLES_MAX),
    });
  }

  summary(): Summary {
    const windows = this.#windows;
    return {
      tenants: this.#tenants.entries(),
      results: Object.fromEntries(this.#results),
      faults: [...this.#faults.values()].toReversed(),
      latencyMs: {
        queue: windows.queue.summary(),
        acquire: windows.acquire.summary(),
        compile: windows.compile.summary(),
        run: windows.run.summary(),
        verify: windows.verify.summary(),
        total: windows.total.summary(),
      },
    };
  }

  #phases({ phases, compile }: RunReport | JudgeReport): void {
    const { queueMs, acquireMs, compileMs, runMs, verifyMs } = phases;
    const { phaseSeconds, queueSeconds, acquireSeconds } = this.#metrics;
    queueSeconds.observe(queueMs / 1000);
    acquireSeconds.observe({ start: phases.acquire }, acquireMs / 1000);
    const note = (phase: Phase | 'total', ms: number): void => {
      this.#windows[phase].add(ms);
      if (phase !== 'total') phaseSeconds.observe({ phase }, ms / 1000);
    };
    note('queue', queueMs);
    note('acquire', acquireMs);
    if (compile !== null) note('compile', compileMs);
    note('run', runMs);
    note('verify', verifyMs);
    note('total', queueMs + acquireMs + compileMs + runMs + verifyMs);
  }
}

function createMetrics(registry: Registry, tenants: RecentCounts<ResultClass>) {
  const registers = [registry];
  return {
    tenants: new Counter({
      name: 'assay_tenant_submissions_total',
      help: 'Submissions answered, by tenant and by how they ended; tenants not seen lately are `other`.',
      labelNames: ['tenant', 'class'],
      registers,
      collect() {
        this.reset();
        for (const { name, kind, count } of tenants.entries())
          this.inc({ tenant: name, class: kind }, count);
      },
    }),
    requests: new Counter({
      name: 'assay_http_requests_total',
      help: 'Requests answered, by surface, pattern of the route, method and status.',
      labelNames: ['surface', 'route', 'method', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'From a request’s headers to the end of its answer.',
      labelNames: ['surface', 'route'],
      buckets: SECONDS,
      registers,
    }),
    submissions: new Counter({
      name: 'assay_submissions_total',
      help: 'Submissions answered: `result` is the verdict, or of a plain run the outcome; `class` passed, failed or fault.',
      labelNames: ['kind', 'language', 'result', 'class'],
      registers,
    }),
    faults: new Counter({
      name: 'assay_faults_total',
      help: 'Failures of the service, those that a second try mended included.',
      labelNames: ['code'],
      registers,
    }),
    queueSeconds: new Histogram({
      name: 'assay_queue_wait_seconds',
      help: 'How long submissions waited for a slot.',
      buckets: SECONDS,
      registers,
    }),
    acquireSeconds: new Histogram({
      name: 'assay_acquire_seconds',
      help: 'How long a jail was waited for, where one was ready (warm) and where one had to be made (cold).',
      labelNames: ['start'],
      buckets: SECONDS,
      registers,
    }),
    phaseSeconds: new Histogram({
      name: 'assay_submission_phase_seconds',
      help: 'Where the time of submissions goes; `compile` only of those that compile.',
      labelNames: ['phase'],
      buckets: SECONDS,
      registers,
    }),
  };
}

function resultOf(report: RunReport | JudgeReport): string {
  if (report.kind === 'judge') return report.verdict;
  return report.outcome?.kind ?? 'fault';
}

function classOf(report: RunReport | JudgeReport): ResultClass {
  if (report.fault !== null) return 'fault';
  const hasPassed =
    report.kind === 'judge'
      ? report.verdict === 'accepted'
      : report.outcome?.kind === 'exited' && report.outcome.exitCode === 0;
  return hasPassed ? 'passed' : 'failed';
}
