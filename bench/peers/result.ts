/** Figures of contenders as a scenario hands them on: table, targets, charts, raw numbers. Pure. */
import { median, spread, summarise } from '../lib/quantiles.ts';
import type { Chart, Check, Row, ScenarioResult } from '../lib/scenario.ts';
import type { ContenderId } from './contender.ts';
import type { Measured } from './measure.ts';
import type { Target } from './programs.ts';

export function toResult(
  measured: readonly Measured[],
  options: { readonly targets: readonly Target[]; readonly notes: readonly string[] },
): ScenarioResult {
  const find = (id: ContenderId): Measured | undefined => measured.find((each) => each.id === id);
  const plain = find('plain');
  const checks: Check[] = [];
  const open: string[] = [];
  for (const target of options.targets) {
    const who = find(target.who);
    const against = target.kind === 'compile' ? who : find(target.against);
    if (who === undefined || against === undefined) open.push(describe(target));
    else checks.push(toCheck(target, who, against));
  }
  return {
    rows: measured.map((each) => toRow(each, plain)),
    checks,
    notes: [
      ...measured.flatMap(servedNote),
      ...options.notes,
      ...open.map((what) => `NOT MEASURED here: ${what}`),
    ],
    charts: toCharts(measured),
    figures: measured,
  };
}

function toRow(measured: Measured, plain: Measured | undefined): Row {
  const { label, rates, latenciesMs, compileMs, runMsPerTest } = measured;
  const { p50, p95, p99 } = summarise(latenciesMs);
  const optional = (values: readonly number[], digits: number): string =>
    values.length === 0 ? '' : median(values).toFixed(digits);
  return {
    label,
    cells: {
      'tests/s': spread(rates, 0),
      '× plain': plain === undefined ? '' : spread(ratios(measured, plain)),
      p50: p50.toFixed(1),
      p95: p95.toFixed(1),
      'p99 ms': p99.toFixed(1),
      'compile ms': optional(compileMs, 1),
      'run ms/test': optional(runMsPerTest, 2),
      submissions: String(latenciesMs.length),
    },
  };
}

/** Rates of `who` in multiples of those of `against`, repeat by repeat. */
function ratios(who: Measured, against: Measured): number[] {
  return who.rates.map((rate, repeat) => rate / (against.rates[repeat] ?? Number.NaN));
}

function describe(target: Target): string {
  if (target.kind === 'rate') return `tests/s of ${target.who}, of ${target.against}`;
  if (target.kind === 'cost') return `time per test of ${target.who}, of ${target.against}`;
  return `compile phase of ${target.who}, median`;
}

function toCheck(target: Target, who: Measured, against: Measured): Check {
  const what = describe(target);
  if (target.kind === 'compile') {
    const ms = median(who.compileMs);
    const goal = `< ${target.belowMs} ms`;
    return { what, target: goal, measured: `${ms.toFixed(1)} ms`, ok: ms < target.belowMs };
  }
  const values = target.kind === 'rate' ? ratios(who, against) : ratios(against, who);
  const value = median(values);
  const common = { what, measured: `${spread(values)} ×` };
  return target.kind === 'rate'
    ? { ...common, target: `≥ ${target.atLeast} ×`, ok: value >= target.atLeast }
    : { ...common, target: `≤ ${target.atMost} ×`, ok: value <= target.atMost };
}

function servedNote({ label, served, latenciesMs }: Measured): string[] {
  const ways = Object.entries(served).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (ways.length === 0) return [];
  const share = (count: number): string => `${((100 * count) / latenciesMs.length).toFixed(0)} %`;
  return [`${label}: ${ways.map(([way, count]) => `${way} ${share(count)}`).join(', ')}`];
}

const isOurs = (id: ContenderId): boolean => id.startsWith('assay');

/** Nothing measured, nothing drawn. */
export function toCharts(measured: readonly Measured[]): Chart[] {
  return measured.length === 0 ? [] : [rateChart(measured), latencyChart(measured)];
}

function rateChart(measured: readonly Measured[]): Chart {
  return {
    title: 'Tests a second (more is better)',
    unit: '/s',
    bars: measured.map(({ id, label, rates }) => {
      const { min, p50, max } = summarise(rates);
      return { label, value: p50, low: min, high: max, isOurs: isOurs(id) };
    }),
    whiskers: 'median of the repeats; whiskers: least and largest',
  };
}

function latencyChart(measured: readonly Measured[]): Chart {
  return {
    title: 'Latency of a submission, ms (less is better)',
    unit: ' ms',
    bars: measured.map(({ id, label, latenciesMs }) => {
      const { p50, p95, p99 } = summarise(latenciesMs);
      return { label, value: p50, low: p95, high: p99, isOurs: isOurs(id) };
    }),
    whiskers: 'median of all submissions; whiskers: p95 and p99',
  };
}
