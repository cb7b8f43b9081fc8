/**
 * Five contest problems judged end to end with programs of our own in six languages. Two of the problems accept many
 * answers while their tests hold one: there an accepted verdict is true, and a wrong_answer may be unjust. The report
 * says only that the output differs from the expected one, and these tests show exactly that.
 */
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { z } from 'zod';

import { aJudge, type CaseBody } from '../support/builders.ts';
import { readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

const Problem = z.strictObject({
  id: z.string(),
  dataset: z.string(),
  source: z.string(),
  inputs: z.array(z.string()).min(1),
  outputs: z.array(z.string()).min(1),
});

const PROBLEMS = {
  words: 'c69268d8bdb4da0685d7b187c88296c1',
  diagonal: '570676e22bd21c28e452486b0668ec74',
  sequence: 'ff86821ed6f7260c7a17c4c9be03b663',
  barrels: 'f3e3b9f12d602bf80fdcd2c08a2f417f',
  beautiful: '1a54a91d7294e33bed666e3bc94148fd',
} as const;
type ProblemName = keyof typeof PROBLEMS;

const LANGUAGES = {
  py: 'python',
  cpp: 'cpp',
  js: 'javascript',
  java: 'java',
  go: 'go',
  rs: 'rust',
} as const;
type Extension = keyof typeof LANGUAGES;

/** What the wrong programs deserve; their first line says why. */
const WRONG: Readonly<Record<ProblemName, Readonly<Record<Extension, string>>>> = {
  words: {
    py: 'wrong_answer',
    cpp: 'wrong_answer',
    js: 'runtime_error',
    java: 'runtime_error',
    go: 'wrong_answer',
    rs: 'runtime_error',
  },
  diagonal: {
    py: 'wrong_answer',
    cpp: 'compile_error',
    js: 'runtime_error',
    java: 'compile_error',
    go: 'compile_error',
    rs: 'compile_error',
  },
  sequence: {
    py: 'wrong_answer',
    cpp: 'memory_limit',
    js: 'output_limit',
    java: 'memory_limit',
    go: 'memory_limit',
    rs: 'output_limit',
  },
  barrels: {
    py: 'wrong_answer',
    cpp: 'time_limit',
    js: 'wrong_answer',
    java: 'time_limit',
    go: 'runtime_error',
    rs: 'wrong_answer',
  },
  beautiful: {
    py: 'wrong_answer',
    cpp: 'runtime_error',
    js: 'wrong_answer',
    java: 'runtime_error',
    go: 'runtime_error',
    rs: 'wrong_answer',
  },
};

const names = Object.keys(PROBLEMS) as ProblemName[];
const extensions = Object.keys(LANGUAGES) as Extension[];
const pairs = names.flatMap((problem) => extensions.map((extension) => ({ problem, extension })));

const problems = readProjectFile('test', 'data', 'stdin-problems.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => Problem.parse(JSON.parse(line)));

function casesOf(name: ProblemName): CaseBody[] {
  const problem = problems.find(({ id }) => id === PROBLEMS[name]);
  if (problem === undefined) throw new Error(`no problem ${name}`);
  return problem.inputs.map((stdin, i) => ({ stdin, expected_stdout: problem.outputs[i] ?? '' }));
}

function solution(problem: ProblemName, file: string): string {
  return readProjectFile('test', 'e2e', 'programs', problem, file);
}

describe('five problems', () => {
  let service: RunningService;
  /** Languages that this host lacks → why. */
  let missing: ReadonlyMap<string, string>;
  beforeAll(async () => {
    service = await startService({
      languages: Object.values(LANGUAGES),
      flags: { '--slots': '2' },
    });
    missing = new Map(
      (await service.client.languages()).flatMap(({ id, available, reason }) =>
        available ? [] : [[id, reason ?? 'unknown']],
      ),
    );
  });
  afterAll(async () => await service.stop());

  const skipMissing = (extension: Extension, skip: TestContext['skip']): void => {
    const reason = missing.get(LANGUAGES[extension]);
    skip(reason !== undefined, `${LANGUAGES[extension]} is not available here: ${reason}`);
  };

  it.for(pairs)(
    '$problem, right, $extension: accepted',
    async ({ problem, extension }, { skip }) => {
      skipMissing(extension, skip);
      const cases = casesOf(problem);
      const report = await service.client.judge(
        aJudge({
          language: LANGUAGES[extension],
          code: solution(problem, `right.${extension}`),
          cases,
        }),
      );
      expect(report).toMatchObject({
        verdict: 'accepted',
        reward: 1,
        passed: cases.length,
        total: cases.length,
        fraction: 1,
        fault: null,
        message: '',
      });
    },
  );

  it.for(pairs)(
    '$problem, wrong, $extension: its own failure, reward 0',
    async ({ problem, extension }, { skip }) => {
      skipMissing(extension, skip);
      const report = await service.client.judge(
        aJudge({
          language: LANGUAGES[extension],
          code: solution(problem, `wrong.${extension}`),
          cases: casesOf(problem),
          limits: { cpu_ms: 1000, memory_mb: 128, output_kb: 1024 },
        }),
      );
      expect(report).toMatchObject({ verdict: WRONG[problem][extension], reward: 0, fault: null });
    },
  );

  it.each(['words', 'sequence'] as const)(
    '%s accepts many answers: another right one is judged by comparison, and nothing more is claimed',
    async (problem) => {
      const report = await service.client.judge(
        aJudge({ code: solution(problem, 'other.py'), cases: casesOf(problem), stop: 'never' }),
      );
      expect(report).toMatchObject({
        verdict: 'wrong_answer',
        reward: 0,
        mode: 'stdio',
        profile: 'strict',
      });
      expect(report.cases[0]?.message).toMatch(/expected .* got /);
    },
  );

  const isManyAnswers = ({ problem }: { problem: ProblemName }): boolean =>
    problem === 'words' || problem === 'sequence';
  const checkerOf = (problem: ProblemName) => ({
    language: 'cpp',
    code: solution(problem, 'checker.cpp'),
    convention: 'testlib' as const,
    limits: { compile_cpu_ms: 60_000 },
  });

  it.for(pairs.filter(isManyAnswers))(
    '$problem, $extension: with its checker the right one is accepted and the wrong one is not',
    async ({ problem, extension }, { skip }) => {
      skipMissing(extension, skip);
      const judge = async (file: string) =>
        await service.client.judge(
          aJudge({
            language: LANGUAGES[extension],
            code: solution(problem, `${file}.${extension}`),
            cases: casesOf(problem),
            compare: { checker: checkerOf(problem) },
            limits: { cpu_ms: 1000, memory_mb: 128, output_kb: 1024 },
          }),
        );
      expect(await judge('right')).toMatchObject({ verdict: 'accepted', reward: 1, fault: null });
      const wrong = WRONG[problem][extension];
      expect(await judge('wrong')).toMatchObject({ verdict: wrong, reward: 0, fault: null });
    },
  );

  it.each(['words', 'sequence'] as const)(
    '%s: with its checker another right answer is accepted, and nearly right ones are not',
    async (problem) => {
      const judge = async (code: string) =>
        await service.client.judge(
          aJudge({ code, cases: casesOf(problem), compare: { checker: checkerOf(problem) } }),
        );
      const other = solution(problem, 'other.py');
      const accepted = await judge(other);
      expect(accepted, accepted.message).toMatchObject({ verdict: 'accepted', reward: 1 });
      const outputs = 'import io, sys\nkept, sys.stdout = sys.stdout, io.StringIO()\n';
      const spoil = (how: string): string =>
        `${outputs}${other}\ntext, sys.stdout = sys.stdout.getvalue(), kept\n${how}\n`;
      for (const how of [
        'print(text, 1)',
        'print(text[: len(text) // 2])',
        'print(text.replace("1", "2"))',
        'print(text.replace("1", "one"))',
      ]) {
        const report = await judge(spoil(how));
        expect(report, `${how}: ${report.message}`).toMatchObject({
          verdict: 'wrong_answer',
          reward: 0,
          fault: null,
        });
      }
    },
  );

  it('a whole completion, as a model writes it, is judged like the program in it', async () => {
    const completion = `<think>\n\`\`\`python\nprint("draft")\n\`\`\`\n</think>\nHere it is:\n\`\`\`python\n${solution('barrels', 'right.py')}\`\`\`\nDone.`;
    const cases = casesOf('barrels');
    expect(await service.client.judge(aJudge({ completion, cases }))).toMatchObject({
      verdict: 'accepted',
      reward: 1,
    });
    const prose = await service.client.judge(aJudge({ completion: 'I cannot solve this.', cases }));
    expect(prose).toMatchObject({ verdict: 'no_code', reward: 0 });
  });

  it('fraction counts the cases passed, over a batch in one stream', async () => {
    const present = extensions.filter((extension) => !missing.has(LANGUAGES[extension]));
    const lines = present.map((extension) =>
      JSON.stringify(
        aJudge({
          id: extension,
          language: LANGUAGES[extension],
          code: solution('diagonal', `right.${extension}`),
          cases: casesOf('diagonal'),
          scoring: 'fraction',
        }),
      ),
    );
    const response = await fetch(`${service.url}/v1/judge/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: [...lines, '{"id": "bad", "language": "python"}'].join('\n'),
    });
    const answers = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => z.looseObject({}).parse(JSON.parse(line)));
    expect(answers.at(-1)).toEqual({
      summary: { lines: present.length + 1, judged: present.length, rejected: 1, faults: 0 },
    });
    for (const id of present) {
      expect(answers.find((answer) => answer['id'] === id)).toMatchObject({
        verdict: 'accepted',
        reward: 1,
      });
    }
    expect(answers.find((answer) => answer['id'] === 'bad')).toMatchObject({
      line: present.length + 1,
      error: { code: 'invalid' },
    });
  });
});
