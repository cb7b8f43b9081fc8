/** Rules on a file's text: its length, its opening paragraph, reasons for switched-off rules, issues for TODOs. */
import type { Source } from './source.ts';

/** Lines a TypeScript file may have. */
export const FILE_LINES_MAX = 400;

/** What is wrong with the file's text, one line each. */
export function checkText(source: Source): string[] {
  const findings: string[] = [];
  const lines = source.text.replace(/\n$/, '').split('\n').length;
  if (lines > FILE_LINES_MAX) {
    findings.push(`${source.path} has ${lines} lines, more than ${FILE_LINES_MAX}`);
  }
  if (!/^(?:#!.*\n)?\/\*\*/.test(source.text)) {
    findings.push(`${source.path}:1 does not start with a paragraph on what it owns`);
  }
  for (const comment of source.comments) {
    const at = `${source.path}:${comment.line}`;
    if (/^\s*(?:oxlint|eslint)-disable/.test(comment.text) && !/ -- \S/.test(comment.text)) {
      findings.push(`${at} switches a rule off without a reason ("-- reason")`);
    }
    if (/^\s*@ts-(?:ignore|nocheck|expect-error)\s*$/.test(comment.text)) {
      findings.push(`${at} silences the compiler without a reason`);
    }
    if (/\b(?:TODO|FIXME|XXX)\b/.test(comment.text) && !/#\d+/.test(comment.text)) {
      findings.push(`${at} has a TODO that names no issue ("#12")`);
    }
  }
  return findings;
}
