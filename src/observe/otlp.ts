/**
 * Sends traces by OTLP over HTTP with OpenTelemetry's own SDK. Loaded only when traces are asked for. Where to, headers,
 * time-outs and compression are the standard variables `OTEL_EXPORTER_OTLP_…`, which the SDK reads itself.
 */
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';

import type { Clock } from '../lib/clock.ts';
import type { TraceSink } from './traces.ts';

export interface OTLPOptions {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Share of traces that are kept, 0 … 1. */
  readonly ratio: number;
  /** Whether a caller's decision goes before the share. */
  readonly isParentBased: boolean;
  readonly version: string;
  readonly clock: Clock;
  /** Told when spans could not be sent, once until some could be again. */
  readonly onFailure: (error: Error | undefined) => void;
}

/** Nobody waits for a collector that does not answer, when the service ends. */
const CLOSE_MS = 3000;

/** At most 2048 spans wait to be sent; what comes beyond is dropped. */
export async function openOTLP(options: OTLPOptions): Promise<TraceSink> {
  const service = { 'service.name': 'assay', 'service.version': options.version };
  const resource = defaultResource()
    .merge(resourceFromAttributes(service))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = tellingOfFailures(await createExporter(options.protocol), options.onFailure);
  const provider = new TracerProvider({
    resource,
    sampler: toSampler(options),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    provider,
    propagator: new W3CTraceContextPropagator(),
    async close() {
      const sent = provider.shutdown().catch(() => {
        // `onFailure` was told.
      });
      await Promise.race([sent, options.clock.sleep(CLOSE_MS)]);
    },
  };
}

async function createExporter(protocol: OTLPOptions['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

function tellingOfFailures(
  exporter: SpanExporter,
  onFailure: OTLPOptions['onFailure'],
): SpanExporter {
  let isFailing = false;
  return {
    export(spans, callback) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) onFailure(result.error);
        isFailing = hasFailed;
        callback(result);
      });
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  };
}

function toSampler({ ratio, isParentBased }: OTLPOptions): Sampler {
  const own = ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root: own }) : own;
}
