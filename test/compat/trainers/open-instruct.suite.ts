/**
 * open-instruct's reward over real jails. Its client is not in a package index: `score` is what its contract says the
 * client sends and makes of the answer, written anew here.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { RunningService } from '../../support/service.ts';

export function openInstructSuite(service: () => RunningService): void {
  const Answer = z.strictObject({ results: z.array(z.number()), runtimes: z.array(z.number()) });

  async function ask(path: string, program: string, tests: unknown, seconds = 1) {
    const body = { program, tests, max_execution_time: seconds };
    const answer = await service().client.post(path, body);
    expect(answer.status).toBe(200);
    const { results, runtimes } = Answer.parse(answer.body);
    expect(runtimes).toHaveLength(results.length);
    for (const [index, runtime] of runtimes.entries()) {
      expect(runtime).toBeLessThanOrEqual(seconds);
      if (results[index] === 1) expect(runtime).toBeGreaterThan(0);
    }
    return { results, runtimes };
  }

  /** The client's arithmetic: the share of passes, each less its share of the time where that is asked for. */
  async function score(path: string, program: string, tests: unknown[], penalized = false) {
    const { results, runtimes } = await ask(path, program, tests, 1);
    const passes = results.map((result, index) =>
      result === 1 && penalized ? 1 - (runtimes[index] ?? 0) : result,
    );
    return passes.reduce((sum, each) => sum + each, 0) / passes.length;
  }

  const ADD = 'def add(a, b):\n    return a + b\n';
  const SUM = 'a, b = map(int, input().split())\nprint(a + b)\n';

  describe('/test_program', () => {
    it('tells right from wrong, test by test', async () => {
      const tests = ['assert add(1, 2) == 3', 'assert add(-1, 1) == 0', 'assert add(0, 0) == 1'];
      expect((await ask('/test_program', ADD, tests)).results).toEqual([1, 1, 0]);
      expect(await score('/test_program', ADD, tests)).toBeCloseTo(2 / 3);
      const penalized = await score('/test_program', ADD, tests.slice(0, 2), true);
      expect(penalized).toBeGreaterThan(0.8);
      expect(penalized).toBeLessThan(1);
    });

    it('lets one test’s time-out, error or exit cost that test alone', async () => {
      const program = `${ADD}
state = []
def note(x):
    state.append(x)
    return len(state)
def spin():
    while True: pass
def deep(n):
    return deep(n + 1)
def leave():
    raise SystemExit(0)
def slow():
    import time
    time.sleep(0.3)
    return 1
`;
      const tests = [
        'assert spin() == 1',
        'assert add(1, 1) == 2',
        'assert deep(0) == 1',
        'assert note(1) == 1',
        // A process of its own for every test: nothing is left of the last one.
        'assert note(1) == 1',
        'assert leave() is None',
        'assert slow() == 1',
      ];
      const { results, runtimes } = await ask('/test_program', program, tests);
      expect(results).toEqual([0, 1, 0, 1, 1, 0, 1]);
      expect(runtimes[0]).toBe(-1);
      expect(runtimes[6]).toBeGreaterThan(0.29);
      expect(runtimes[1]).toBeLessThan(0.2);
    });

    it('times the test and not the loading of the program', async () => {
      const program = `import time\ntime.sleep(0.4)\n${ADD}`;
      const { results, runtimes } = await ask('/test_program', program, ['assert add(1, 2) == 3']);
      expect(results).toEqual([1]);
      expect(runtimes[0]).toBeLessThan(0.2);
    });

    it.each([
      [
        'an object that equals everything',
        'class E:\n    def __eq__(s, o): return True\ndef add(a, b): return E()',
      ],
      ['an exit before the tests', 'import sys\nsys.exit(0)'],
      ['a hard exit', 'def add(a, b):\n    __import__("posix")._exit(0)'],
      ['a syntax error', 'def add(a, b) return'],
      ['a wrong function', 'def add(a, b): return a - b'],
      ['no function', 'x = 1'],
    ])('pays nothing for %s', async (_, program) => {
      const { results } = await ask('/test_program', program, ['assert add(1, 2) == 3']);
      expect(results).toEqual([0]);
    });

    it('lets programs use what the contract says they may', async () => {
      const program =
        'import socket\ndef f():\n    s = socket.socket()\n    s.close()\n    open("x", "w").write("1")\n    return open("x").read()';
      expect((await ask('/test_program', program, ['assert f() == "1"'])).results).toEqual([1]);
    });
  });

  describe('/test_program_stdio', () => {
    const pair = (input: string, output: string) => ({ input, output });

    it('goes on after a failure and keeps what was finished', async () => {
      const program = `${SUM}if a == 7:\n    while True: pass\n`;
      const tests = [
        pair('1 2\n', '3'),
        pair('1 2\n', '4'),
        pair('7 0\n', '7'),
        pair('2.5 x\n', ''),
        pair('2 2\n', '4.0\n'),
      ];
      const { results, runtimes } = await ask('/test_program_stdio', program, tests);
      // The last one: equal as decimals, as the original has it.
      expect(results).toEqual([1, 0, 0, 0, 1]);
      expect(runtimes[1]).toBeGreaterThan(0);
      expect([runtimes[2], runtimes[3]]).toEqual([-1, -1]);
    });

    it('judges forty requests at once, every one rightly', async () => {
      const requests = Array.from({ length: 40 }, async (_, index) => {
        const program = index % 2 === 0 ? SUM : SUM.replace('a + b', 'a - b');
        return await score('/test_program_stdio', program, [
          pair('1 2\n', '3'),
          pair('4 4\n', '8'),
        ]);
      });
      const scores = await Promise.all(requests);
      expect(scores).toEqual(scores.map((_, index) => (index % 2 === 0 ? 1 : 0)));
    });
  });
}
