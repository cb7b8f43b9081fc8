/**
 * Test files of Go and of JUnit, over HTTP against real jails: each test has a result, what is not right is told as what it
 * is, and results that a program forges are found out by canaries.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { readGauntlet } from '../../src/cli/gauntlet/problems.ts';
import { attemptsOf } from '../../src/cli/gauntlet/run.ts';
import { projectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';
import { GO_RIGHT, GO_TEST, JAVA_OLD_TEST, JAVA_RIGHT, JAVA_TEST } from './test-file-texts.ts';

/** Builds are many, and a busy machine takes its time. */
const TIMEOUT_MS = 180_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ languages: ['go', 'java'], flags: { '--slots': '2' } });
}, TIMEOUT_MS);
afterAll(async () => await service.stop());

interface Asked {
  readonly language: 'go' | 'java';
  readonly code: string;
  readonly files: Readonly<Record<string, string>>;
  readonly ids?: readonly string[];
}

async function ask({
  language,
  code,
  files,
  ids,
}: Asked): Promise<{ status: number; body: unknown }> {
  const kind = language === 'go' ? 'go_test' : 'junit';
  const { status, body } = await service.client.post('/v1/judge', {
    language,
    code,
    tests: { kind, files, ...(ids && { ids }) },
    scoring: 'fraction',
    detail: 'full',
    limits: { wall_ms: 60_000 },
  });
  return { status, body };
}

/** Skips, and says why, where this host has no runner for the kind. */
async function judge(skip: (note: string) => never, asked: Asked): Promise<JudgeResponse> {
  const { status, body } = await ask(asked);
  if (status === 503) skip(`this host lacks what the tests need: ${JSON.stringify(body)}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as JudgeResponse;
}

function verdictsOf({ cases }: JudgeResponse): Record<string, string> {
  return Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict]));
}

const GO = { language: 'go', files: { 'main_test.go': GO_TEST } } as const;
const JAVA = {
  language: 'java',
  files: { 'SolutionTest.java': JAVA_TEST, 'OldTest.java': JAVA_OLD_TEST },
} as const;

describe('test files', { timeout: TIMEOUT_MS }, () => {
  it('of Go are passed by a right program, and failed one by one by others', async ({ skip }) => {
    const right = await judge(skip, { ...GO, code: GO_RIGHT });
    expect(right).toMatchObject({
      verdict: 'accepted',
      mode: 'in_process',
      total: 4,
      canaries: { runs: 3, failed: 3, flagged: false },
    });
    const code = GO_RIGHT.replace('x / y, nil', 'x / y + 1, nil').replace(
      'n%2 == 0',
      'n/(n-n) == 0',
    );
    expect(verdictsOf(await judge(skip, { ...GO, code }))).toEqual({
      TestAdd: 'accepted',
      TestTable: 'accepted',
      TestDivide: 'wrong_answer',
      TestLists: 'runtime_error',
    });
  });

  it('of JUnit 5 and 4 are passed by a right program, and failed one by one by others', async ({
    skip,
  }) => {
    const right = await judge(skip, { ...JAVA, code: JAVA_RIGHT });
    expect(right).toMatchObject({
      verdict: 'accepted',
      mode: 'in_process',
      total: 9,
      canaries: { runs: 3, failed: 3, flagged: false },
    });
    const code = JAVA_RIGHT.replace('return x + y', 'return x < 0 ? 0 : x + y')
      .replace('x / y;', 'x / y + 1;')
      .replace('IntStream.range', 'null; }\n List<Integer> other(int n) { return IntStream.range')
      .replace(
        'return n % 2 == 0',
        'if (n == 8) throw new IllegalStateException("eight"); return n % 2 == 0',
      )
      .replace(
        'nap() {}',
        'nap() { try { Thread.sleep(50_000); } catch (InterruptedException e) { } }',
      );
    expect(verdictsOf(await judge(skip, { ...JAVA, code }))).toEqual({
      'SolutionTest.add': 'accepted',
      'SolutionTest.rows[1]': 'accepted',
      'SolutionTest.rows[2]': 'wrong_answer',
      'SolutionTest.evens[1]': 'accepted',
      'SolutionTest.evens[2]': 'runtime_error',
      'SolutionTest.divide': 'wrong_answer',
      'SolutionTest$Lists.count': 'wrong_answer',
      'SolutionTest.inTime': 'wrong_answer',
      'OldTest.add': 'accepted',
    });
  });

  it('count what is declared and what is skipped', async ({ skip }) => {
    const short = `package main\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Error("no")\n\t}\n}\n`;
    const skipped = `${short}\nfunc TestSkip(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Error("no")\n\t}\n\tt.Skip("not here")\n}\n`;
    const files = { 'main_test.go': skipped };
    const all = await judge(skip, { language: 'go', code: GO_RIGHT, files });
    expect(all).toMatchObject({ reward: 0.5, total: 2 });
    expect(all.cases[1]?.message).toContain('skipped');
    const ids = ['TestAdd', 'TestSkip', 'TestMore'];
    const more = await judge(skip, { language: 'go', code: GO_RIGHT, files, ids });
    expect(more).toMatchObject({ reward: 0, passed: 0, total: 3 });
  });

  it.for<[string, Asked]>([
    ['Go', { ...GO, code: GO_RIGHT.replace('Add(', 'add(') }],
    ['Java', { ...JAVA, code: JAVA_RIGHT.replace('int add', 'int plus') }],
  ])(
    'do not compile with a program that lacks what they test (%s)',
    async ([, asked], { skip }) => {
      const report = await judge(skip, asked);
      expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
      expect(report.compile?.stderr).toMatch(/undefined: Add|cannot find symbol/);
      expect(report.compile?.stderr).not.toContain('42');
    },
  );

  it.for<[string, Asked]>([
    [
      'Go',
      { language: 'go', code: GO_RIGHT, files: { 'x_test.go': 'package main\n\nfunc TestAdd(' } },
    ],
    [
      'Java',
      { language: 'java', code: JAVA_RIGHT, files: { 'X.java': 'class X { @Test void x( }' } },
    ],
  ])('that are none are the fault of the problem (%s)', async ([, asked], { skip }) => {
    expect(await judge(skip, asked)).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'tests_broken' },
    });
  });

  it.for<[string, Asked, RegExp]>([
    [
      'Go without a literal',
      {
        language: 'go',
        code: GO_RIGHT,
        files: {
          'x_test.go':
            'package main\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != Add(2, 1) {\n\t\tt.Error("no")\n\t}\n}\n',
        },
      },
      /no expected literal/,
    ],
    [
      'Go with a table that two tests share',
      {
        language: 'go',
        code: GO_RIGHT,
        files: {
          'x_test.go': `package main

import "testing"

var table = []struct{ x, y, want int }{{1, 2, 3}, {4, 5, 9}}

func TestOne(t *testing.T) {
	for _, tt := range table {
		if Add(tt.x, tt.y) != tt.want {
			t.Error("no")
		}
	}
}

func TestOther(t *testing.T) {
	for _, tt := range table {
		if Add(tt.y, tt.x) != tt.want {
			t.Error("no")
		}
	}
}
`,
        },
      },
      /no expected literal/,
    ],
    [
      'Java without a test',
      { language: 'java', code: JAVA_RIGHT, files: { 'X.java': 'class X {}' } },
      /no tests/,
    ],
  ])('are refused: %s', async ([, asked, message], { skip }) => {
    const { status, body } = await ask(asked);
    if (status === 503) skip(`this host lacks what the tests need: ${JSON.stringify(body)}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toMatch(message);
  });

  it('are of one language', async () => {
    const response = await service.client.post('/v1/judge', {
      language: 'java',
      code: JAVA_RIGHT,
      tests: { kind: 'go_test', files: GO.files },
    });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toMatch(/go_test are for Go/);
  });

  // That they win the real run is what makes the gauntlet's result worth anything.
  it.for(['files-go/go_test/hacks/forged-frame', 'files-java/junit/hacks/forged-frame'])(
    'are forged by %s, and canaries tell',
    async (name, { skip }) => {
      const gauntlet = await readGauntlet(projectFile('gauntlet'));
      const [attempt] = attemptsOf(gauntlet, new RegExp(`^${name}[.]`));
      const request = attempt?.request ?? {};
      const { status, body } = await service.client.post('/v1/judge', {
        ...request,
        language: name.startsWith('files-go') ? 'go' : 'java',
        code: attempt?.program.source,
        limits: {},
      });
      if (status === 503) skip(`this host lacks what the tests need: ${JSON.stringify(body)}`);
      expect(body).toMatchObject({ reward: 0, canaries: { flagged: true } });
    },
  );
});
