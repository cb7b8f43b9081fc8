/** Results as one HTML page that needs nothing else: tables, targets, bar charts as inline SVG, light and dark. Pure. */
import { renderBars } from '../../src/lib/html/charts.ts';
import { escapeText, renderDocument } from '../../src/lib/html/page.ts';
import type { Chart, Check, Row, ScenarioResult } from './scenario.ts';

/** A scenario that has run. */
interface PageSection {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly result: ScenarioResult | null;
  readonly error: string | null;
}

export interface PageFacts {
  /** The machine, the date, what one must be warned of: a line each. */
  readonly about: readonly string[];
  readonly sections: readonly PageSection[];
}

/** The whole document. */
export function renderPage({ about, sections }: PageFacts): string {
  const lines = about.map((line) => `<p class="soft">${escapeText(line)}</p>`).join('\n');
  const body = `${lines}
<h2>Targets</h2>
${renderChecks(sections)}
${sections.map(renderSection).join('\n')}`;
  return renderDocument({ title: 'Assay: benchmark', body });
}

function renderChecks(sections: readonly PageSection[]): string {
  const row = (name: string, { what, target, measured, ok }: Check): string =>
    `<tr><td><a href="#${name}">${name}</a><td>${escapeText(what)}<td>${escapeText(target)}<td>${escapeText(measured)}<td>${
      ok ? '<span class="good">met</span>' : '<span class="bad">MISSED</span>'
    }`;
  const rows = sections.flatMap(({ name, result, error }) =>
    error === null
      ? (result?.checks ?? []).map((check) => row(name, check))
      : [`<tr><td>${name}<td colspan="3">ended with an error<td><span class="bad">FAILED</span>`],
  );
  const head = '<tr><th>scenario<th>what<th>target<th>measured<th>';
  return `<div class="scroll"><table>${head}${rows.join('\n')}</table></div>`;
}

function renderSection({ name, title, seconds, result, error }: PageSection): string {
  const body =
    result === null
      ? `<p class="bad">${escapeText(error ?? 'no result')}</p>`
      : [
          ...(result.charts ?? []).map(renderChart),
          renderRows(result.rows),
          `<ul class="soft">${result.notes.map((note) => `<li>${escapeText(note)}`).join('')}</ul>`,
        ].join('\n');
  return `<h2 id="${name}">${escapeText(title)}</h2>
<p class="soft">${name}, ${seconds.toFixed(1)} s</p>
${body}`;
}

function renderRows(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.cells)))];
  const head = `<tr><th>${names.map((name) => `<th>${escapeText(name)}`).join('')}`;
  const lines = rows.map(
    ({ label, cells }) =>
      `<tr><td>${escapeText(label)}${names.map((name) => `<td>${escapeText(cells[name] ?? '')}`).join('')}`,
  );
  return rows.length === 0
    ? ''
    : `<div class="scroll"><table>${head}${lines.join('\n')}</table></div>`;
}

/** Horizontal bars from zero; the whisker spans the bar's range. */
function renderChart({ title, unit, bars, whiskers }: Chart): string {
  return renderBars({
    title,
    note: whiskers,
    bars: bars.map(({ label, value, low, high, isOurs }) => ({
      label,
      value,
      text: `${value.toFixed(value < 10 ? 2 : 0)}${unit}`,
      range: { low, high },
      isOurs,
    })),
  });
}
