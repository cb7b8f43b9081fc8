/** Cells of a notebook in a real jail: one namespace, exact output of each, time-outs of cells, and what ends the process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAssay, type Assay } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { DEFAULT_MAXIMA, resolveLimits } from '../../src/domain/limits.ts';
import type { CellsSubmission } from '../../src/domain/submission.ts';
import { temporaryFolder } from '../support/service.ts';

describe('cells', () => {
  let assay: Assay;
  beforeAll(async () => {
    const loaded = loadConfig({
      environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      flags: {
        slots: 2,
        logLevel: 'silent',
        stateDir: await temporaryFolder(),
        languages: 'python,bash',
      },
    });
    assay = await createAssay(loaded);
    await assay.selfTested;
  });
  afterAll(async () => await assay.close());

  async function run(cells: readonly string[], given: Partial<CellsSubmission> = {}) {
    const { limits } = resolveLimits({ cpuMs: 5000, wallMs: 8000 }, DEFAULT_MAXIMA);
    const submission: CellsSubmission = {
      id: 'cells',
      language: 'python',
      environment: null,
      cells,
      files: [],
      cellTimeoutMs: null,
      collect: [],
      args: [],
      env: {},
      limits,
      clamped: [],
      seed: null,
      clock: null,
      warm: true,
      wall: null,
      labels: {},
      ...given,
    };
    const { signal } = new AbortController();
    const report = await assay.service.runCells(submission, { signal, deadlineMs: null });
    return {
      run: report.run,
      outcome: report.run.outcome,
      cells: report.cells.map(({ stdout, stderr, displays, error, isComplete }) => ({
        stdout: Buffer.from(stdout).toString('utf8'),
        stderr: Buffer.from(stderr).toString('utf8'),
        shown: displays.map(({ isResult, data }) => [isResult, data['text/plain']]),
        error: error?.name ?? null,
        isComplete,
      })),
    };
  }
  const nothing = { stdout: '', stderr: '', shown: [], error: null, isComplete: true };

  it.each([true, false])('run one after the other in one namespace, warm %s', async (warm) => {
    const answer = await run(
      [
        'a = 20\nprint("x", end="")',
        '\n    b = a + 1\n    b * 2\n    ',
        'a;',
        '',
        '# nothing',
        'def f():\n    return _\nf()',
      ],
      { warm },
    );
    expect(answer.outcome).toMatchObject({ kind: 'exited', exitCode: 0, forked: warm });
    expect(answer.cells).toEqual([
      { ...nothing, stdout: 'x' },
      { ...nothing, shown: [[true, '42']] },
      nothing,
      nothing,
      nothing,
      { ...nothing, shown: [[true, '42']] },
    ]);
  });

  it('go on after an error, and tell its name, text and place in the cell', async () => {
    const { cells } = await run(['1 / 0', 'def (', 'import sys; sys.exit(3)', 'input()', '"on"']);
    expect(cells.map(({ error, shown }) => error ?? shown[0]?.[1])).toEqual([
      'ZeroDivisionError',
      'SyntaxError',
      'SystemExit',
      'EOFError',
      "'on'",
    ]);
    const { run: report } = await run(['raise ValueError("why")']);
    expect(report.fault).toBeNull();
  });

  it('keep what child processes and both streams wrote with the cell that did', async () => {
    const { cells } = await run([
      'import os, subprocess, sys\nprint(1); subprocess.run(["/bin/sh", "-c", "echo 2; echo e >&2"]); print(3)',
      'sys.stdout.buffer.write(b"\\xff\\x00"); sys.stdout.flush()\nos.close(1)',
      'sys.stdout.close()',
      'print("back")\nprint("err", file=sys.stderr)',
      'if os.fork() == 0:\n    print("kid")\nelse:\n    os.wait()\nNone',
    ]);
    expect(cells.map(({ stdout, stderr, isComplete }) => [stdout, stderr, isComplete])).toEqual([
      ['1\n2\n3\n', 'e\n', true],
      ['�\0', '', true],
      ['', '', true],
      ['back\n', 'err\n', true],
      ['kid\n', '', true],
    ]);
  });

  it('show rich forms, and await', async () => {
    const { cells } = await run([
      'class A:\n    def __repr__(self): return "plain"\n    def _repr_html_(self): return "<b>"\ndisplay(1, A())\nA()',
      'import asyncio\nawait asyncio.sleep(0, "awaited")',
    ]);
    expect(cells[0]?.shown).toEqual([
      [false, '1'],
      [false, 'plain'],
      [true, 'plain'],
    ]);
    expect(cells[1]?.shown).toEqual([[true, "'awaited'"]]);
  });

  it('have a time-out each, after which the next one runs', async () => {
    const { cells, outcome } = await run(
      [
        'import time\nprint("slow")\ntime.sleep(5)',
        'while True: pass',
        'try:\n    time.sleep(5)\nexcept Exception: pass',
        '7',
      ],
      { cellTimeoutMs: 300 },
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(cells.map(({ error }) => error)).toEqual([
      'CellTimeoutError',
      'CellTimeoutError',
      'CellTimeoutError',
      null,
    ]);
    expect(cells[0]?.stdout).toBe('slow\n');
  });

  it.each([
    [
      'a cell that will not be interrupted',
      'while True:\n    try: time.sleep(1)\n    except BaseException: pass',
      { kind: 'signalled', signal: 9 },
      300,
    ],
    ['an exit past Python', 'os._exit(0)', { kind: 'exited', exitCode: 0 }, null],
    ['the time limit', 'while True: pass', { kind: 'time_limit' }, null],
    ['the memory limit', 'x = bytearray(2**30)', { kind: 'memory_limit' }, null],
  ])('are kept until %s', async (_, code, outcome, cellTimeoutMs) => {
    const answer = await run(
      ['import os, time\nprint("first")', `print("second"); x = 1\n${code}`, 'print("never")'],
      {
        cellTimeoutMs,
        limits: resolveLimits(
          { cpuMs: 600, wallMs: 4000, memoryBytes: 128 * 1024 * 1024 },
          DEFAULT_MAXIMA,
        ).limits,
      },
    );
    expect(answer.outcome).toMatchObject(outcome);
    expect(answer.cells).toEqual([
      { ...nothing, stdout: 'first\n' },
      { ...nothing, stdout: 'second\n', isComplete: false },
    ]);
  });

  it('find the caller’s files, and nothing of ours', async () => {
    const { cells, outcome } = await run(
      ['import os\nsorted(os.listdir())', 'sorted(globals())', 'open("main.py").read()'],
      {
        files: [
          { path: 'main.py', content: Buffer.from('mine') },
          { path: 'data/x', content: Buffer.from('1') },
        ],
        collect: ['data/x'],
      },
    );
    expect(cells.map(({ shown }) => shown[0]?.[1])).toEqual([
      "['data', 'main.py']",
      "['_', '__annotations__', '__builtins__', '__doc__', '__loader__', '__name__', '__package__', '__spec__', 'display', 'os']",
      "'mine'",
    ]);
    expect(outcome?.collected).toMatchObject([{ path: 'data/x', status: 'ok' }]);
  });

  it('are refused where the language has none', async () => {
    await expect(run(['1'], { language: 'bash' })).rejects.toMatchObject({ code: 'invalid' });
  });
});
