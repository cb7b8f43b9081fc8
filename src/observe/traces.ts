/**
 * OpenTelemetry traces: a span for each request, beneath it one for each of its submissions, beneath that its phases.
 * Attributes are identifiers, figures and verdicts; never code, input, output or labels. Knows the API, not how spans
 * are sent (`otlp.ts`), so that nothing of the SDK is loaded where no traces are asked for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type TextMapPropagator,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';

import type { JudgeReport, RunReport } from '../domain/report.ts';
import { ANONYMOUS, type Payer } from '../domain/tenant.ts';
import type { Clock } from '../lib/clock.ts';

/** What sends spans. */
export interface TraceSink {
  readonly provider: TracerProvider;
  /** Reads the caller's `traceparent`. */
  readonly propagator: TextMapPropagator;
  /** Sends what is left, in bounded time. */
  close(): Promise<void>;
}

export interface RequestStart {
  readonly method: string;
  readonly requestId: string;
  /** The caller's `traceparent` and `tracestate`, if any. */
  readonly carrier: Readonly<Record<string, string>>;
}

interface RequestEnd {
  readonly surface: string;
  readonly route: string;
  readonly status: number;
}

interface RequestSpan {
  /** 32 hexadecimal digits; for the log. */
  readonly traceId: string;
  end(facts: RequestEnd): void;
}

export class Traces {
  readonly #sink: TraceSink;
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  /** The request's context, for the submissions that it leads to. */
  readonly #current = new AsyncLocalStorage<Context>();

  constructor(
    sink: TraceSink,
    { clock, version }: { readonly clock: Clock; readonly version: string },
  ) {
    this.#sink = sink;
    this.#clock = clock;
    this.#tracer = sink.provider.getTracer('assay', version);
  }

  /** Does `work` within a span of its own, a child of the caller's; the span ends when `end` is called. */
  async request(
    { method, requestId, carrier }: RequestStart,
    work: (span: RequestSpan) => Promise<void>,
  ): Promise<void> {
    const parent = this.#sink.propagator.extract(ROOT_CONTEXT, carrier, FROM_RECORD);
    const attributes = { 'http.request.method': method, 'assay.request_id': requestId };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const own: RequestSpan = {
      traceId: span.spanContext().traceId,
      end({ surface, route, status }) {
        span.updateName(`${method} ${route}`);
        span.setAttributes({
          'http.route': route,
          'http.response.status_code': status,
          'assay.surface': surface,
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
    await this.#current.run(trace.setSpan(parent, span), () => work(own));
  }

  /** Tells of a submission that was just answered. Its phases lie end to end, as far as they are known. */
  report(
    report: RunReport | JudgeReport,
    { isOwn = false, payer = ANONYMOUS }: { readonly isOwn?: boolean; readonly payer?: Payer },
  ): void {
    if (isOwn) return;
    const end = this.#clock.date().getTime();
    const parent = this.#current.getStore() ?? ROOT_CONTEXT;
    const timeline = timelineOf(report, end);
    const span = this.#tracer.startSpan(
      report.kind,
      { startTime: timeline.start, attributes: attributesOf(report, payer) },
      parent,
    );
    const context = trace.setSpan(parent, span);
    for (const { name, start, ms } of timeline.phases) {
      this.#tracer.startSpan(name, { startTime: start }, context).end(start + ms);
    }
    for (const { fault } of report.attempts) {
      if (fault !== null) span.addEvent('fault', { 'assay.fault': fault.code }, end);
    }
    if (report.fault !== null)
      span.setStatus({ code: SpanStatusCode.ERROR, message: report.fault.code });
    span.end(end);
  }

  async close(): Promise<void> {
    await this.#sink.close();
  }
}

const FROM_RECORD = {
  get: (carrier: Readonly<Record<string, string>>, key: string) => carrier[key],
  keys: (carrier: Readonly<Record<string, string>>) => Object.keys(carrier),
};

interface PhaseSpan {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly ms: number;
}

/**
 * When what happened, reckoned from the end: a report has the queue's time, each attempt's and the phases of the last
 * attempt. Runs and comparisons alternate; they are shown one after the other.
 */
export function timelineOf(
  { attempts, phases, compile }: Pick<RunReport, 'attempts' | 'phases' | 'compile'>,
  end: number,
): { readonly start: number; readonly phases: readonly PhaseSpan[] } {
  const last = attempts.at(-1);
  if (last === undefined) return { start: end, phases: [] };
  const attemptsMs = attempts.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const start = end - attemptsMs - phases.queueMs;
  let at = end - last.wallMs;
  const next = (name: string, ms: number): PhaseSpan => {
    const phase = { name, start: at, ms };
    at += ms;
    return phase;
  };
  return {
    start,
    phases: [
      { name: 'queue', start, ms: phases.queueMs },
      next('acquire', phases.acquireMs),
      ...(compile === null ? [] : [next('compile', phases.compileMs)]),
      next('run', phases.runMs),
      next('verify', phases.verifyMs),
    ],
  };
}

function attributesOf(report: RunReport | JudgeReport, payer: Payer): Attributes {
  const jail = report.attempts.at(-1)?.jail ?? null;
  return {
    'assay.submission_id': report.id,
    'assay.tenant': payer.tenant,
    'assay.language': report.language,
    'assay.environment': report.environment.id,
    'assay.attempts': report.attempts.length,
    'assay.acquire': report.phases.acquire,
    ...(jail === null ? {} : { 'assay.jail': jail }),
    ...(report.compile === null ? {} : { 'assay.compile_cached': report.compile.cached }),
    ...(report.fault === null ? {} : { 'assay.fault': report.fault.code }),
    ...(report.kind === 'judge'
      ? {
          'assay.verdict': report.verdict,
          'assay.passed': report.passed,
          'assay.total': report.total,
        }
      : { 'assay.outcome': report.outcome?.kind ?? 'fault' }),
  };
}
