/** Sessions of NeMo-Skills' wire over a scripted service: what is kept, what is run again, and every bound. */
import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../../../lib/fake-clock.ts';
import type { CellReport } from '../../../domain/report.ts';
import type { CellsSubmission } from '../../../domain/submission.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  post,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';
import { Sessions, type Turn } from './sessions.ts';

const aCell = (parts: Partial<CellReport> = {}): CellReport => ({
  stdout: bytes(''),
  stderr: bytes(''),
  displays: [],
  error: null,
  isComplete: true,
  ...parts,
});
const printing = (text: string): CellReport => aCell({ stdout: bytes(text) });
const raising = (name: string): CellReport =>
  aCell({
    stdout: bytes('before'),
    error: { name, value: 'x', traceback: ['Traceback:', `${name}: x`] },
  });

/** An application whose cells show what the script says, by the text of a cell and how often it was run before. */
function open(show: (code: string, time: number) => CellReport, parts: Script = {}) {
  const seen: CellsSubmission[] = [];
  const times = new Map<string, number>();
  const script: Script = {
    async runCells(submission) {
      seen.push(submission);
      const cells: CellReport[] = [];
      for (const code of submission.cells) {
        const time = times.get(code) ?? 0;
        times.set(code, time + 1);
        const cell = show(code, time);
        cells.push(cell);
        if (!cell.isComplete) break;
      }
      return { run: aRunReport(), cells };
    },
    ...parts,
  };
  const { app } = createTestApp({ script });
  const execute = async (code: string, session = 'a', more: object = {}) => {
    const init = post({ generated_code: code, timeout: 10, language: 'ipython', ...more });
    const headers = { 'content-type': 'application/json', 'X-Session-ID': session };
    const response = await app.request('/execute', { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { app, execute, seen };
}

describe('a session', () => {
  it('runs the cells that it has kept again, and then the new one', async () => {
    const { execute, seen } = open((code) => printing(`${code}\n`));
    expect((await execute('a')).body).toEqual({
      process_status: 'completed',
      stdout: 'a\n',
      stderr: '',
      new_session_created: true,
    });
    const second = await execute('b', 'a', { timeout: 2 });
    expect(second.body).toMatchObject({ stdout: 'b\n', stderr: '', new_session_created: false });
    expect(seen.map(({ cells }) => cells)).toEqual([['a'], ['a', 'b']]);
    // Each has its own time, and all together the sum as CPU time.
    expect(seen[1]).toMatchObject({
      cellTimeoutMs: [12_500, 4000],
      limits: { cpuMs: 12_000 },
    });
    expect((await execute('c', 'other')).body).toMatchObject({ new_session_created: true });
    expect(seen[2]?.cells).toEqual(['c']);
  });

  it('shows output, values and the traceback on stdout, and keeps what raised', async () => {
    const { execute, seen } = open((code) =>
      code === 'bad'
        ? raising('ValueError')
        : aCell({
            stdout: bytes('\n\nout'),
            stderr: bytes('err'),
            displays: [{ isResult: true, data: { 'text/plain': '3' } }],
          }),
    );
    expect((await execute('good')).body).toMatchObject({
      process_status: 'completed',
      stdout: 'out\n3\n',
      stderr: 'err',
    });
    expect((await execute('bad')).body).toMatchObject({
      process_status: 'error',
      stdout: 'before\nTraceback:\nValueError: x\n',
    });
    await execute('good');
    expect(seen.at(-1)?.cells).toEqual(['good', 'bad', 'good']);
  });

  it('says so where cells that are run again show something else', async () => {
    const { execute } = open((code, time) =>
      printing(code === 'time' ? `${time}` : `<object at 0x7f${time}00000000>`),
    );
    await execute('address');
    expect((await execute('time')).body).toMatchObject({ stderr: '' });
    const answer = (await execute('x')).body;
    expect(answer).toMatchObject({ process_status: 'completed', new_session_created: false });
    expect(answer['stderr']).toMatch(/note: .*another output than before/);
  });

  it.each<[string, CellReport, Parameters<typeof anOutcome>[0], object]>([
    [
      'was interrupted by its clock',
      raising('CellTimeoutError'),
      {},
      {
        process_status: 'timeout',
        stdout: 'before',
        stderr: 'Execution timed out after 10 seconds\n',
      },
    ],
    [
      'was killed at the limit',
      aCell({ isComplete: false }),
      { kind: 'time_limit', limit: 'cpu' },
      { process_status: 'timeout', stdout: '' },
    ],
    [
      'took too much memory',
      aCell({ isComplete: false }),
      { kind: 'memory_limit' },
      { process_status: 'error', stderr: 'the limit of memory was reached\n' },
    ],
    [
      'ended the process',
      aCell({ isComplete: false, stdout: bytes('left') }),
      {},
      { process_status: 'error', stdout: 'left\n', stderr: 'the process ended in this cell\n' },
    ],
  ])('keeps no cell that %s', async (_, cell, outcome, expected) => {
    const seen: (readonly string[])[] = [];
    const { execute } = open(() => cell, {
      async runCells({ cells }) {
        seen.push(cells);
        const isEnd = cells.at(-1) === 'end';
        const run = aRunReport({ outcome: anOutcome(isEnd ? outcome : {}) });
        return { run, cells: cells.map((text) => (text === 'end' ? cell : printing(text))) };
      },
    });
    await execute('a');
    expect((await execute('end')).body).toMatchObject({ ...expected, new_session_created: false });
    await execute('b');
    expect(seen).toEqual([['a'], ['a', 'end'], ['a', 'b']]);
  });

  it('does not run a cell whose session cannot be made again', async () => {
    const { execute } = open((code, time) => aCell({ isComplete: code !== 'once' || time === 0 }));
    await execute('once');
    const { body } = await execute('next');
    expect(body).toMatchObject({ process_status: 'error', stdout: '' });
    expect(body['stderr']).toMatch(/^not run: /);
  });

  it('keeps nothing where a fault is all that came', async () => {
    let calls = 0;
    const { execute } = open(() => aCell(), {
      async runCells() {
        calls += 1;
        return { run: aRunReport({ outcome: null, fault: aFault }), cells: [] };
      },
    });
    expect((await execute('a')).status).toBe(500);
    expect(calls).toBe(3);
  });

  it('is listed to who names it, and can be deleted', async () => {
    const { app, execute } = open(() => aCell());
    await execute('a', 'mine');
    const list = async (headers: Record<string, string>) =>
      await (await app.request('/sessions', { headers })).json();
    expect(await list({})).toEqual({ sessions: {}, backend: 'ipython' });
    expect(await list({ 'x-session-id': 'mine' })).toMatchObject({
      sessions: { mine: { backend: 'ipython', alive: true } },
    });
    const remove = async () => (await app.request('/sessions/mine', { method: 'DELETE' })).status;
    expect(await remove()).toBe(200);
    expect(await remove()).toBe(404);
    expect((await execute('a', 'mine')).body).toMatchObject({ new_session_created: true });
  });
});

describe('the bounds of sessions', () => {
  const bounds = {
    ...{ sessionsMax: 3, bytesMax: 10_000, cellsMax: 2, waitingMax: 2, idleMs: 1000 },
    tenantShare: 1,
  };
  const of = (name: string, tenant = 'a') => ({ tenant, name });
  const cell = (code: string) => ({ code, timeoutMs: 1000, digest: '' });
  const keeping =
    (code: string) =>
    async ({ keep, isNew }: Turn): Promise<boolean> => {
      keep(cell(code));
      return isNew;
    };

  it('forget what was used longest ago, and what was not used for long', async () => {
    const clock = createFakeClock();
    const sessions = new Sessions(clock, bounds);
    for (const name of ['a', 'b', 'c']) await sessions.inTurn(of(name), keeping('1'));
    expect(await sessions.inTurn(of('a'), keeping('2'))).toBe(false);
    expect(await sessions.inTurn(of('d'), keeping('1'))).toBe(true);
    expect(['a', 'b', 'c', 'd'].map((name) => sessions.get(of(name)) !== null)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    clock.advance(1001);
    expect(['a', 'c', 'd'].map((name) => sessions.get(of(name)))).toEqual([null, null, null]);
    expect(sessions.delete(of('a'))).toBe(false);
  });

  it('hold for the bytes of all', async () => {
    const sessions = new Sessions(createFakeClock(), bounds);
    await sessions.inTurn(of('a'), keeping('x'.repeat(6000)));
    await sessions.inTurn(of('b'), keeping('x'.repeat(6000)));
    expect([sessions.get(of('a')), sessions.get(of('b')) === null]).toEqual([null, false]);
    await sessions.inTurn(of('c'), keeping('x'.repeat(20_000)));
    expect(sessions.get(of('c'))).toBeNull();
    expect(await sessions.inTurn(of('d'), keeping('x'))).toBe(true);
    expect(sessions.get(of('d'))).not.toBeNull();
  });

  it('hold for one tenant by its share', async () => {
    const shared = { ...bounds, sessionsMax: 4, tenantShare: 0.5 };
    const sessions = new Sessions(createFakeClock(), shared);
    await sessions.inTurn(of('x', 'b'), keeping('1'));
    for (const name of ['a', 'b', 'c']) await sessions.inTurn(of(name), keeping('1'));
    const known = [of('x', 'b'), of('a'), of('b'), of('c')];
    expect(known.map((name) => sessions.get(name) !== null)).toEqual([true, false, true, true]);
    await sessions.inTurn(of('c'), keeping('x'.repeat(4800)));
    expect(known.map((name) => sessions.get(name) !== null)).toEqual([true, false, false, false]);
  });

  it('hold for the cells of one, and the calls that wait', async () => {
    const sessions = new Sessions(createFakeClock(), bounds);
    for (const code of ['1', '2']) await sessions.inTurn(of('a'), keeping(code));
    expect(await sessions.inTurn(of('a'), keeping('3'))).toBe('full');
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const slow = sessions.inTurn(of('b'), async () => {
      await gate.promise;
      order.push('slow');
      throw new Error('its own failure');
    });
    const next = sessions.inTurn(of('b'), async () => order.push('next'));
    expect(await sessions.inTurn(of('b'), async () => order.push('never'))).toBe('busy');
    await settle();
    expect(order).toEqual([]);
    gate.resolve();
    await expect(slow).rejects.toThrow('its own failure');
    await next;
    expect(order).toEqual(['slow', 'next']);
  });
});
