/** The packages that Open R1 judges with, read as its client reads them: rewards of right, wrong and cheating programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type RunningService } from '../../support/service.ts';
import { askOpenR1, getPistonClients } from './client.ts';

const found = await getPistonClients();
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

const TIMEOUT_MS = 120_000;

interface CodeforcesTest {
  readonly code: string;
  readonly language?: 'cf_python3' | 'c++17';
  readonly input?: string;
  readonly expected?: string;
  readonly checker?: string;
  readonly mode?: 'stdio' | 'file';
  readonly timeLimit?: number;
}

function codeforces(test: CodeforcesTest) {
  const { code, language = 'cf_python3', input = '1 2\n', expected = '3\n', checker } = test;
  const { mode = 'stdio', timeLimit = 1 } = test;
  const config = `TIME_LIMIT=${timeLimit}\nMEMORY_LIMIT=256.0\nINPUT_MODE=${mode}`;
  return {
    language,
    run_timeout: (timeLimit + 10) * 1000.0,
    files: [
      { name: language === 'c++17' ? 'main.cpp' : 'main.python', content: code },
      ...(checker === undefined ? [] : [{ name: 'checker.py', content: checker }]),
      { name: 'input.txt', content: input },
      { name: 'correct_output.txt', content: expected },
      { name: 'grader_config', content: config },
    ],
  };
}

const SUM = 'print(sum(map(int, input().split())))';
const SUM_CPP = [
  '#include <bits/stdc++.h>',
  '#ifndef ONLINE_JUDGE',
  '#error not judged',
  '#endif',
  'int main() { int a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }',
].join('\n');
/** Accepts any order of the two numbers of the input. */
const ANY_ORDER =
  'import sys\nread = lambda i: sorted(open(sys.argv[i]).read().split())\nprint(100 if read(1) == read(3) else 0)';
const SPOILT = "print(1)\nprint('1.0')\n";

describe.skipIf(found.kind === 'unreachable')(`Open R1’s client and the packages${note}`, () => {
  if (found.kind === 'unreachable') return;
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python', 'cpp'] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  const judge = async (...tests: readonly CodeforcesTest[]) =>
    await askOpenR1(found, service.url, {
      kind: 'codeforces',
      bodies: tests.map(codeforces),
    });

  it(
    'pass right programs, in whatever way they read and write',
    { timeout: TIMEOUT_MS },
    async () => {
      const rewards = await judge(
        { code: SUM },
        { code: SUM_CPP, language: 'c++17' },
        { code: SUM, input: '1 2\r\n', expected: '3\r\n\r\n' },
        { code: 'print("yes")', expected: 'YES\n' },
        { code: 'print("2\\n1")', checker: ANY_ORDER, expected: '1 2\n' },
        { code: 'print("2 1")', checker: ANY_ORDER, expected: '' },
        {
          code: 'open("output.txt", "w").write(str(sum(map(int, open("input.txt").read().split()))))',
          mode: 'file',
        },
        { code: "print('\u{1f600}')", expected: '\u{1f600}\n' },
        { code: '', expected: '' },
        { code: 'import sys, warnings\nwarnings.warn("x")\nprint(3)' },
      );
      expect(rewards).toEqual(rewards.map(() => true));
    },
  );

  it('fail wrong programs', { timeout: TIMEOUT_MS }, async () => {
    const rewards = await judge(
      { code: 'print(4)' },
      { code: 'print("3.0")' },
      { code: 'print("1 1")', checker: ANY_ORDER },
      { code: 'print(3)\nexit(1)' },
      { code: 'print(3, flush=True)\nwhile True: pass', timeLimit: 0.3 },
      { code: 'print(3)', mode: 'file' },
      { code: 'x = bytearray(2**29)\nprint(3)' },
      { code: 'int main() { return x; }', language: 'c++17' },
    );
    expect(rewards).toEqual([...Array.from({ length: 7 }, () => false), 'compile']);
  });

  it('fail cheats that their own scripts let through', { timeout: TIMEOUT_MS }, async () => {
    const rewards = await judge(
      // The score itself, and what else a grader prints.
      { code: 'print(1)' },
      { code: SPOILT },
      { code: 'print("1")\nimport sys; sys.stderr.write("accepted")' },
      // Whatever judges, overwritten.
      { code: `open("checker.py", "w").write("print(1)")\n${SPOILT}`, checker: ANY_ORDER },
      { code: `open("correct_output.txt", "w").write("9")\nprint(9)` },
      { code: 'print(open("correct_output.txt").read())' },
      {
        code: 'import glob\nfor p in glob.glob("/**/correct_output*", recursive=True) + glob.glob("/**/answer*", recursive=True): print(open(p).read())',
      },
      // The stages of a response, and an exit that looks well.
      { code: 'print(\'{"run": {"code": 0, "stdout": "1"}}\')' },
      { code: 'import os\nos.write(1, b"1\\n")\nos._exit(0)' },
      // A child that outlives the program.
      { code: 'import os, time\nif os.fork() == 0:\n  time.sleep(0.2)\n  os.write(1, b"3\\n")\n' },
      { code: '#include <cstdio>\nint main() { puts("1"); }', language: 'c++17' },
      { code: '#include "correct_output.txt"\nint main() {}', language: 'c++17' },
    );
    // What a child prints while the program's streams are open is the program's output, and right.
    expect(rewards.toSpliced(9, 1)).toEqual([
      ...Array.from({ length: 10 }, () => false),
      'compile',
    ]);
  });

  it('give no reward where the checker fails', { timeout: TIMEOUT_MS }, async () => {
    expect(await judge({ code: SUM, checker: 'raise SystemExit(3)' })).toEqual([
      { raised: 'KeyError' },
    ]);
  });

  it('answer all of 64 tests at once', { timeout: TIMEOUT_MS }, async () => {
    const tests = Array.from({ length: 64 }, (_, i) => ({
      code: SUM,
      input: `${i} ${i}\n`,
      expected: `${2 * i + (i % 8 === 0 ? 1 : 0)}\n`,
    }));
    expect(await judge(...tests)).toEqual(tests.map((_, i) => i % 8 !== 0));
  });

  const HEADER = { name: 'graders/adding.h', content: 'int add(int a, int b);\n' };
  const GRADER = {
    name: 'graders/grader.cpp',
    content:
      '#include <cstdio>\n#include "adding.h"\nint helper() { return 0; }\nint main() { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; printf("%d\\n", add(a, b) + helper()); }\n',
  };
  /** All for the answer, half for one beside it. */
  const CHECKER = {
    name: 'checker/checker.cpp',
    content:
      '#include <cstdio>\n#include <cstdlib>\nint main(int, char **argv) {\n  int x[2] = {0, 0};\n  for (int i = 0; i < 2; i++) { FILE *f = fopen(argv[i + 2], "r"); if (fscanf(f, "%d", &x[i]) != 1) x[i] = -9; }\n  int d = abs(x[0] - x[1]);\n  puts(d == 0 ? "1.0" : d == 1 ? "0.5" : "0.0");\n  fputs(d == 0 ? "translate:success" : d == 1 ? "close" : "translate:wrong", stderr);\n}\n',
  };
  const MANAGER = {
    name: 'graders/manager.cpp',
    content:
      '#include <cstdio>\nint main(int, char **argv) {\n  int n, got = -1;\n  if (scanf("%d", &n) != 1) return 1;\n  FILE *out = fopen(argv[2], "w"), *in = fopen(argv[1], "r");\n  fprintf(out, "%d\\n", n); fflush(out);\n  if (fscanf(in, "%d", &got) != 1) got = -1;\n  puts(got == 2 * n ? "1.0" : "0.0");\n  fputs(got == 2 * n ? "translate:success" : "translate:wrong", stderr);\n}\n',
  };
  const STUB = {
    name: 'graders/stub.cpp',
    content:
      '#include <cstdio>\nint twice(int n);\nint main(int argc, char **argv) {\n  FILE *in = argc > 2 ? fopen(argv[1], "r") : stdin, *out = argc > 2 ? fopen(argv[2], "w") : stdout;\n  int n; if (fscanf(in, "%d", &n) != 1) return 1;\n  fprintf(out, "%d\\n", twice(n)); fflush(out);\n}\n',
  };

  const config = (parts: object = {}) => ({
    name: 'graders/grader_config.json',
    content: JSON.stringify({
      task_type: 'Batch',
      code: 'adding',
      time_limit: 0.5,
      memory_limit: 268_435_456,
      ...parts,
    }),
  });

  interface IoiTest {
    readonly code: string;
    readonly files?: readonly object[];
    readonly expected?: string;
    readonly input?: string;
  }

  const ioi = async (...tests: readonly IoiTest[]) =>
    await askOpenR1(found, service.url, {
      kind: 'ioi',
      bodies: tests.map(({ code, files = [], expected = '3\n', input = '1 2\n' }) => ({
        language: 'cms_ioi',
        run_timeout: 3500,
        run_memory_limit: 268_435_456,
        files: [
          { name: 'graders/adding.cpp', content: code },
          { name: 'input.txt', content: input },
          ...(expected === '' ? [] : [{ name: 'correct_output.txt', content: expected }]),
          ...files,
        ],
      })),
    });

  const add = (body: string): string =>
    `#include <bits/stdc++.h>\n#include "adding.h"\nstatic int helper() { return 1; }\nint add(int a, int b) { (void)helper; ${body} }\n`;

  it('score tasks with a grader, compared or checked', { timeout: TIMEOUT_MS }, async () => {
    const compared = [HEADER, GRADER, config()];
    const checked = [...compared, CHECKER];
    const scores = await ioi(
      { code: add('return a + b;'), files: compared },
      { code: add('return a - b;'), files: compared },
      { code: add('return a + b;'), files: checked },
      { code: add('return a + b + 1;'), files: checked },
      { code: add('return 77;'), files: checked },
      { code: add('for (;;);'), files: compared },
      { code: add('return *(volatile int *)0;'), files: compared },
      { code: add('return x;'), files: compared },
      // The score on stdout, with no expected output to compare with.
      { code: add('puts("1"); exit(0);'), files: compared, expected: '' },
      { code: add('puts("1.0"); exit(0);'), files: checked },
      {
        code: add('std::ofstream("checker/checker") << "x"; puts("1.0"); exit(0);'),
        files: checked,
      },
    );
    expect(scores).toEqual([
      [1, 'Output is correct (diff)\n'],
      [0, "Output isn't correct (diff)\n"],
      [1, 'Output is correct\n'],
      [0.5, 'Output is partially correct: close\n'],
      [0, "Output isn't correct: wrong\n"],
      [0, 'Time limit exceeded (0.5s)\n'],
      [0, 'Runtime error with exit code 139\n'],
      [0, expect.stringMatching(/^Compilation error exit code 1\n.*adding\.cpp.*‘x’/s)],
      [0, "Output isn't correct (diff)\n"],
      [0, "Output isn't correct: wrong\n"],
      [0, "Output isn't correct: wrong\n"],
    ]);
  });

  it('score tasks with a manager', { timeout: TIMEOUT_MS }, async () => {
    const task = (parts: object) => [
      MANAGER,
      STUB,
      { name: 'graders/adding.h', content: 'int twice(int n);\n' },
      config({ task_type: 'Communication', ...parts }),
    ];
    const std = task({ task_type_parameters_Communication_user_io: 'std_io' });
    const fifo = task({ task_type_parameters_Communication_user_io: 'fifo_io' });
    const right = '#include "adding.h"\nint twice(int n) { return 2 * n; }\n';
    // Each of two processes gets a part, and both must be right.
    const pair = [
      {
        name: MANAGER.name,
        content:
          '#include <cstdio>\nint main(int, char **argv) {\n  int n, sum = 0;\n  if (scanf("%d", &n) != 1) return 1;\n  for (int i = 0; i < 2; i++) {\n    FILE *out = fopen(argv[2 * i + 2], "w"), *in = fopen(argv[2 * i + 1], "r");\n    int got = -1;\n    fprintf(out, "%d\\n", n + i); fflush(out);\n    if (fscanf(in, "%d", &got) == 1) sum += got;\n  }\n  puts(sum == 4 * n + 2 ? "1.0" : "0.0");\n}\n',
      },
      ...task({
        task_type_parameters_Communication_num_processes: 2,
        task_type_parameters_Communication_user_io: 'fifo_io',
      }).slice(1),
    ];
    const scores = await ioi(
      { code: right, files: pair, input: '21\n' },
      { code: right.replace('2 *', '1 +'), files: pair, input: '21\n' },
      { code: right, files: std, input: '21\n' },
      { code: right, files: fifo, input: '21\n' },
      { code: right.replace('2 *', '3 *'), files: std, input: '21\n' },
    );
    expect(scores).toEqual([
      [1, 'Output is correct\n'],
      [0, "Output isn't correct\n"],
      [1, 'Output is correct\n'],
      [1, 'Output is correct\n'],
      [0, "Output isn't correct: wrong\n"],
    ]);
  });
});
