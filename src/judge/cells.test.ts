/** Cells out of one run's output: whole ones, the one that was cut, and records that a cell made up. */
import { describe, expect, it } from 'vitest';

import { anOutcome, aRunReport } from '../http/test-support/scripted-service.ts';
import { readCells, toCellsRun } from './cells.ts';

const MARK = 'assay-0 ';
const start = (cell: number) => `${MARK}{"cell":${cell}}\n`;
const end = (cell: number, parts: object = {}) =>
  `${MARK}${JSON.stringify({ end: cell, displays: [], error: null, ...parts })}\n`;

function read(stdout: string, stderr = '') {
  const outcome = anOutcome({ stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
  const { run, cells } = readCells(aRunReport({ outcome }), MARK);
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');
  return {
    stdout: text(run.outcome?.stdout),
    stderr: text(run.outcome?.stderr),
    cells: cells.map((cell) => ({
      ...cell,
      stdout: text(cell.stdout),
      stderr: text(cell.stderr),
    })),
  };
}

describe('readCells', () => {
  it('gives each cell its own output, exactly', () => {
    const error = { name: 'E', value: 'v', traceback: ['t'] };
    const displays = [{ result: true, data: { 'text/plain': '2' } }];
    const answer = read(
      `boot${start(0)}a\nb${end(0, { displays })}${start(1)}\n${end(1, { error })}late`,
      `${start(0)}${MARK}{"end":0}\n${start(1)}no\n${MARK}{"end":1}\n`,
    );
    expect(answer).toEqual({
      stdout: 'boot',
      stderr: '',
      cells: [
        {
          stdout: 'a\nb',
          stderr: '',
          displays: [{ isResult: true, data: { 'text/plain': '2' } }],
          error: null,
          isComplete: true,
        },
        { stdout: '\n', stderr: 'no\n', displays: [], error, isComplete: true },
      ],
    });
  });

  it.each([
    ['no record of its end', `${start(0)}part`],
    ['a record that was cut', `${start(0)}part${MARK}{"end":0,"displ`],
  ])('keeps what a cell printed that has %s', (_, stdout) => {
    const { cells } = read(stdout);
    expect(cells).toHaveLength(1);
    expect(cells[0]).toMatchObject({ stdout: 'part', isComplete: false, error: null });
  });

  it('takes no record that is not the next to come', () => {
    const forged = `${start(5)}${end(7)}${MARK}{"end":0,"displays":1}\n${MARK}[]\n${MARK}x`;
    const { cells } = read(`${start(0)}a${forged}${end(0)}${end(0)}${start(1)}${end(1)}`);
    expect(cells.map(({ stdout, isComplete }) => [stdout, isComplete])).toEqual([
      ['a', true],
      ['', true],
    ]);
  });

  it('has no cells where there is no output, or no run', () => {
    expect(read('Traceback').cells).toEqual([]);
    expect(readCells(aRunReport({ outcome: null }), MARK).cells).toEqual([]);
  });
});

describe('toCellsRun', () => {
  it('has a mark of its own each time, and passes the file that has the driver’s name', () => {
    const { limits, clamped, labels } = aRunReport();
    const submission = {
      ...{
        id: 'x',
        language: 'python',
        environment: null,
        args: [],
        env: {},
        seed: null,
        clock: null,
      },
      ...{ limits, clamped, labels, warm: true, wall: null, collect: [], cellTimeoutMs: 1500 },
      cells: ['1'],
      files: [
        { path: 'main.py', content: Buffer.from('mine') },
        { path: 'a', content: Buffer.from('b') },
      ],
    };
    const [one, other] = [0, 1].map(() =>
      toCellsRun(submission, { driver: 'pass', sourceFile: 'main.py' }),
    );
    expect(one?.mark).not.toBe(other?.mark);
    expect(JSON.parse(Buffer.from(one?.run.stdin ?? []).toString())).toEqual({
      mark: one?.mark,
      cells: ['1'],
      timeouts: [1.5],
      main: Buffer.from('mine').toString('base64'),
    });
    expect(one?.run.program).toMatchObject({ kind: 'files', entry: 'main.py' });
    expect(one?.run.program.files.map(({ path }) => path)).toEqual(['main.py', 'a']);
  });
});
