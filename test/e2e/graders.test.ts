/**
 * Graders: mains of the problem that are built with the candidate's program. Linked in C and C++, found by the main
 * elsewhere; what they print is judged outside, and nothing of the answer is where they run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';

type Graders = NonNullable<JudgeRequestBody['graders']>;

const C_MAIN = (library: string, print: string) => `${library}
#include "total.h"
/* The same name as in programs: each is compiled on its own. */
static int helper(void) { return 0; }
int main(void) {
  int n, values[100];
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n; i++) if (scanf("%d", values + i) != 1) return 1;
  ${print}
  return helper();
}
`;
const HEADER = '#pragma once\nlong long total(int n, const int *values);\n';
const PRINT = 'printf("%lld\\n", total(n, values));';

const GRADERS: Graders = {
  'c++': {
    files: {
      'grader.cpp': C_MAIN('#include <bits/stdc++.h>', PRINT),
      'total.h': HEADER,
    },
    entry: 'grader.cpp',
    program: 'total.cpp',
  },
  c: {
    files: { 'grader.c': C_MAIN('#include <stdio.h>', PRINT), 'total.h': HEADER },
    entry: 'grader.c',
    program: 'total.c',
  },
  python: {
    files: {
      'grader.py': 'import total\ninput()\nprint(total.total(map(int, input().split())))\n',
    },
    entry: 'grader.py',
    program: 'total.py',
  },
  java: {
    files: {
      'Grader.java': `import java.util.Scanner;
public class Grader {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int[] values = new int[in.nextInt()];
        for (int i = 0; i < values.length; i++) values[i] = in.nextInt();
        System.out.println(new Total().total(values));
    }
}
`,
    },
    entry: 'Grader.java',
    program: 'Total.java',
  },
};

const CPP = `#include "total.h"
#include <vector>
static int helper() { return 7; }
long long total(int n, const int *values) {
  long long sum = helper() - 7;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum;
}
`;

const SOLUTIONS: Readonly<Record<string, string>> = {
  cpp: CPP,
  'c++20': CPP,
  c: CPP.replace('#include <vector>\n', ''),
  python: 'def total(values): return sum(values)\n',
  java: `class Total {
    long total(int[] values) {
        long sum = 0;
        for (int value : values) sum += value;
        return sum;
    }
}
`,
};

const TESTS: JudgeRequestBody['tests'] = {
  kind: 'stdio',
  cases: [
    { id: 'few', stdin: '2\n1 2\n', expected_stdout: '3\n', group: 'small' },
    { id: 'many', stdin: '3\n9 9 9\n', expected_stdout: '27\n', group: 'small' },
    {
      id: 'large',
      stdin: '2\n2000000000 2000000000\n',
      expected_stdout: '4000000000\n',
      group: 'large',
    },
  ],
};

describe('graders', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      flags: {
        '--slots': '2',
        '--languages': 'cpp,c,python,java',
        '--max-compile-cpu-ms': '60000',
      },
    });
  });
  afterAll(async () => await service.stop());

  const judge = async (given: Partial<JudgeRequestBody>): Promise<JudgeResponse> =>
    await service.client.judge(
      aJudge({ language: 'cpp', tests: TESTS, graders: GRADERS, ...given }),
    );

  it.each(Object.keys(SOLUTIONS))('%s: a right program is accepted', async (language) => {
    const report = await judge({ language, code: SOLUTIONS[language] ?? '' });
    expect(report, JSON.stringify([report.compile, report.cases])).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      passed: 3,
    });
  });

  it('groups count what a part of the answer is worth', async () => {
    const code = CPP.replaceAll('long long sum', 'int sum');
    const scoring = {
      groups: {
        small: { points: 30, rule: 'min' as const },
        large: { points: 70, rule: 'min' as const },
      },
    };
    const completion = `So:\n\`\`\`cpp\n${code}\`\`\`\n`;
    expect(await judge({ completion, scoring })).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0.3,
      groups: [{ points: 30 }, { points: 0 }],
    });
  });

  it.each([
    ['a main of its own', `${CPP}int main() { return 0; }`, 'compile_error'],
    ['another signature', CPP.replace('int n', 'long n'), 'compile_error'],
    [
      'a constructor that prints and leaves before the grader runs',
      `${CPP}#include <cstdio>\n#include <unistd.h>\nstatic struct Early { Early() { puts("OK"); fflush(stdout); _exit(0); } } early;`,
      'wrong_answer',
    ],
    [
      'a search for the answer',
      `#include <cstdlib>\n#include <cstdio>
long long total(int, const int *) { return system("grep -rl 400000000[0] /work /tmp /proc/self/environ >&2"); }`,
      'wrong_answer',
    ],
  ])('%s earns nothing', async (_what, code, verdict) => {
    const report = await judge({ code, detail: 'full' });
    expect(report).toMatchObject({ verdict, reward: 0 });
    expect(JSON.stringify(report.cases.map(({ stderr }) => stderr))).not.toContain('/work');
  });

  it('a checker judges what the grader prints', async () => {
    const checker = {
      language: 'python',
      convention: 'cms' as const,
      code: 'import sys\na, b = (int(open(path).read()) for path in sys.argv[2:])\nprint(1.0 if a == b else 0.5)',
    };
    const right = await judge({
      language: 'python',
      code: SOLUTIONS['python'] ?? '',
      compare: { checker },
    });
    expect(right, JSON.stringify(right.fault)).toMatchObject({ verdict: 'accepted', reward: 1 });
    const wrong = await judge({
      language: 'python',
      code: 'def total(values): return 5',
      compare: { checker },
      scoring: 'fraction',
    });
    expect(wrong).toMatchObject({ verdict: 'wrong_answer', reward: 0.5 });
  });

  it('another grader is another program, however it was compiled before', async () => {
    const code = `${CPP}// ${Math.random()}\n`;
    const { 'c++': grader = { files: {}, entry: '', program: '' } } = GRADERS;
    const files = {
      ...grader.files,
      'grader.cpp': C_MAIN('#include <cstdio>', 'printf("%lld\\n", -total(n, values));'),
    };
    expect(await judge({ code })).toMatchObject({ reward: 1, compile: { cached: false } });
    expect(await judge({ code })).toMatchObject({ reward: 1, compile: { cached: true } });
    const other = await judge({ code, graders: { cpp: { ...grader, files } } });
    expect(other).toMatchObject({ verdict: 'wrong_answer', compile: { cached: false } });
  });

  it('rows of IOI are built with theirs', async () => {
    const row = {
      id: 'Total',
      subtask: 'all',
      score: 100,
      time_limit: 1,
      memory_limit: 2 ** 28,
      test_names: ['1', '2'],
      test_cases: { 1: ['2\n1 2\n', '3\n'], 2: ['3\n9 9 9\n', '27\n'] },
      grader_files: [
        ['graders/grader.cpp', C_MAIN('#include <bits/stdc++.h>', PRINT)],
        ['graders/total.h', HEADER],
        ['graders/manager.cpp', ''],
      ],
    };
    const completions = [CPP, CPP.replace('sum +=', 'sum -=')].map(
      (code) => `\`\`\`cpp\n${code}\`\`\``,
    );
    const answer = await service.client.post('/v1/reward', { items: [{ row, completions }] });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ rewards: [[1, 0]] });
  });

  const refused = async (given: Partial<JudgeRequestBody>) =>
    await service.client.post('/v1/judge', aJudge({ tests: TESTS, graders: GRADERS, ...given }));

  it('what is wrong is refused with its place', async () => {
    const { java } = GRADERS;
    expect(await refused({ graders: java === undefined ? {} : { java } })).toMatchObject({
      status: 422,
      body: {
        errors: [{ path: 'graders', message: expect.stringContaining('no grader for python') }],
      },
    });
    const files = { 'grader.py': 'print(3)' };
    expect(await refused({ files })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'files', message: expect.stringContaining('grader.py') }] },
    });
    const broken = { files: { 'a.py': '' }, entry: 'b.py', program: 'a.py' };
    expect(await refused({ graders: { python: broken } })).toMatchObject({
      status: 422,
      body: {
        errors: [{ path: 'graders.python.program' }, { path: 'graders.python.entry' }],
      },
    });
    const tests = { kind: 'asserts' as const, cases: ['assert f() == 1'] };
    expect(await refused({ tests })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'graders' }] },
    });
  });
});
