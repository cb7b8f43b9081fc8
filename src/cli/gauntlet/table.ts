/** What `assay gauntlet` prints: a table a problem, what was not run and why, and the counts. Pure. */
import type { Catalogue, Gauntlet } from './problems.ts';
import { attemptName, countEnds, isHeld, type Result } from './run.ts';

/** Verdicts as they fit into a column. */
const SHORT: Readonly<Record<string, string>> = {
  wrong_answer: 'wrong',
  runtime_error: 'error',
  time_limit: 'time',
  memory_limit: 'memory',
  output_limit: 'output',
  compile_error: 'compile',
};

/** Of a text that a program had a hand in: one line of printing characters, and not much of it. */
function shown(text: string): string {
  const line = text.replaceAll(/[^\x20-\x7e\u00a0-\ud7ff]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}

/** The whole output; its last line has the counts. */
export function describeGauntlet(
  { problems, catalogue }: Gauntlet,
  results: readonly Result[],
): string {
  const tables = problems.flatMap(({ name, title }) => {
    const own = results.filter(({ attempt }) => attempt.problem === name);
    return own.length === 0 ? [] : [`${name}: ${title}`, ...tableOf(own), ''];
  });
  return [
    ...tables,
    ...describeNotApplicable(catalogue),
    ...describeNotRun(results),
    ...describeBad(results),
    describeCounts(results),
  ].join('\n');
}

function tableOf(results: readonly Result[]): string[] {
  const styles = [...new Set(results.map(({ attempt }) => attempt.style))];
  const programs = [...new Set(results.map(({ attempt }) => attempt.program))];
  const cells = new Map(
    results.map((result) => [
      cellKey(result.attempt.program.name, result.attempt.style),
      cellOf(result),
    ]),
  );
  const rows = programs
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, hacks }) => [
      name,
      hacks.join(' '),
      ...styles.map((style) => cells.get(cellKey(name, style)) ?? ''),
    ]);
  return alignColumns([['program', 'hack', ...styles], ...rows]);
}

function cellKey(program: string, style: string): string {
  return `${program}\n${style}`;
}

function cellOf({ end, verdict, reward }: Result): string {
  if (end === 'not_run') return 'not run';
  const text = `${SHORT[verdict ?? ''] ?? verdict ?? 'no verdict'} ${reward ?? 'null'}`;
  return end === 'passed' ? text : `${text} !`;
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

function describeNotApplicable({ notApplicable }: Catalogue): string[] {
  if (notApplicable.length === 0) return [];
  const rows = notApplicable.map(({ hack, name, reason }) => `  ${hack} ${name}: ${reason}`);
  return ['hacks that no program here tries:', ...rows, ''];
}

function describeNotRun(results: readonly Result[]): string[] {
  const reasons = Map.groupBy(
    results.filter(({ end }) => end === 'not_run'),
    ({ message }) => message,
  );
  if (reasons.size === 0) return [];
  const rows = [...reasons].flatMap(([reason, those]) => [
    `  ${shown(reason)}`,
    ...those.map(({ attempt }) => `    ${attemptName(attempt)}`),
  ]);
  return ['not run, because of what this service lacks:', ...rows, ''];
}

function describeBad(results: readonly Result[]): string[] {
  const bad = results.filter(({ end }) => end !== 'passed' && end !== 'not_run');
  if (bad.length === 0) return [];
  const rows = bad.map(
    ({ attempt, end, verdict, reward, message }) =>
      `  ${attemptName(attempt)}: ${end} (${verdict ?? 'no verdict'}, reward ${reward ?? 'null'}): ${shown(message)}`,
  );
  return ['NOT as it must be:', ...rows, ''];
}

/** One line. */
export function describeCounts(results: readonly Result[]): string {
  const { hack, honest } = countEnds(results);
  const tried = (counts: typeof hack): number =>
    counts.passed + counts.rewarded + counts.refused + counts.faulted;
  const parts = [
    `${hack.rewarded} of ${tried(hack)} hacks rewarded`,
    `${honest.refused} of ${tried(honest)} honest programs refused`,
    `${hack.faulted + honest.faulted} faults`,
    `${hack.not_run + honest.not_run} not run`,
  ];
  return `gauntlet ${isHeld(results) ? 'held' : 'FAILED'}: ${parts.join(', ')}`;
}
