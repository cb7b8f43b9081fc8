/** Whether traces are asked for, by OpenTelemetry's standard variables. What only its SDK needs, the SDK reads itself. */

export interface TracesConfig {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Share of traces that are kept, 0 … 1. */
  readonly ratio: number;
  /** Whether a caller's decision goes before the share. */
  readonly isParentBased: boolean;
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const PARENT_BASED = 'parentbased_';

/** Null where none are asked for. Throws an error that names the variable which cannot be followed. */
export function tracesConfig(
  environment: Readonly<Record<string, string | undefined>>,
): TracesConfig | null {
  const value = (name: string): string => environment[name]?.trim() ?? '';
  const isAsked = ENDPOINTS.some((name) => value(name) !== '');
  const isOff =
    value('OTEL_SDK_DISABLED').toLowerCase() === 'true' || value('OTEL_TRACES_EXPORTER') === 'none';
  if (!isAsked || isOff) return null;
  return { protocol: protocolOf(value), ...samplerOf(value) };
}

function protocolOf(value: (name: string) => string): TracesConfig['protocol'] {
  const [first, second] = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].map(
    value,
  );
  const asked = first === '' ? second : first;
  if (asked === '') return 'http/protobuf';
  const known = PROTOCOLS.find((each) => each === asked);
  if (known === undefined)
    throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL: only ${PROTOCOLS.join(' and ')} are spoken here`);
  return known;
}

function samplerOf(value: (name: string) => string): Omit<TracesConfig, 'protocol'> {
  const asked = value('OTEL_TRACES_SAMPLER') || 'parentbased_always_on';
  const isParentBased = asked.startsWith(PARENT_BASED);
  const name = isParentBased ? asked.slice(PARENT_BASED.length) : asked;
  if (!SAMPLERS.includes(name)) {
    throw new Error(
      `OTEL_TRACES_SAMPLER: ${SAMPLERS.join(', ')} are known, each also with ${PARENT_BASED} before it`,
    );
  }
  if (name !== 'traceidratio') return { isParentBased, ratio: name === 'always_on' ? 1 : 0 };
  const ratio = Number(value('OTEL_TRACES_SAMPLER_ARG') || 1);
  if (!(ratio >= 0 && ratio <= 1))
    throw new Error('OTEL_TRACES_SAMPLER_ARG: a share from 0 to 1 is expected');
  return { isParentBased, ratio };
}
