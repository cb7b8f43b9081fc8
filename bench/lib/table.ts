/** Plain text tables: columns in order of first appearance, text left, numbers right. Pure. */
import type { Row } from './scenario.ts';

const GAP = '  ';

/** One line a row under a head; an empty list gives no lines. */
export function renderTable(rows: readonly Row[], first = ''): string[] {
  if (rows.length === 0) return [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.cells)))];
  const head = [first, ...names];
  const body = rows.map((row) => [row.label, ...names.map((name) => row.cells[name] ?? '')]);
  const lines = [head, ...body];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => width(line[column]))));
  const isNumeric = head.map((_, column) =>
    body.every((line) => /^(?:[-−≤≥<>]?\s?[\d.]|$)/.test(line[column] ?? '')),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column] ?? 0, isNumeric[column] === true))
      .join(GAP)
      .trimEnd(),
  );
}

function width(cell: string | undefined): number {
  return cell === undefined ? 0 : [...cell].length;
}

function pad(cell: string, to: number, isRight: boolean): string {
  const fill = ' '.repeat(to - width(cell));
  return isRight ? fill + cell : cell + fill;
}
