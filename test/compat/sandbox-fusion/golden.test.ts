/** Sandbox Fusion's wire over HTTP, request by request, and what went wrong for its users: real programs in real jails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type RunningService } from '../../support/service.ts';
import { GOLDEN_DATASETS } from './golden-datasets.ts';
import { FIGURE, GOLDEN, SOME } from './golden.ts';

const TIMEOUT_MS = 120_000;

interface Command {
  readonly return_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
interface Answer {
  readonly status: string;
  readonly run_result: Command | null;
}

/** An answer that holds the figures and texts of a golden one, where they are left open. */
function filled(golden: unknown): unknown {
  if (golden === FIGURE) return expect.any(Number);
  if (golden === SOME) return expect.stringMatching(/./);
  if (Array.isArray(golden)) return golden.map(filled);
  if (typeof golden !== 'object' || golden === null) return golden;
  return Object.fromEntries(Object.entries(golden).map(([name, value]) => [name, filled(value)]));
}

describe('Sandbox Fusion’s wire', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python', 'cpp'], flags: { '--slots': '2' } });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  const runCode = async (code: string, parts: object = {}): Promise<Answer> => {
    const { status, body } = await service.client.post('/run_code', {
      language: 'python',
      code,
      ...parts,
    });
    expect(status).toBe(200);
    return body as Answer;
  };

  it.each([...GOLDEN, ...GOLDEN_DATASETS])(
    '$path answers $name',
    async ({ path, request, status, answer }) => {
      const got = await service.client.post(path, request);
      expect([got.status, got.body]).toEqual([status, filled(answer)]);
    },
  );

  it('answers ping, and an unknown path aloud', async () => {
    expect((await service.client.get('/v1/ping')).body).toBe('pong');
    expect((await service.client.post('/run-code', {})).status).toBe(404);
  });

  describe('what went wrong for users', () => {
    it.each([150_000, 1_000_000, 20_000_000])('prints %d characters whole', async (count) => {
      const { status, run_result } = await runCode(`print("x" * ${count - 1})`);
      expect([status, run_result?.stdout.length]).toEqual(['Success', count]);
    });

    it('prints line by line without waiting for a reader', async () => {
      const { status, run_result } = await runCode('for i in range(50000): print(i)');
      expect([status, run_result?.stdout.split('\n').length]).toEqual(['Success', 50_001]);
    });

    it('imports numpy under a memory limit, in programs and in cells', async ({ skip }) => {
      const python = (await service.client.languages()).find(({ id }) => id === 'python');
      const found = python?.environments.find(({ id }) => id === 'scientific');
      skip(found?.reason !== null, `numpy is not available on this host: ${found?.reason}`);
      const code = 'import numpy as np\nint((np.ones((200, 200)) @ np.ones((200, 200))).sum())';
      const limit = { memory_limit_MB: 1024 };
      const { status, run_result } = await runCode(code.replace('int(', 'print(int(') + ')', limit);
      expect([status, run_result?.stdout]).toEqual(['Success', '8000000\n']);
      const cells = await service.client.post('/run_jupyter', { cells: [code], ...limit });
      expect(cells.body).toMatchObject({
        status: 'Success',
        cells: [{ display: [{ 'text/plain': '8000000' }] }],
      });
    });

    it('counts CPU time alone against a limit of 50 ms', async () => {
      const code = 'import time\ntime.sleep(0.5)\nprint(1)';
      const { status, run_result } = await runCode(code, { run_timeout: 0.05 });
      expect([status, run_result?.stdout]).toEqual(['Success', '1\n']);
    });

    it('gives input to programs that end at once, and keeps quiet about it', async () => {
      const stdin = 'x'.repeat(100_000);
      const answers = await Promise.all(
        Array.from({ length: 200 }, async () => await runCode('print(1)', { stdin })),
      );
      expect(
        new Set(answers.map(({ status, run_result }) => `${status} ${run_result?.stderr}`)),
      ).toEqual(new Set(['Success ']));
    });

    it('answers 128 trivial programs at once, soon', async () => {
      const since = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 128 }, async (_, i) => await runCode(`print(${i})`)),
      );
      expect(answers.map(({ run_result }) => run_result?.stdout)).toEqual(
        answers.map((_, i) => `${i}\n`),
      );
      // verl gives each call 30 s.
      expect(performance.now() - since).toBeLessThan(20_000);
    });

    it('ends a loop at its limit while others go on', async () => {
      const loop = runCode('while True: pass', { run_timeout: 2 });
      const { run_result } = await runCode('print("meanwhile")');
      expect(run_result?.stdout).toBe('meanwhile\n');
      expect((await loop).run_result?.return_code).toBeNull();
    });

    it.each([null, '', undefined])('takes stdin %j for the end of the input', async (stdin) => {
      const { run_result } = await runCode('import sys\nprint(repr(sys.stdin.read()))', { stdin });
      expect(run_result?.stdout).toBe("''\n");
    });

    it('does not wait for what a program leaves behind', async () => {
      const code = 'import os, time\nif os.fork() == 0:\n    time.sleep(30)\nelse: print("done")';
      const { status, run_result } = await runCode(code, { run_timeout: 5 });
      expect([status, run_result?.stdout]).toEqual(['Success', 'done\n']);
    });

    it('keeps no file of one request for another', async () => {
      await runCode('open("left", "w").write("x"); open("/tmp/left", "w").write("x")');
      const { run_result } = await runCode(
        'import os\nprint([os.path.exists(p) for p in ("left", "/tmp/left")])',
      );
      expect(run_result?.stdout).toBe('[False, False]\n');
    });

    it('counts what reached it', async () => {
      const before = (await service.client.get('/v1/stats')).body as {
        submissions: { run: number };
      };
      await runCode('print(1)');
      const after = (await service.client.get('/v1/stats')).body as {
        submissions: { run: number };
      };
      expect(after.submissions.run).toBe(before.submissions.run + 1);
    });
  });
});
