/** `/run_jupyter` over a scripted service: what is taken, refused and answered, and what happens at the deadline. */
import { describe, expect, it } from 'vitest';

import { Fault, type RejectionCode } from '../../../../domain/errors.ts';
import type { CellReport } from '../../../../domain/report.ts';
import type { CellsSubmission } from '../../../../domain/submission.ts';
import { createFakeClock } from '../../../../lib/fake-clock.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../../test-support/scripted-service.ts';
import { settle } from '../../../test-support/settle.ts';

const aCell = (parts: Partial<CellReport> = {}): CellReport => ({
  stdout: bytes(''),
  stderr: bytes(''),
  displays: [],
  error: null,
  isComplete: true,
  ...parts,
});

async function ask(body: unknown, script: Script = {}) {
  const { app } = createTestApp({ script });
  const response = await app.request('/run_jupyter', post(body));
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

describe('/run_jupyter', () => {
  it.each(['/run_jupyter', '/faas/sandbox/run_jupyter'])('is served at %s', async (path) => {
    const response = await createTestApp().app.request(path, post({ cells: ['a'] }));
    expect(await response.json()).toEqual({
      status: 'Success',
      message: '',
      driver: expect.objectContaining({ status: 'Finished', return_code: 0, stdout: '' }) as object,
      cells: [{ stdout: 'a', stderr: '', display: [], error: [] }],
      executor_pod_name: null,
      files: {},
      queue_time: 0,
      clamped: [],
    });
  });

  it('takes the SDK’s request', async () => {
    let seen: CellsSubmission | null = null;
    await ask(
      {
        cells: ['1', '2'],
        cell_timeout: 1.5,
        total_timeout: '20',
        memory_limit_MB: 64,
        kernel: 'python3',
        files: { a: 'YQ==' },
        fetch_files: ['b', 'b'],
        more: 1,
      },
      {
        async runCells(submission) {
          seen = submission;
          return { run: aRunReport(), cells: [] };
        },
      },
    );
    expect(seen).toMatchObject({
      language: 'python3',
      environment: null,
      cells: ['1', '2'],
      files: [{ path: 'a', content: Buffer.from('a') }],
      collect: ['b'],
      cellTimeoutMs: 1500,
      limits: { cpuMs: 20_000, wallMs: 25_000, memoryBytes: 64 * 1024 * 1024 },
    });
  });

  it.each([0, -1])('takes a cell_timeout of %d for none', async (cell_timeout) => {
    let limit: unknown = -1;
    await ask(
      { cells: [], cell_timeout },
      {
        async runCells(submission) {
          limit = submission.cellTimeoutMs;
          return { run: aRunReport(), cells: [] };
        },
      },
    );
    expect(limit).toBeNull();
  });

  it.each<[object, string, readonly (string | number)[]]>([
    [{}, 'missing', ['body', 'cells']],
    [{ cells: 'SECRET' }, 'list_type', ['body', 'cells']],
    [{ cells: ['a', 5] }, 'string_type', ['body', 'cells', 1]],
    [{ cells: Array.from({ length: 1001 }, () => '') }, 'too_long', ['body', 'cells']],
    [{ cells: [], kernel: 'SECRET' }, 'literal_error', ['body', 'kernel']],
    [{ cells: [], total_timeout: 0 }, 'greater_than', ['body', 'total_timeout']],
    [{ cells: [], cell_timeout: 'x' }, 'float_parsing', ['body', 'cell_timeout']],
    [{ cells: [], files: { '/x': '' } }, 'value_error', ['body', 'files', '/x']],
    [{ cells: [], fetch_files: ['../x'] }, 'value_error', ['body', 'fetch_files', 0]],
  ])('refuses %j with its 422', async (body, type, loc) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    expect(answer.body['detail']).toMatchObject([{ type, loc, input: null }]);
    expect(answer.text).not.toContain('SECRET');
  });

  it('shows errors, displays, and the cell that the end of the process cut', async () => {
    const error = { name: 'ValueError', value: 'v', traceback: ['t'] };
    const displays = [{ isResult: true, data: { 'text/plain': '1' } }];
    const run = aRunReport({ outcome: anOutcome({ kind: 'time_limit', exitCode: null }) });
    const { body } = await ask(
      { cells: ['a', 'b', 'c', 'd'] },
      {
        runCells: async () => ({
          run,
          cells: [aCell({ error }), aCell({ displays }), aCell({ isComplete: false })],
        }),
      },
    );
    expect(body).toMatchObject({
      status: 'Failed',
      driver: { status: 'TimeLimitExceeded', return_code: null },
      cells: [
        { error: [{ ename: 'ValueError', evalue: 'v', traceback: ['t'] }] },
        { display: [{ 'text/plain': '1' }], error: [] },
        { error: [{ ename: 'TimeLimitExceeded' }] },
      ],
    });
  });

  it.each<[string, readonly CellReport[], number | null, string]>([
    ['all cells with errors', [aCell(), aCell()], 0, 'Success'],
    ['a cell less', [aCell()], 0, 'Failed'],
    ['a cell cut', [aCell(), aCell({ isComplete: false })], 0, 'Failed'],
    ['an exit code', [aCell(), aCell()], 1, 'Failed'],
  ])('answers %s', async (_, cells, exitCode, status) => {
    const run = aRunReport({ outcome: anOutcome({ exitCode }) });
    const { body } = await ask({ cells: ['a', 'b'] }, { runCells: async () => ({ run, cells }) });
    expect(body['status']).toBe(status);
  });

  it.each<[string, Script]>([
    [
      'a fault in the report',
      {
        runCells: async () => ({ run: aRunReport({ outcome: null, fault: aFault }), cells: [] }),
      },
    ],
    [
      'a fault that is thrown',
      {
        async runCells() {
          throw new Fault('internal', 'SECRET');
        },
      },
    ],
    [
      'a language that is not there',
      {
        async runCells() {
          throw rejection('language_unavailable');
        },
      },
    ],
  ])('says SandboxError for %s', async (_, script) => {
    const answer = await ask({ cells: ['a'] }, script);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'SandboxError',
      message: expect.stringMatching(/./) as string,
      driver: null,
      cells: [],
      files: {},
    });
    expect(answer.text).not.toContain('SECRET');
  });

  it.each<RejectionCode>(['queue_full', 'draining', 'deadline'])(
    'answers %s with 504',
    async (code) => {
      const answer = await ask(
        { cells: ['a'] },
        {
          async runCells() {
            throw rejection(code);
          },
        },
      );
      expect(answer.status).toBe(504);
    },
  );

  it('gives up what waits at the deadline, and holds open what runs', async () => {
    const clock = createFakeClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { app } = createTestApp({
      clock,
      script: {
        async runCells({ cells }, { onStart }) {
          if (cells[0] === 'runs') onStart?.();
          await promise;
          return { run: aRunReport(), cells: [aCell()] };
        },
      },
    });
    const body = (cell: string) => post({ cells: [cell], total_timeout: 5 });
    const waiting = app.request('/run_jupyter', body('waits'));
    const running = app.request('/run_jupyter', body('runs'));
    await settle();
    clock.advance(14_000);
    expect((await waiting).status).toBe(504);
    const held = await running;
    expect(held.status).toBe(200);
    resolve();
    expect(JSON.parse(await held.text())).toMatchObject({ status: 'Success' });
  });
});
