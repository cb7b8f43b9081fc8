/** The report of an evaluation as one page: figures, plots, failures with their programs. Everything is escaped. Pure. */
import { renderBars, renderHistogram } from '../../lib/html/charts.ts';
import { escapeText, renderDocument, renderTable } from '../../lib/html/page.ts';
import type { ResultRow } from './results-file.ts';
import type { Bin, Summary } from './summary.ts';

export interface ReportFacts {
  readonly title: string;
  /** Files, settings, dates: a line each. */
  readonly about: readonly string[];
  readonly summary: Summary;
  readonly shown: readonly ResultRow[];
  /** Failures in all. */
  readonly failed: number;
}

const KINDS_DRAWN = 20;

/** The whole document. */
export function renderReport({ title, about, summary, shown, failed }: ReportFacts): string {
  const links = linksTo(shown);
  const body = [
    ...about.map((line) => `<p class="soft">${escapeText(line)}</p>`),
    '<h2>Figures</h2>',
    figures(summary),
    '<h2>pass@k</h2>',
    passAtK(summary),
    '<h2>Why samples failed</h2>',
    kinds(summary, links),
    '<h2>Time and memory</h2>',
    histogram('CPU time of the slowest case', summary.cpu_ms.bins, 'ms'),
    histogram('Peak memory', summary.memory_mb.bins, 'MiB'),
    slowest(summary, links),
    '<h2>Without a reward</h2>',
    withoutReward(summary),
    '<h2 id="failures">Failures</h2>',
    `<p>${shown.length} of ${failed} are shown here; all are in the file of results.</p>`,
    ...shown.map(failure),
  ].join('\n');
  return renderDocument({ title, body });
}

function figures({ samples, unjudged, problems }: Summary): string {
  const share = samples.judged === 0 ? '–' : percent(samples.right / samples.judged);
  const rows: [string, string][] = [
    ['samples read', String(samples.read)],
    ['judged', String(samples.judged)],
    ['right', `${samples.right} (${share} of those judged)`],
    ['faults of the service: no reward, in no figure', String(unjudged.faults)],
    ['refused: could not be judged, in no figure', String(unjudged.refused)],
    ['problems with a judged sample', countOf(problems.judged, problems.known)],
    ['problems with a right sample', String(problems.solved)],
  ];
  return renderTable({ head: ['what', 'figure'], rows: rows.map((row) => row.map(escapeText)) });
}

function countOf(count: number, all: number | null): string {
  return all === null ? String(count) : `${count} of ${all}`;
}

function passAtK({ pass_at_k: estimates }: Summary): string {
  const known = estimates.flatMap(({ k, value }) => (value === null ? [] : [{ k, value }]));
  const chart = renderBars({
    title: 'pass@k',
    note: 'Unbiased estimate (Chen et al. 2021), mean over problems with at least k judged samples.',
    bars: known.map(({ k, value }) => ({
      label: `pass@${k}`,
      value,
      text: percent(value),
      range: null,
      isOurs: true,
    })),
  });
  const table = renderTable({
    head: ['k', 'pass@k', 'problems', 'left out: fewer than k judged samples'],
    rows: estimates.map(({ k, value, problems, too_few: tooFew }) =>
      [k, value === null ? 'cannot be said' : percent(value), problems, tooFew].map((each) =>
        escapeText(String(each)),
      ),
    ),
  });
  return known.length === 0 ? table : `${chart}\n${table}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

interface Links {
  /** The first failure that is shown of a kind, and of a problem; undefined for none. */
  readonly ofKind: ReadonlyMap<string, string>;
  readonly ofProblem: ReadonlyMap<string, string>;
}

function linksTo(shown: readonly ResultRow[]): Links {
  const [ofKind, ofProblem] = [new Map<string, string>(), new Map<string, string>()];
  for (const row of shown.toReversed()) {
    ofKind.set(row.kind ?? row.verdict, `#${anchor(row)}`);
    ofProblem.set(row.task_id, `#${anchor(row)}`);
  }
  return { ofKind, ofProblem };
}

/** Of our own making: a number and a digest, nothing of the sample. */
function anchor({ line, key }: ResultRow): string {
  return `failure-${line}-${key.slice(0, 12)}`;
}

function kinds({ failure_kinds: all }: Summary, { ofKind }: Links): string {
  if (all.length === 0) return '<p>None did.</p>';
  const rest = all.slice(KINDS_DRAWN).reduce((sum, { count }) => sum + count, 0);
  const bars = all.slice(0, KINDS_DRAWN).map(({ kind, count }) => bar(kind, count, ofKind));
  return renderBars({
    title: 'Samples by kind of failure',
    note: `Counts; a name leads to the first failure of its kind.${rest === 0 ? '' : ` ${rest} more of other kinds.`}`,
    bars,
  });
}

function bar(label: string, count: number, links: ReadonlyMap<string, string>) {
  const href = links.get(label);
  return {
    label,
    value: count,
    text: String(count),
    range: null,
    isOurs: true,
    ...(href === undefined ? {} : { href }),
  };
}

function histogram(title: string, bins: readonly Bin[], unit: string): string {
  if (bins.length === 0) return `<p>${escapeText(title)}: nothing was measured.</p>`;
  return renderHistogram({
    title: `${title}, ${unit}`,
    note: `Samples by ${unit}; each column's upper bound is below it.`,
    bins: bins.map(({ below, count }) => ({
      label: below === null ? 'more' : `< ${below}`,
      count,
    })),
  });
}

function slowest({ slowest_problems: problems }: Summary, { ofProblem }: Links): string {
  const rows = problems.map(
    ({ task_id: id, cpu_ms_max: max, cpu_ms_mean: mean, judged, right }) => {
      const href = ofProblem.get(id);
      const name = escapeText(id);
      return [
        href === undefined ? name : `<a href="${href}">${name}</a>`,
        ...[max, mean, judged, right].map(String),
      ];
    },
  );
  return renderTable({
    caption: 'Slowest problems',
    head: ['problem', 'CPU max, ms', 'CPU mean, ms', 'judged', 'right'],
    rows,
  });
}

function withoutReward({ without_reward: listed, unjudged }: Summary): string {
  const all = unjudged.faults + unjudged.refused;
  if (all === 0) return '<p>Every sample was judged.</p>';
  const table = renderTable({
    head: ['line', 'problem', 'why', 'message'],
    rows: listed.map(({ line, task_id: id, kind, message }) =>
      [String(line), id, kind ?? '', message.slice(0, 200)].map(escapeText),
    ),
  });
  return `<p>${listed.length} of ${all}: their reward is null, and they are in none of the figures.</p>\n${table}`;
}

function failure(row: ResultRow): string {
  const { line, task_id: id, verdict, kind, passed, total, message } = row;
  const facts = [
    `line ${line}`,
    `${passed} of ${total} cases passed`,
    ...(row.cpu_ms === null ? [] : [`CPU ${row.cpu_ms} ms`]),
  ].join(', ');
  const texts: readonly [string, string | undefined][] = [
    ['Message', message],
    ['Program', row.code],
    ['Output', row.stdout],
    ['Errors', row.stderr],
  ];
  const parts = texts.flatMap(([name, text]) =>
    text === undefined || text === ''
      ? []
      : [`<h4>${name}</h4><pre tabindex="0">${escapeText(text)}</pre>`],
  );
  // The anchor is inside, so that a link to it opens what is folded.
  return `<details><summary>${escapeText(id)}: ${escapeText(kind ?? verdict)}</summary>
<p class="soft" id="${anchor(row)}">${escapeText(facts)}</p>
${parts.join('\n')}
</details>`;
}
