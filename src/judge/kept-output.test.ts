/** What is kept of outputs, by detail and verdict, and that the rest can be freed. */
import { describe, expect, it } from 'vitest';

import type { CaseReport } from '../domain/verdict.ts';
import { createOutputKeeper } from './kept-output.ts';

const BOUNDS = { excerptBytes: 4, outputBytes: 10 };

function aReport(verdict: CaseReport['verdict'], stdout: string, stderr = ''): CaseReport {
  return {
    id: '1',
    verdict,
    weight: 1,
    group: null,
    score: 0,
    limit: null,
    message: '',
    outcome: {
      kind: 'exited',
      exitCode: 0,
      signal: null,
      limit: null,
      cpuMs: 1,
      wallMs: 1,
      memoryBytes: 1,
      memorySource: 'cgroup_peak',
      stdout: Buffer.from(stdout),
      stderr: Buffer.from(stderr),
      stdoutBytes: stdout.length,
      stderrBytes: stderr.length,
      stdoutTruncated: false,
      stderrTruncated: false,
      forked: false,
      collected: [],
    },
  };
}

const kept = (report: CaseReport): [string, string] => [
  Buffer.from(report.outcome?.stdout ?? []).toString(),
  Buffer.from(report.outcome?.stderr ?? []).toString(),
];

describe('createOutputKeeper', () => {
  it('keeps nothing for a summary', () => {
    const keeper = createOutputKeeper('summary', BOUNDS);
    expect(kept(keeper.keep(aReport('wrong_answer', 'abcdef', 'gh')))).toEqual(['', '']);
  });

  it('keeps excerpts of failed cases and nothing of accepted ones', () => {
    const keeper = createOutputKeeper('failures', BOUNDS);
    expect(kept(keeper.keep(aReport('accepted', 'abcdef', 'gh')))).toEqual(['', '']);
    expect(kept(keeper.keep(aReport('wrong_answer', 'abcdef', 'gh')))).toEqual(['abcd', 'gh']);
  });

  it('keeps everything for full until the budget of the report is used up', () => {
    const keeper = createOutputKeeper('full', BOUNDS);
    expect(kept(keeper.keep(aReport('accepted', 'abcdef', 'gh')))).toEqual(['abcdef', 'gh']);
    expect(kept(keeper.keep(aReport('accepted', 'ijklmn', 'op')))).toEqual(['ij', '']);
  });

  it('leaves the sizes as they were, which tells what is missing', () => {
    const { outcome } = createOutputKeeper('summary').keep(aReport('accepted', 'abcdef'));
    expect(outcome).toMatchObject({ stdoutBytes: 6, stdoutTruncated: false });
  });

  it('holds no large buffer for a small part of it', () => {
    const report = aReport('wrong_answer', 'x'.repeat(100_000));
    const { outcome } = createOutputKeeper('failures', BOUNDS).keep(report);
    expect(outcome?.stdout.buffer.byteLength).toBe(4);
  });

  it('splits no character', () => {
    const keeper = createOutputKeeper('failures', BOUNDS);
    expect(kept(keeper.keep(aReport('wrong_answer', 'abcé')))).toEqual(['abc', '']);
  });

  it('leaves a case that was not run as it is', () => {
    const report = { ...aReport('not_run', ''), outcome: null };
    expect(createOutputKeeper('full').keep(report)).toBe(report);
  });
});
