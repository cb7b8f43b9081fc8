/** When traces are asked for, and what cannot be followed. */
import { describe, expect, it } from 'vitest';

import { ConfigError, loadConfig } from './load.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const tracesOf = (environment: Record<string, string>) => loadConfig({ environment }).traces;

describe('traces', () => {
  it('are off unless there is somewhere to send them', () => {
    expect(tracesOf({})).toBeNull();
    expect(tracesOf({ OTEL_SERVICE_NAME: 'assay' })).toBeNull();
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeNull();
    expect(tracesOf({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(tracesOf({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  });

  it('follow the standard variables', () => {
    const all = { protocol: 'http/protobuf', ratio: 1, isParentBased: true };
    expect(tracesOf(ENDPOINT)).toEqual(all);
    expect(tracesOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1' })).toEqual(all);
    const json = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    expect(tracesOf(json)).toEqual({ ...all, protocol: 'http/json' });
    const some = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(tracesOf({ ...ENDPOINT, ...some })).toEqual({
      ...all,
      ratio: 0.25,
      isParentBased: false,
    });
    const off = { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
    expect(tracesOf(off)).toEqual({ ...all, ratio: 0 });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ])('refuse %s=%s by name', (name, value) => {
    const load = () => tracesOf({ ...ENDPOINT, [name]: value });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
  });

  it('refuse a share that is none', () => {
    const odd = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' };
    expect(() => tracesOf({ ...ENDPOINT, ...odd })).toThrow('OTEL_TRACES_SAMPLER_ARG');
  });
});
