/**
 * Judge0's wire over real jails. ms-swift's reward is part of its examples: what it sends and how it scores is written
 * anew here from its contract.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { RunningService } from '../../support/service.ts';

export function judge0Suite(service: () => RunningService): void {
  const Result = z.looseObject({
    token: z.string(),
    stdout: z.string().nullable(),
    stderr: z.string().nullable(),
    compile_output: z.string().nullable(),
    message: z.string().nullable(),
    time: z.string().nullable(),
    memory: z.number().nullable(),
    status: z.object({ id: z.number(), description: z.string() }),
  });

  interface Case {
    readonly input: string;
    readonly output: string;
  }

  const PYTHON = 71;
  const CPP = 54;
  const BASH = 46;

  async function submit(source_code: string, language_id: number, parts: object = {}) {
    const body = { source_code, language_id, ...parts };
    const answer = await service().client.post('/submissions/?wait=true', body);
    expect(answer.status).toBe(201);
    return Result.parse(answer.body);
  }

  /** ms-swift: a call for each case, one after the other; the share that is "Accepted"; any exception is a zero. */
  async function reward(source: string, language: number, cases: readonly Case[]) {
    let passed = 0;
    for (const { input, output } of cases) {
      const { status } = await submit(source, language, { stdin: input, expected_output: output });
      if (status.description === 'Accepted') passed += 1;
    }
    return passed / cases.length;
  }

  const CASES = [
    { input: '1 2\n', output: '3' },
    { input: '2 2\n', output: '4\n\n' },
  ];
  const SUM = 'print(sum(map(int, input().split())))';
  const SUM_CPP =
    '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }';

  describe('ms-swift', () => {
    it.each([
      ['right Python', SUM, PYTHON, 1],
      ['right C++', SUM_CPP, CPP, 1],
      ['right Bash', 'read a b; echo $((a + b))', BASH, 1],
      ['half of it', 'print(3)', PYTHON, 0.5],
      ['an exit code after the right output', `${SUM}\nexit(1)`, PYTHON, 0],
      ['other layout within a line', 'print(" 3")', PYTHON, 0],
    ])('rewards %s', async (_, source, language, expected) => {
      expect(await reward(source, language, CASES)).toBe(expected);
    });

    it('gets forty samples at once, each its own', async () => {
      const rewards = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          reward(index % 2 === 0 ? SUM : 'print(0)', PYTHON, CASES),
        ),
      );
      expect(rewards).toEqual(rewards.map((_, index) => (index % 2 === 0 ? 1 : 0)));
    });
  });

  describe('statuses', () => {
    it.each<[string, string, number, object, number]>([
      ['no expected output', SUM, PYTHON, { stdin: '1 2' }, 3],
      ['a time-out', 'while True: pass', PYTHON, { cpu_time_limit: 0.3 }, 5],
      ['a sleep', 'import time; time.sleep(9)', PYTHON, { wall_time_limit: 0.5 }, 5],
      ['no C++', 'int main( {', CPP, {}, 6],
      ['a null pointer', 'int main() { *(volatile int*)0 = 1; }', CPP, {}, 7],
      ['too much output', 'print("x" * 3000000)', PYTHON, {}, 8],
      ['a division by zero', 'int main() { volatile int a = 5, z = 0; return a / z; }', CPP, {}, 9],
      ['an abort', '#include <cstdlib>\nint main() { abort(); }', CPP, {}, 10],
      ['an exception', 'raise ValueError', PYTHON, {}, 11],
      ['a kill', 'import os; os.kill(os.getpid(), 9)', PYTHON, {}, 12],
      ['too much memory', 'x = bytearray(10**9)\nprint(len(x))', PYTHON, {}, 12],
    ])('tell %s', async (_, source, language, parts, id) => {
      const result = await submit(source, language, { stdin: '', ...parts });
      // Without cgroups a refused allocation is Python's own MemoryError.
      expect(id === 12 ? [11, 12] : [id]).toContain(result.status.id);
      if (id === 6) expect(result.compile_output).toContain('error');
    });

    it('tell times in seconds and memory in KB', async () => {
      const source = 'x = bytearray(20 * 1024 * 1024)\nfor i in range(3 * 10**6): pass\nprint(1)';
      const { time, memory } = await submit(source, PYTHON, { expected_output: '1' });
      expect(Number(time)).toBeGreaterThan(0.02);
      expect(Number(time)).toBeLessThan(5);
      expect(memory).toBeGreaterThan(20 * 1024);
      expect(memory).toBeLessThan(100 * 1024);
    });
  });

  describe('tokens', () => {
    it('of a batch are asked for until all have ended', async () => {
      const submissions = [
        { source_code: SUM, language_id: PYTHON, stdin: '1 2', expected_output: '3' },
        { source_code: SUM_CPP, language_id: CPP, stdin: '1 2', expected_output: '4' },
        { source_code: SUM, language_id: 70 },
      ];
      const sent = await service().client.post('/submissions/batch', { submissions });
      const tokens = z
        .array(z.looseObject({ token: z.string().optional() }))
        .parse(sent.body)
        .flatMap(({ token }) => token ?? []);
      expect(tokens).toHaveLength(2);
      const path = `/submissions/batch?tokens=${tokens.join(',')}&fields=status_id`;
      const Answer = z.object({ submissions: z.array(z.object({ status_id: z.number() })) });
      await expect
        .poll(async () => Answer.parse((await service().client.get(path)).body).submissions, {
          timeout: 10_000,
        })
        .toEqual([{ status_id: 3 }, { status_id: 4 }]);
    });
  });
}
