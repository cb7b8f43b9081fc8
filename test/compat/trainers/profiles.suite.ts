/** Profiles over real jails: programs on which the originals and `strict` differ, and what a report says of the rules. */
import { describe, expect, it } from 'vitest';

import { JudgeResponse } from '../../../src/http/native/schema/report.ts';
import type { RunningService } from '../../support/service.ts';

/** Right programs that the LiveCodeBench family's own process takes for wrong; two lines of input, `3` to be printed. */
const MISJUDGED: Readonly<Record<string, string>> = {
  'lines of stdin by iteration': 'import sys\nprint(sum(int(x) for x in sys.stdin))',
  'bytes of stdin by line':
    'import sys\nread = sys.stdin.buffer.readline\nprint(int(read()) + int(read()))',
  'bytes of stdout': 'import sys\nsys.stdout.buffer.write(b"3\\n")',
  'a global': 'c = 1\ndef f():\n    global c\n    c += 2\nf()\nprint(c)',
  'the descriptor of stdin': 'print(sum(map(int, open(0).read().split())))',
  'a main guard that is not last': 'def f(): print(3)\nif __name__ == "__main__":\n    f()\nx = 1',
  'functions of os':
    'import os\nos.makedirs("a")\nos.chdir("a")\nprint(3, flush=True)\nos.getcwd()',
  'a child process':
    'import subprocess\nprint(subprocess.run(["echo", "3"], capture_output=True, text=True).stdout)',
  'a warning on stderr': 'import sys\nprint("warning: slow", file=sys.stderr)\nprint(3)',
  'exit()': 'print(3)\nexit()',
  'input() to the end':
    'total = 0\ntry:\n    while True: total += int(input())\nexcept EOFError:\n    print(total)',
  'readline() to the end':
    'import sys\ntotal = 0\nwhile line := sys.stdin.readline(): total += int(line)\nprint(total)',
  'deep recursion':
    'import sys\nsys.setrecursionlimit(50000)\ndef f(n): return n if n == 0 else f(n - 1)\nf(20000)\nprint(3)',
};

export function profilesSuite(service: () => RunningService): void {
  const judge = async (profile: string, code: string, expected: string) => {
    const answer = await service().client.post('/v1/judge', {
      language: 'python',
      code,
      profile,
      tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: expected }] },
    });
    return JudgeResponse.parse(answer.body);
  };

  const EXITS = 'print(3)\nimport sys\nsys.exit(1)';
  const CRASHES = 'print(3)\nraise ValueError("x")';
  const KILLED = 'import os\nprint(3, flush=True)\nos.abort()';
  const WARNS = 'import sys\nprint(3)\nprint("careful", file=sys.stderr)';

  describe('verdicts', () => {
    it.each<[string, string, string, Readonly<Record<string, string>>]>([
      [
        'an exit code after the right output',
        EXITS,
        '3',
        { strict: 'runtime_error', lcb: 'accepted', rllm: 'accepted', 'open-r1': 'runtime_error' },
      ],
      [
        'an exception after the right output',
        CRASHES,
        '3',
        { strict: 'runtime_error', lcb: 'runtime_error', rllm: 'accepted', trl: 'accepted' },
      ],
      [
        'a signal after the right output',
        KILLED,
        '3',
        { strict: 'runtime_error', lcb: 'runtime_error', 'nemo-skills': 'accepted' },
      ],
      [
        'a warning on stderr',
        WARNS,
        '3',
        { strict: 'accepted', genesys: 'wrong_answer', trl: 'accepted' },
      ],
      [
        'the wrong word',
        'print("YES")',
        'NO',
        { strict: 'wrong_answer', rllm: 'accepted', lcb: 'wrong_answer', apps: 'wrong_answer' },
      ],
      [
        'a prefix of the right output',
        'print(1)',
        '1\n2',
        { strict: 'wrong_answer', 'open-r1': 'accepted' },
      ],
      [
        'a second process',
        'import os\nif os.fork() == 0: os._exit(0)\nos.wait()\nprint(3)',
        '3',
        { strict: 'accepted', cms: 'runtime_error', trl: 'accepted' },
      ],
      // Right programs that fail inside the original grader are right here.
      [
        'lines of stdin by iteration',
        'import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))',
        '3',
        { strict: 'accepted', lcb: 'accepted', 'nemo-gym': 'accepted' },
      ],
    ])('judge %s', async (_, code, expected, verdicts) => {
      for (const [profile, verdict] of Object.entries(verdicts)) {
        const report = await judge(profile, code, expected);
        expect([profile, report.verdict, report.reward]).toEqual([
          profile,
          verdict,
          verdict === 'accepted' ? 1 : 0,
        ]);
        expect(report.profile).toBe(profile);
        expect(report.provenance.profile).toMatch(new RegExp(`^${profile}@\\d+$`));
        expect(report.can_be_gamed).toBe(!['strict', 'cms'].includes(profile));
      }
    });

    it('judge as processes what only fails inside a grader', async () => {
      const verdicts = await Promise.all(
        Object.entries(MISJUDGED).flatMap(([name, code]) =>
          ['strict', 'lcb', 'oi-stdio'].map(async (profile) => {
            const answer = await service().client.post('/v1/judge', {
              language: 'python',
              code,
              profile,
              tests: { kind: 'stdio', cases: [{ stdin: '1\n2\n', expected_stdout: '3' }] },
            });
            return `${name} (${profile}): ${JudgeResponse.parse(answer.body).verdict}`;
          }),
        ),
      );
      expect(verdicts.filter((each) => !each.endsWith(': accepted'))).toEqual([]);
    });

    it('say in a reward whose rules decided, in place of a row’s own limits and comparison', async () => {
      const row = {
        problem_id: 1,
        question: '',
        solutions: '',
        input_output: JSON.stringify({ inputs: ['1 2\n'], outputs: ['3.0\n'] }),
        difficulty: 'interview',
        url: '',
        starter_code: '',
      };
      const completions = ['```python\nprint(3)\n```', '```python\nprint(4)\n```'];
      const answer = await service().client.post('/v1/reward', {
        profile: 'lcb',
        dataset: 'apps',
        language: 'python',
        items: [{ row, completions }],
      });
      expect(answer.body).toMatchObject({
        rewards: [[1, 0]],
        results: [[{ profile: 'lcb', can_be_gamed: true, limits: { cpu_ms: 6000 } }, {}]],
      });
    });
  });
}
