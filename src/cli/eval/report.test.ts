/** Counts, kinds of failure and the page: programs write much of what is in them, and must not be able to write the page. */
import { describe, expect, it } from 'vitest';

import { describeProgress } from './progress.ts';
import { sha256 } from './digest.ts';
import { failureKind, type FailureFacts } from './failure-kind.ts';
import { renderReport } from './report.ts';
import type { ResultRow } from './results-file.ts';
import { Accumulator } from './summary.ts';

const EVIL = `</pre></details><script>alert(1)</script><img src=x onerror="a()">'&\u0000\u001B[31m`;

const rowOf = (line: number, given: Partial<ResultRow> = {}): ResultRow => ({
  key: sha256(String(line)),
  line,
  task_id: 'a',
  verdict: 'accepted',
  reward: 1,
  kind: null,
  ...{ passed: 1, total: 1, cpu_ms: 3, wall_ms: 4, memory_bytes: 5 * 1024 * 1024 },
  message: '',
  fault: null,
  tries: 1,
  ...given,
});
const failed = (line: number, given: Partial<ResultRow> = {}): ResultRow =>
  rowOf(line, { verdict: 'wrong_answer', kind: 'wrong_answer', reward: 0, ...given });
const faulted = (line: number, given: Partial<ResultRow> = {}): ResultRow =>
  rowOf(line, { verdict: 'fault', kind: 'fault: jail_died', reward: null, cpu_ms: null, ...given });

function summaryOf(rows: readonly ResultRow[], ks = [1]) {
  const all = new Accumulator();
  for (const row of rows) all.add(row);
  return { all, summary: all.summary({ ks, read: rows.length, known: null }) };
}

describe('Accumulator', () => {
  it('keeps faults and refusals out of every figure but their own', () => {
    const { summary } = summaryOf(
      [
        ...[rowOf(1), failed(2), faulted(3)],
        ...[
          faulted(4, { task_id: 'b' }),
          rowOf(5, { task_id: 'c', verdict: 'refused', reward: null }),
        ],
      ],
      [1, 2, 3],
    );
    expect(summary).toMatchObject({
      samples: { read: 5, judged: 2, right: 1 },
      unjudged: { faults: 2, refused: 1 },
      problems: { judged: 1, solved: 1 },
      verdicts: { accepted: 1, wrong_answer: 1 },
      pass_at_k: [
        { k: 1, value: 0.5, problems: 1, too_few: 1 },
        { k: 2, value: 1, problems: 1, too_few: 1 },
        { k: 3, value: null, problems: 0, too_few: 2 },
      ],
    });
    expect(summary.without_reward.map(({ line }) => line)).toEqual([3, 4, 5]);
  });

  it('holds a bounded number of kinds and of failures to show, and loses no count', () => {
    const rows = Array.from({ length: 2000 }, (_, line) =>
      failed(line, { task_id: String(line % 50), kind: `runtime_error: E${line % 200}` }),
    );
    const { all, summary } = summaryOf(rows);
    expect(all.shown.length).toBe(500);
    expect(all.failed).toBe(2000);
    expect(summary.failure_kinds.length).toBeLessThanOrEqual(61);
    expect(summary.failure_kinds.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
    expect(summary.cpu_ms).toMatchObject({ bins: [{ below: 5, count: 2000 }], max: 3, mean: 3 });
    const { all: few } = summaryOf(Array.from({ length: 60 }, (_, line) => failed(line)));
    expect(few.shown.length).toBe(20);
  });
});

describe('failureKind', () => {
  const facts: FailureFacts = {
    verdict: 'runtime_error',
    ...{ message: '', stderr: '', limit: null, signal: null, exitCode: null },
  };
  it.each<[Partial<FailureFacts>, string]>([
    [
      { stderr: "Traceback …\n  File …\nNameError: name 'x' is not defined\n" },
      'runtime_error: NameError',
    ],
    [{ message: 'File "x", line 1\nSyntaxError: no' }, 'runtime_error: SyntaxError'],
    [
      { stderr: 'A: 1\nKeyError: 1\n\nDuring handling …\n\na.b.MyError\n' },
      'runtime_error: MyError',
    ],
    [
      { stderr: 'Exception in thread "main" java.lang.NullPointerException: no\n\tat Main' },
      'runtime_error: NullPointerException',
    ],
    [{ stderr: 'Uncaught TypeError: x' }, 'runtime_error: TypeError'],
    [{ signal: 11, stderr: 'I think of NameError: often' }, 'runtime_error: SIGSEGV'],
    [{ signal: 35 }, 'runtime_error: signal 35'],
    [{ exitCode: 3 }, 'runtime_error: exit code 3'],
    [{}, 'runtime_error'],
    [{ verdict: 'time_limit', limit: 'wall' }, 'time_limit: wall'],
    [
      { verdict: 'wrong_answer', message: 'output is empty, 1 token expected' },
      'wrong_answer: no output',
    ],
    [{ verdict: 'wrong_answer', message: 'AssertionError in: …' }, 'wrong_answer'],
    [{ verdict: 'no_code', message: 'x' }, 'no_code'],
  ])('reads %j', (given, kind) => {
    expect(failureKind({ ...facts, ...given })).toBe(kind);
  });

  it('is quick with texts made to be slow', () => {
    const stderr = 'a.'.repeat(50_000) + '\n' + 'A'.repeat(100_000);
    expect(failureKind({ ...facts, stderr, exitCode: 1 })).toBe('runtime_error: exit code 1');
  });
});

describe('renderReport', () => {
  const evil = failed(2, {
    ...{ task_id: EVIL, kind: `runtime_error: ${EVIL}`, message: EVIL },
    ...{ code: EVIL, stdout: EVIL, stderr: EVIL },
  });
  const { all, summary } = summaryOf([
    rowOf(1),
    evil,
    faulted(3, { task_id: EVIL, message: EVIL }),
  ]);
  const page = renderReport({
    title: EVIL,
    about: [EVIL],
    summary,
    shown: all.shown,
    failed: all.failed,
  });

  it('shows hostile data and executes none, without the network', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<img|onerror="|\u0000|\u001B/);
    expect(page).not.toMatch(/https?:\/\/|url\(|@import|<link|<iframe/);
    expect(page).toContain("default-src 'none'");
    const tags = (name: string, end = '') =>
      page.match(new RegExp(`<${end}${name}[ >]`, 'g'))?.length;
    for (const name of ['details', 'pre', 'svg', 'table', 'figure', 'a', 'main'])
      expect(tags(name), name).toBe(tags(name, '/'));
  });

  it('links kinds and problems to failures that are there', () => {
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(1);
    for (const id of links) expect(page).toContain(`id="${id}"`);
    expect(page).toContain('1 of 1 are shown here');
  });
});

describe('describeProgress', () => {
  it('says how far it is, and how long it will take', () => {
    const counts = { done: 100, right: 80, unjudged: 2, skipped: 20 };
    expect(describeProgress(counts, { total: 500, rate: 4 })).toBe(
      '[#####-------------------] 120 of 500, 80 right, 2 without a reward, 4.0/s, 1:35 left',
    );
    expect(describeProgress({ ...counts, unjudged: 0 }, { total: 0, rate: 0 })).toContain('0 of 0');
  });
});
