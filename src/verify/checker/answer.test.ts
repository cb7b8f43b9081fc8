/** What checkers' ends mean: a table for each convention, and that no end but a right one is ever a pass. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Outcome } from '../../domain/outcome.ts';
import { BRIDGED, CONVENTIONS, type Checker } from '../../domain/submission.ts';
import { readAnswer } from './answer.ts';
import { aChecker } from './test-checker.ts';

interface End extends Partial<Omit<Outcome, 'stdout' | 'stderr' | 'collected'>> {
  readonly out?: string;
  readonly err?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function anOutcome({ out = '', err = '', files = {}, ...rest }: End): Outcome {
  const stdout = Buffer.from(out);
  const stderr = Buffer.from(err);
  return {
    kind: 'exited',
    exitCode: 0,
    signal: null,
    limit: null,
    cpuMs: 1,
    wallMs: 1,
    memoryBytes: 1,
    memorySource: 'cgroup_peak',
    stdout,
    stderr,
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
    stdoutTruncated: false,
    stderrTruncated: false,
    forked: false,
    collected: Object.entries(files).map(([path, content]) => ({
      path,
      status: 'ok',
      content: Buffer.from(content),
    })),
    ...rest,
  };
}

/** A score, or a part of the reason of a failure. */
function read(given: Partial<Checker>, end: End, weight = 1): number | string {
  const answer = readAnswer(aChecker(given), anOutcome(end), { weight });
  return answer.kind === 'judged' ? answer.score : answer.reason;
}

const SCORE = 'case/feedback/score.txt';
const RESULT = 'case/result.json';
const dmoj = (result: object): End => ({ files: { [RESULT]: JSON.stringify(result) } });

describe('readAnswer', () => {
  it.each<[Partial<Checker>, End, number | string]>([
    [{}, { exitCode: 0 }, 1],
    [{}, { exitCode: 1 }, 0],
    [{}, { exitCode: 2 }, 0],
    [{}, { exitCode: 4 }, 0],
    [{}, { exitCode: 8 }, 0],
    [{}, { exitCode: 3, err: 'FAIL no\n' }, 'exit code 3: FAIL no'],
    [{}, { exitCode: 7, err: 'points 0.5 half\n' }, 0.5],
    [{}, { exitCode: 7, err: 'points 1\n' }, 1],
    [{}, { exitCode: 7, err: 'said 1\npoints 1\n' }, 'no decimal number'],
    [{}, { exitCode: 7, err: 'points 1.5\n' }, 'not within 0 … 1'],
    [{}, { exitCode: 7, err: 'points -0.5\n' }, 'not within 0 … 1'],
    [{}, { exitCode: 7, err: 'points nan\n' }, 'no decimal number'],
    [{}, { exitCode: 7, err: 'points 0x1\n' }, 'no decimal number'],
    [{}, { exitCode: 7, err: 'points 1e999\n' }, 'no decimal number'],
    [{}, { exitCode: 7 }, 'no decimal number'],
    [{ pointsMax: 50 }, { exitCode: 7, err: 'points 25\n' }, 0.5],
    // `_pc(5)` with base 0: no such code is ours to understand.
    [{}, { exitCode: 5 }, 'exit code 5'],
    [{}, { exitCode: 172 }, 'exit code 172'],
    [{}, { exitCode: 1, err: 'Traceback (most recent call last):\n' }, 'uncaught exception'],
    [{}, { exitCode: 1, err: 'wrong\nTraceback (most recent call last):\n' }, 0],

    [{ convention: 'cms' }, { out: '1.0\n' }, 1],
    [{ convention: 'cms' }, { out: '1.0\n0.0\n' }, 1],
    [{ convention: 'cms' }, { out: '0.0' }, 0],
    [{ convention: 'cms' }, { out: ' 0.25 \r\n' }, 0.25],
    [{ convention: 'cms' }, { out: '0.25 1\n' }, 'no decimal number'],
    [{ convention: 'cms' }, { out: '\n1.0\n' }, 'no decimal number'],
    [{ convention: 'cms' }, { out: '' }, 'no decimal number'],
    [{ convention: 'cms' }, { out: '2\n' }, 'not within 0 … 1'],
    [{ convention: 'cms' }, { out: 'inf\n' }, 'no decimal number'],
    [{ convention: 'cms' }, { out: '1.0\n', exitCode: 1 }, 'exit code 1'],

    [{ convention: 'kattis' }, { exitCode: 42 }, 1],
    [{ convention: 'kattis' }, { exitCode: 43 }, 0],
    [{ convention: 'kattis' }, { exitCode: 0 }, 'exit code 0'],
    [{ convention: 'kattis' }, { exitCode: 1 }, 'exit code 1'],
    [{ convention: 'kattis' }, { exitCode: 42, files: { [SCORE]: '1' } }, 'no points_max'],
    [{ convention: 'kattis', pointsMax: 4 }, { exitCode: 42, files: { [SCORE]: '1\n' } }, 0.25],
    [{ convention: 'kattis', pointsMax: 4 }, { exitCode: 42 }, 'wrote no score'],
    [{ convention: 'kattis', pointsMax: 4 }, { exitCode: 43 }, 0],
    [{ convention: 'kattis', pointsMax: 4 }, { exitCode: 43, files: { [SCORE]: '1' } }, 'refused'],

    [{ convention: 'dmoj' }, dmoj({ passed: true, points: null, message: '' }), 1],
    [{ convention: 'dmoj' }, dmoj({ passed: false, points: null, message: '' }), 0],
    [{ convention: 'dmoj' }, dmoj({ passed: null, points: null, message: 'raised' }), 'raised'],
    [{ convention: 'dmoj' }, dmoj({ passed: true, points: '0.5', message: '' }), 0.5],
    [{ convention: 'dmoj', pointsMax: 5 }, dmoj({ passed: true, points: '5', message: '' }), 1],
    [{ convention: 'dmoj' }, dmoj({ passed: false, points: '1', message: '' }), 'gave all points'],
    [{ convention: 'dmoj' }, dmoj({ passed: true, points: 'nan', message: '' }), 'no decimal'],
    [{ convention: 'dmoj' }, dmoj({ passed: 1, points: null, message: '' }), 'no result'],
    [{ convention: 'dmoj' }, dmoj({ passed: true }), 'no result'],
    [{ convention: 'dmoj' }, { files: { [RESULT]: '[' } }, 'no result'],
    [{ convention: 'dmoj' }, { exitCode: 0 }, 'no result'],
    [
      { convention: 'dmoj' },
      { ...dmoj({ passed: true, points: null, message: '' }), exitCode: 1 },
      'exit code 1',
    ],

    [{ convention: 'dmoj_bridged' }, { exitCode: 0 }, 1],
    [{ convention: 'dmoj_bridged' }, { exitCode: 1 }, 0],
    [{ convention: 'dmoj_bridged' }, { exitCode: 2 }, 'exit code 2'],
    [{ convention: 'dmoj_bridged', bridged: 'testlib' }, { exitCode: 2 }, 0],
    [{ convention: 'dmoj_bridged', bridged: 'testlib' }, { exitCode: 3 }, 'exit code 3'],
    [
      { convention: 'dmoj_bridged', bridged: 'testlib', pointsMax: 10 },
      { exitCode: 7, err: 'x\npoints 5\n' },
      0.5,
    ],
    [
      { convention: 'dmoj_bridged', bridged: 'testlib', pointsMax: 10 },
      { exitCode: 7, err: 'points 5\npoints 10\n' },
      'more than once',
    ],
    [
      { convention: 'dmoj_bridged', bridged: 'testlib', pointsMax: 10 },
      { exitCode: 7, err: 'points 0.5\n' },
      'no decimal number',
    ],
    [{ convention: 'dmoj_bridged', bridged: 'coci' }, { exitCode: 7, err: 'partial 1/4' }, 0.25],
    [
      { convention: 'dmoj_bridged', bridged: 'coci' },
      { exitCode: 7, err: 'partial 1/0' },
      'no dec',
    ],
    [
      { convention: 'dmoj_bridged', bridged: 'coci' },
      { exitCode: 7, err: 'partial 5/4' },
      'not wi',
    ],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 0 }, 1],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 1 }, 0],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 1, out: 'a\n1\n2\n' }, 0.5],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 0, out: '0\n2\n' }, 1],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 0, out: '3\n2\n' }, 'not within'],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, { exitCode: 7 }, 'exit code 7'],

    [{ convention: 'python_file' }, { out: ' 1\n' }, 1],
    [{ convention: 'python_file' }, { out: '1 00' }, 1],
    [{ convention: 'python_file' }, { out: '1.0' }, 0],
    [{ convention: 'python_file' }, { out: 'True' }, 0],
    [{ convention: 'python_file' }, { out: '' }, 0],
    [{ convention: 'python_file' }, { out: '1', exitCode: 2 }, 'exit code 2'],
  ])('%j, %j: %s', (given, end, expected) => {
    const found = read(given, end);
    if (typeof expected === 'number') expect(found).toBe(expected);
    else expect(found).toContain(expected);
  });

  it('counts points of DMOJ by the weight of the case, unless a maximum is given', () => {
    const half = dmoj({ passed: true, points: '5', message: '' });
    expect(read({ convention: 'dmoj' }, half, 10)).toBe(0.5);
    expect(read({ convention: 'dmoj', pointsMax: 20 }, half, 10)).toBe(0.25);
  });

  it.each(CONVENTIONS)(
    '%s: what a limit or a signal ended is a failure, whatever it wrote',
    (convention) => {
      const said: End = { out: '1\n1\n', err: 'points 1\n', files: { [SCORE]: '1' } };
      for (const bridged of BRIDGED) {
        for (const end of [
          { kind: 'signalled', signal: 11, exitCode: null },
          { kind: 'time_limit', limit: 'cpu', exitCode: 0 },
          { kind: 'output_limit', limit: 'output', exitCode: 42 },
          { kind: 'memory_limit', limit: 'memory', exitCode: null },
        ] as const) {
          expect(read({ convention, bridged }, { ...said, ...end })).toBeTypeOf('string');
        }
      }
    },
  );

  it('never throws, and a score is always within 0 … 1 and finite', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CONVENTIONS),
        fc.constantFrom(...BRIDGED),
        fc.constantFrom(0, 1, 2, 3, 7, 42, 43, 255),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.option(fc.double({ min: 1e-6, max: 1e9, noNaN: true })),
        (convention, bridged, exitCode, out, text, pointsMax) => {
          const files = { [SCORE]: text, [RESULT]: text };
          const end = { exitCode, out, err: text, files };
          const found = read({ convention, bridged, pointsMax }, end);
          if (typeof found === 'string') return;
          expect(found).toBeGreaterThanOrEqual(0);
          expect(found).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('keeps messages short and printable', () => {
    const err = `wrong \u0007${'x'.repeat(1000)}\nmore`;
    const answer = readAnswer(aChecker(), anOutcome({ exitCode: 1, err }), { weight: 1 });
    const message = answer.kind === 'judged' ? answer.message : '';
    expect(message).toMatch(/^wrong \\x07x+…$/);
    expect(message.length).toBeLessThan(300);
  });
});
