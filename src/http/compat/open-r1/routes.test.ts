/** Open R1's router paths over a scripted service: golden items for both clients, and errors that are lists. */
import { describe, expect, it } from 'vitest';

import type { CellReport } from '../../../domain/report.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';
import { withWholePairs } from './translate.ts';

const batch = (parts: object = {}) => ({
  scripts: ['1 + 1'],
  languages: ['python'],
  timeout: 30,
  request_timeout: 28,
  ...parts,
});

async function ask(body: unknown, script: Script = {}) {
  const response = await createTestApp({ script }).app.request('/execute_batch', post(body));
  const text = await response.text();
  return { status: response.status, text, items: JSON.parse(text) as unknown };
}

const cell = (parts: Partial<CellReport> = {}): CellReport => ({
  stdout: bytes(''),
  stderr: bytes(''),
  displays: [],
  error: null,
  isComplete: true,
  ...parts,
});

const answering = (...cells: readonly CellReport[]): Script => ({
  runCells: async () => ({ run: aRunReport({ outcome: anOutcome({ stdout: bytes('') }) }), cells }),
});

const ending = (parts: Parameters<typeof aRunReport>[0]): Script => ({
  runCells: async () => ({ run: aRunReport(parts), cells: [] }),
});

const result = (text: string, isResult = true) => ({ isResult, data: { 'text/plain': text } });

describe('/execute_batch', () => {
  it.each<[string, Script, object]>([
    [
      'a reward',
      answering(cell({ displays: [result('1.0')] })),
      {
        execution: {
          results: [{ text: '1.0', is_main_result: true }],
          logs: { stdout: [], stderr: [] },
          error: null,
          execution_count: 1,
        },
        text: '1.0',
        exception_str: null,
      },
    ],
    [
      'prints, figures and a text in quotes',
      answering(
        cell({
          stdout: bytes('hello\n'),
          stderr: bytes('careful\n'),
          displays: [
            { isResult: false, data: { 'text/plain': '<Figure>', 'image/png': 'AA==', 'x/y': '' } },
            result("'a'"),
          ],
        }),
      ),
      {
        execution: {
          results: [
            { text: '<Figure>', png: 'AA==', is_main_result: false },
            { text: 'a', is_main_result: true },
          ],
          logs: { stdout: ['hello\n'], stderr: ['careful\n'] },
          error: null,
          execution_count: 1,
        },
        text: 'hello\n<Figure>a',
        exception_str: null,
      },
    ],
    [
      'an error',
      answering(
        cell({
          error: {
            name: 'SyntaxError',
            value: 'invalid syntax',
            traceback: ['  File', 'SyntaxError'],
          },
        }),
      ),
      {
        execution: {
          results: [],
          logs: { stdout: [], stderr: [] },
          error: {
            name: 'SyntaxError',
            value: 'invalid syntax',
            traceback: '  File\nSyntaxError',
          },
          execution_count: 1,
        },
        text: 'Error: SyntaxError: invalid syntax',
        exception_str: null,
      },
    ],
    [
      'nothing at all',
      answering(cell()),
      {
        execution: {
          results: [],
          logs: { stdout: [], stderr: [] },
          error: null,
          execution_count: 1,
        },
        text: '',
        exception_str: 'No output from execution',
      },
    ],
    [
      'a time-out',
      ending({ outcome: anOutcome({ kind: 'time_limit', limit: 'wall', exitCode: null }) }),
      { execution: null, text: '', exception_str: '' },
    ],
    [
      'too much memory',
      ending({ outcome: anOutcome({ kind: 'memory_limit', limit: 'memory', exitCode: null }) }),
      { execution: null, text: '', exception_str: 'it reached its memory limit' },
    ],
    [
      'a script that leaves',
      answering(cell({ isComplete: false })),
      { execution: null, text: '', exception_str: 'the script ended its process' },
    ],
    [
      'a fault of ours',
      ending({ outcome: null, fault: aFault }),
      { execution: null, text: '', exception_str: aFault.message },
    ],
    [
      'a service that stops',
      {
        async runCells() {
          throw rejection('draining');
        },
      },
      { execution: null, text: '', exception_str: 'The service is stopping' },
    ],
  ])('answers %s', async (_, script, item) => {
    const { status, items } = await ask(batch(), script);
    expect(status).toBe(200);
    expect(items).toEqual([item]);
  });

  it('answers in the order of the scripts, whichever ends first', async () => {
    const ends: (() => void)[] = [];
    const script: Script = {
      async runCells({ cells }) {
        await new Promise<void>((resolve) => ends.unshift(resolve));
        const displays = [result(cells[0] ?? '')];
        return { run: aRunReport(), cells: [cell({ displays })] };
      },
    };
    const scripts = ['1', '2', '3'];
    const asked = ask(batch({ scripts, languages: ['python', 'py', 'PYTHON'] }), script);
    await settle();
    for (const end of ends) end();
    expect((await asked).items).toMatchObject([{ text: '1' }, { text: '2' }, { text: '3' }]);
  });

  it('runs at most so many scripts at once, and all of them', async () => {
    let running = 0;
    let most = 0;
    const script: Script = {
      async runCells() {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return { run: aRunReport(), cells: [cell({ displays: [result('1.0')] })] };
      },
    };
    const scripts = Array.from({ length: 300 }, () => '1');
    const { items } = await ask(batch({ scripts, languages: scripts.map(() => 'python') }), script);
    expect(items).toHaveLength(300);
    expect(most).toBe(64);
  });

  it('runs other languages as programs, and says so of those it does not know', async () => {
    const scripts = ['console.log(1)', 'x', 'y'];
    const { items } = await ask(batch({ scripts, languages: ['javascript', 'cobol', 'bash'] }), {
      async run({ language }) {
        if (language === 'bash') throw rejection('language_unavailable');
        return aRunReport();
      },
    });
    expect(items).toMatchObject([
      { execution: { results: [], logs: { stdout: ['1\n'] }, error: null }, text: '1\n' },
      { execution: null, text: '', exception_str: 'unknown language "cobol"' },
      { execution: null, text: '', exception_str: expect.any(String) as string },
    ]);
  });

  it.each<[string, unknown, number, string | null]>([
    [
      'no languages',
      batch({ languages: undefined }),
      1,
      'languages: a list of strings is required',
    ],
    ['fewer languages than scripts', batch({ languages: [] }), 1, 'languages: 0 for 1 scripts'],
    [
      'no time-out',
      batch({ timeout: undefined }),
      1,
      'timeout: a whole number of seconds is required, at least 1',
    ],
    [
      'part of a second',
      batch({ timeout: 30.5 }),
      1,
      'timeout: a whole number of seconds is required, at least 1',
    ],
    [
      'no time',
      batch({ timeout: 0 }),
      1,
      'timeout: a whole number of seconds is required, at least 1',
    ],
    [
      'a script that is no text',
      batch({ scripts: ['1', 2] }),
      2,
      'scripts: a list of strings is required',
    ],
    ['a list', [], 0, null],
    ['text that is no JSON', '{', 0, null],
  ])('answers %s with a list, for the client goes through it', async (_, body, count, reason) => {
    const { status, items } = await ask(body);
    expect([400, 422]).toContain(status);
    expect(items).toEqual(
      Array.from({ length: count }, () => ({ execution: null, text: '', exception_str: reason })),
    );
  });

  it.each([30, 30.0, '30'])('takes a time-out of %j', async (timeout) => {
    const limits: unknown[] = [];
    await ask(batch({ timeout }), {
      async runCells(submission) {
        limits.push(submission.limits);
        return { run: aRunReport(), cells: [cell()] };
      },
    });
    expect(limits).toMatchObject([{ cpuMs: 30_000, wallMs: 31_000, processes: 256 }]);
  });

  it('sends white space while scripts run, and ends them when the client leaves', async () => {
    const clock = createFakeClock();
    const left = Promise.withResolvers<void>();
    const script: Script = {
      runCells: async (_, { signal }) =>
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            left.resolve();
            reject(rejection('caller_gone'));
          });
        }),
    };
    const { app } = createTestApp({ script, clock });
    const asked = app.request('/execute_batch', post(batch()));
    await settle();
    clock.advance(8000);
    const response = await asked;
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(' ');
    await reader?.cancel();
    await left.promise;
  });

  it('is well', async () => {
    const response = await createTestApp().app.request('/health');
    expect(await response.json()).toMatchObject({ status: 'healthy' });
  });
});

describe('a script of Open R1', () => {
  it.each([
    [String.raw`x = "\ud83d\ude00"`, String.raw`x = "\U0001f600"`],
    [String.raw`x = "\UD83D\uDE00"`, String.raw`x = "\UD83D\uDE00"`],
    [String.raw`x = "\\ud83d\\ude00"`, String.raw`x = "\\ud83d\\ude00"`],
    [String.raw`x = "\\\uD83D\uDE00"`, String.raw`x = "\\\U0001f600"`],
    [String.raw`x = "\ud83d \ude00 é \u00e9"`, String.raw`x = "\ud83d \ude00 é \u00e9"`],
  ])('%s becomes %s', (text, expected) => {
    expect(withWholePairs(text)).toBe(expected);
  });
});
