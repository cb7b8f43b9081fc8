/** Results as one HTML page that needs nothing else: tables, targets, bar charts as inline SVG, light and dark. Pure. */
import type { Bar, Chart, Check, Row, ScenarioResult } from './scenario.ts';

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

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #667085; --line: #d0d5dd;
  --ours: #1f6feb; --peer: #98a2b3; --good: #1a7f37; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9aa4b2;
  --line: #30363d; --ours: #58a6ff; --peer: #6e7681; --good: #3fb950; --bad: #ff7b72; } }
body { margin: 2rem auto; max-width: 68rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, sans-serif; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
th, .soft { color: var(--soft); font-weight: normal; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: bold; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--ink); }
.ours { fill: var(--ours); } .peer { fill: var(--peer); } .whisker { stroke: var(--ink); stroke-width: 1.5; }
`;

/** The whole document. */
export function renderPage({ about, sections }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay: benchmark</title>
<style>${STYLE}</style>
<h1>Assay: benchmark</h1>
${about.map((line) => `<p class="soft">${escapeText(line)}</p>`).join('\n')}
<h2>Targets</h2>
${renderChecks(sections)}
${sections.map(renderSection).join('\n')}
</html>
`;
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

const WIDTH = 900;
const LABELS = 300;
const VALUES = 110;
const ROW = 28;
const BAR = 16;

/** Horizontal bars from zero; the whisker spans the bar's range. */
function renderChart({ title, unit, bars, whiskers }: Chart): string {
  const most = Math.max(...bars.map(({ value, high }) => Math.max(value, high)), Number.MIN_VALUE);
  const scale = (value: number): number => (value / most) * (WIDTH - LABELS - VALUES);
  const height = bars.length * ROW;
  const drawn = bars.map((bar, index) => renderBar(bar, { top: index * ROW, unit, scale }));
  return `<figure><figcaption>${escapeText(title)}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(title)}">
${drawn.join('\n')}
</svg><div class="soft">${escapeText(whiskers)}</div></figure>`;
}

function renderBar(
  { label, value, low, high, isOurs }: Bar,
  place: {
    readonly top: number;
    readonly unit: string;
    readonly scale: (value: number) => number;
  },
): string {
  const { top, unit, scale } = place;
  const middle = top + ROW / 2;
  const at = (x: number): string => (LABELS + x).toFixed(1);
  const end = Math.max(scale(value), scale(high)) + 8;
  const text = `${value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  return [
    `<text x="${LABELS - 10}" y="${middle + 5}" text-anchor="end">${escapeText(label)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'peer'}" x="${LABELS}" y="${middle - BAR / 2}" width="${scale(value).toFixed(1)}" height="${BAR}" rx="2"/>`,
    `<line class="whisker" x1="${at(scale(low))}" x2="${at(scale(high))}" y1="${middle}" y2="${middle}"/>`,
    ...[low, high].map(
      (edge) =>
        `<line class="whisker" x1="${at(scale(edge))}" x2="${at(scale(edge))}" y1="${middle - 4}" y2="${middle + 4}"/>`,
    ),
    `<text x="${at(end)}" y="${middle + 5}">${escapeText(text)}</text>`,
  ].join('\n');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
