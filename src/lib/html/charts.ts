/** Charts as inline SVG, in the colours of the page: horizontal bars and histograms. Pure. */
import { escapeText } from './page.ts';

interface ChartBar {
  readonly label: string;
  readonly value: number;
  /** What stands behind the bar. */
  readonly text: string;
  /** Drawn as a whisker; null for none. */
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly isOurs: boolean;
  /** Where the label leads, on the same page. */
  readonly href?: string;
}

interface BarChart {
  readonly title: string;
  readonly bars: readonly ChartBar[];
  /** What bars and whiskers are. */
  readonly note: string;
}

const WIDTH = 900;
const LABELS = 300;
const VALUES = 110;
const ROW = 28;
const BAR = 16;
const LABEL_CHARS_MAX = 42;

/** Horizontal bars from zero. */
export function renderBars({ title, bars, note }: BarChart): string {
  const most = Math.max(
    ...bars.map(({ value, range }) => Math.max(value, range?.high ?? 0)),
    Number.MIN_VALUE,
  );
  const scale = (value: number): number => (value / most) * (WIDTH - LABELS - VALUES);
  const drawn = bars.map((bar, index) => renderBar(bar, index * ROW, scale));
  const isLinked = bars.some(({ href }) => href !== undefined);
  return figure({ title, height: bars.length * ROW, drawn, note, isLinked });
}

interface Figure {
  readonly title: string;
  readonly height: number;
  readonly drawn: readonly string[];
  readonly note: string;
  /** A picture has no links for those who do not see it. */
  readonly isLinked?: boolean;
}

function figure({ title, height, drawn, note, isLinked = false }: Figure): string {
  return `<figure><figcaption>${escapeText(title)}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="${isLinked ? 'group' : 'img'}" aria-label="${escapeText(`${title}. ${note}`)}">
${drawn.join('\n')}
</svg><div class="soft">${escapeText(note)}</div></figure>`;
}

function renderBar(bar: ChartBar, top: number, scale: (value: number) => number): string {
  const { label, value, text, range, isOurs, href } = bar;
  const middle = top + ROW / 2;
  const end = Math.max(scale(value), scale(range?.high ?? 0)) + 8;
  const shown = label.length > LABEL_CHARS_MAX ? `${label.slice(0, LABEL_CHARS_MAX - 1)}…` : label;
  const name = `<text x="${LABELS - 10}" y="${middle + 5}" text-anchor="end">${escapeText(shown)}</text>`;
  return [
    href === undefined ? name : `<a href="${escapeText(href)}">${name}</a>`,
    `<rect class="${isOurs ? 'ours' : 'peer'}" x="${LABELS}" y="${middle - BAR / 2}" width="${scale(value).toFixed(1)}" height="${BAR}" rx="2"/>`,
    ...(range === null ? [] : whisker(scale(range.low), scale(range.high), middle)),
    `<text x="${(LABELS + end).toFixed(1)}" y="${middle + 5}">${escapeText(text)}</text>`,
  ].join('\n');
}

function whisker(low: number, high: number, middle: number): string[] {
  const at = (x: number): string => (LABELS + x).toFixed(1);
  const line = (x1: number, x2: number, y1: number, y2: number): string =>
    `<line class="whisker" x1="${at(x1)}" x2="${at(x2)}" y1="${y1}" y2="${y2}"/>`;
  return [
    line(low, high, middle, middle),
    ...[low, high].map((edge) => line(edge, edge, middle - 4, middle + 4)),
  ];
}

interface Histogram {
  readonly title: string;
  readonly bins: readonly { readonly label: string; readonly count: number }[];
  readonly note: string;
}

const PLOT_HEIGHT = 180;
const PLOT_TOP = 20;
const PLOT_BOTTOM = 24;

/** Columns side by side, with their counts above and their bounds below. */
export function renderHistogram({ title, bins, note }: Histogram): string {
  const most = Math.max(...bins.map(({ count }) => count), 1);
  const step = WIDTH / Math.max(bins.length, 1);
  const base = PLOT_TOP + PLOT_HEIGHT;
  const drawn = bins.flatMap(({ label, count }, index) => {
    const height = (count / most) * PLOT_HEIGHT;
    const middle = ((index + 0.5) * step).toFixed(1);
    return [
      `<rect class="ours" x="${(index * step + 2).toFixed(1)}" y="${(base - height).toFixed(1)}" width="${(step - 4).toFixed(1)}" height="${height.toFixed(1)}"/>`,
      ...(count === 0
        ? []
        : [
            `<text x="${middle}" y="${(base - height - 5).toFixed(1)}" text-anchor="middle">${count}</text>`,
          ]),
      `<text x="${middle}" y="${base + 17}" text-anchor="middle">${escapeText(label)}</text>`,
    ];
  });
  const axis = `<line class="axis" x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"/>`;
  return figure({ title, height: base + PLOT_BOTTOM, drawn: [axis, ...drawn], note });
}
