/**
 * What lies in deploy/ fits the service: metrics, settings and paths that are named there exist, and what is promised of
 * the manifests holds. `npm run lint:deploy` looks at their form.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';

import { CONFIG_KEYS, environmentName } from '../../src/config/schema.ts';
import { createTestApp } from '../../src/http/test-support/scripted-service.ts';
import { projectFile } from '../support/project.ts';

const DEPLOY = projectFile('deploy');
const read = (name: string) => readFileSync(path.join(DEPLOY, name), 'utf8');
const files = (pattern: string) => globSync(pattern, { cwd: DEPLOY }).toSorted();

/** Values of a key anywhere in plain data. */
function valuesOf(data: unknown, key: string): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]: [string, unknown]) =>
    name === key && typeof value === 'string' ? [value] : valuesOf(value, key),
  );
}

const BOARD = JSON.parse(read('grafana/assay.json')) as unknown;
const ALERTS = parse(read('prometheus/alerts.yaml')) as unknown;
const ADAPTER = parse(read('prometheus/adapter-rules.yaml')) as unknown;
const EXPRESSIONS = [
  ...valuesOf(BOARD, 'expr'),
  ...valuesOf(BOARD, 'query'),
  ...valuesOf(ALERTS, 'expr'),
  ...valuesOf(ADAPTER, 'seriesQuery'),
  ...valuesOf(ADAPTER, 'metricsQuery'),
];

const PROMTOOL = 'promtool';
const withoutPromtool = spawnSync(PROMTOOL, ['--version']).status !== 0;
const WITHOUT = 'promtool is not on PATH (Debian: apt-get install prometheus)';

function promtool(args: readonly string[]): string {
  const done = spawnSync(PROMTOOL, args, { cwd: path.join(DEPLOY, 'prometheus') });
  return done.status === 0 ? '' : `${String(done.stdout)}${String(done.stderr)}`;
}

describe('metrics', () => {
  it('that boards, alerts and the autoscaler look at are those of /metrics', async () => {
    const text = await (await createTestApp().app.request('/metrics')).text();
    const known = new Set<string>();
    for (const [, name = '', kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      known.add(name);
      if (kind === 'histogram')
        for (const end of ['bucket', 'sum', 'count']) known.add(`${name}_${end}`);
    }
    const named = EXPRESSIONS.flatMap(
      (each) => each.match(/\b(?:assay|process|nodejs)_[a-z_]+/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('are asked for by labels that they have', async () => {
    const { app, deps } = createTestApp();
    expect(deps.observed.registry.getSingleMetric('assay_faults_total')).toBeDefined();
    await app.request('/metrics');
    const labels = EXPRESSIONS.flatMap((each) => [
      ...each.matchAll(/\b(assay_[a-z_]+)\{([^}]*)\}/g),
    ]).flatMap(([, name = '', inside = '']) =>
      [...inside.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => ({ name, label })),
    );
    /** What Prometheus adds. */
    const added = ['instance', 'job', 'namespace', 'pod', 'le'];
    const wrong = labels.filter(({ name, label = '' }) => {
      const metric = deps.observed.registry.getSingleMetric(
        name.replace(/_(?:bucket|sum|count)$/, ''),
      ) as { readonly labelNames?: readonly string[] } | undefined;
      return !added.includes(label) && metric?.labelNames?.includes(label) !== true;
    });
    expect(labels.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  it('are asked for in words that Prometheus understands', (context) => {
    context.skip(withoutPromtool, WITHOUT);
    const rules = [...valuesOf(BOARD, 'expr'), ...valuesOf(ADAPTER, 'metricsQuery')].map(
      (expression, index) => ({
        record: `board:${index}`,
        expr: expression
          .replaceAll('$__rate_interval', '5m')
          .replaceAll('<<.Series>>', 'assay_queue_wait_seconds_bucket')
          .replaceAll('<<.LabelMatchers>>', 'namespace="assay"')
          .replaceAll('<<.GroupBy>>', 'pod'),
      }),
    );
    const text = stringify({ groups: [{ name: 'board', rules }] });
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-deploy-'));
    const file = path.join(folder, 'board.yaml');
    writeFileSync(file, text);
    expect(promtool(['check', 'rules', file])).toBe('');
    rmSync(folder, { recursive: true });
  });

  it('raise the alerts that they should', (context) => {
    context.skip(withoutPromtool, WITHOUT);
    expect(promtool(['check', 'rules', 'alerts.yaml'])).toBe('');
    expect(promtool(['test', 'rules', 'alerts.test.yaml'])).toBe('');
  });

  it('of each alert are played', () => {
    const tested = valuesOf(parse(read('prometheus/alerts.test.yaml')), 'alertname');
    expect(tested.toSorted()).toEqual(valuesOf(ALERTS, 'alert').toSorted());
  });
});

describe('settings', () => {
  it('that are given exist', () => {
    const known = new Set(CONFIG_KEYS.map(environmentName));
    const texts = files('**/*.{yaml,md}').map(read);
    const given = [...texts, read('docker/Dockerfile')].flatMap(
      (text) => text.match(/\bASSAY_[A-Z_]*[A-Z]/g) ?? [],
    );
    expect(given).toContain('ASSAY_STATE_DIR');
    expect([...new Set(given)].filter((name) => !known.has(name))).toEqual([]);
  });
});

interface Container {
  readonly securityContext: {
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
  readonly resources: { readonly requests: Resources; readonly limits: Resources };
  readonly env: readonly { readonly name: string; readonly value: string }[];
}
interface Resources {
  readonly cpu: string;
  readonly memory: string;
}

describe('manifests', () => {
  const documents = files('kubernetes/*/*.yaml').flatMap((name) =>
    parseAllDocuments(read(name)).map((each) => each.toJS() as Record<string, unknown>),
  );
  const of = (kind: string): never => {
    const found = documents.find((each) => each['kind'] === kind);
    if (found === undefined) throw new Error(`no ${kind}`);
    return found['spec'] as never;
  };
  const deployment: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly hostUsers: boolean;
        readonly automountServiceAccountToken: boolean;
        readonly terminationGracePeriodSeconds: number;
      };
    };
  } = of('Deployment');
  const { containers, ...pod } = deployment.template.spec;

  it('deny all that goes out', () => {
    expect(of('NetworkPolicy')).toMatchObject({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      egress: [],
    });
  });

  it('give a pod no token, no rights on the node, and whole cores', () => {
    expect(pod).toMatchObject({ hostUsers: false, automountServiceAccountToken: false });
    const [container] = containers;
    expect(container?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.resources.requests.cpu).toMatch(/^\d+$/);
    expect(container?.resources.requests.cpu).toBe(container?.resources.limits.cpu);
    expect(container?.resources.requests.memory).toBe(container?.resources.limits.memory);
  });

  it('leave more time to end than the service takes', () => {
    const drain = containers[0]?.env.find(({ name }) => name === 'ASSAY_DRAIN_MS');
    expect(Number(drain?.value)).toBeGreaterThan(0);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(drain?.value) + 10_000);
  });

  it('scale by a metric that the adapter makes', () => {
    const made = valuesOf(ADAPTER, 'as');
    const [{ pods }] = (of('HorizontalPodAutoscaler') as { readonly metrics: [{ pods: unknown }] })
      .metrics;
    expect(pods).toMatchObject({ metric: { name: made[0] } });
  });

  it('look at paths that are served', async () => {
    const { app } = createTestApp();
    const paths = [
      ...valuesOf(of('Deployment'), 'path'),
      ...valuesOf(of('Deployment'), 'prometheus.io/path'),
    ];
    expect(new Set(paths)).toEqual(new Set(['/healthz', '/readyz', '/metrics']));
    for (const each of paths) expect((await app.request(each)).status, each).toBe(200);
  });
});

describe('the image', () => {
  const lines = read('docker/Dockerfile').split('\n');

  it('is of a named release, and its service is not root', () => {
    expect(lines.find((line) => line.startsWith('ARG BASE='))).toMatch(
      /^ARG BASE=debian:\d+\.\d+-slim$/,
    );
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER 10001:10001');
  });

  it('takes only what there is', () => {
    const copied = lines.flatMap(
      (line) => /^COPY (?!--)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    );
    expect(copied).toContain('src');
    expect(copied.filter((each) => globSync(each, { cwd: projectFile() }).length === 0)).toEqual(
      [],
    );
  });

  it('is published to this machine alone by the compose file', () => {
    const compose = parse(read('docker/compose.yaml')) as {
      readonly services: Record<
        string,
        { readonly ports?: readonly string[]; readonly cap_drop: unknown }
      >;
    };
    const { assay, ...others } = compose.services;
    expect(assay?.ports).toEqual(['127.0.0.1:8080:8080']);
    for (const each of Object.values(others)) expect(each.ports).toBeUndefined();
    for (const each of Object.values(compose.services)) expect(each.cap_drop).toEqual(['ALL']);
  });
});
