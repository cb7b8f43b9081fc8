/** Programs whose verdicts are known, as judge requests: for proofs that compare walls. Reads data; judges nothing. */
import { readdirSync } from 'node:fs';

import { z } from 'zod';

import { loadDefinitions } from '../../src/catalog/definitions.ts';
import { SELF_TEST_LIMITS } from '../../src/catalog/self-test.ts';
import { aJudge, type JudgeRequestBody } from './builders.ts';
import { projectFile, readProjectFile } from './project.ts';

export interface KnownProgram {
  readonly name: string;
  readonly language: string;
  readonly request: JudgeRequestBody;
}

const KIB = 1024;

/** Every self-test of every language. */
export async function selfTestPrograms(): Promise<KnownProgram[]> {
  const { cpuMs, wallMs, memoryBytes = 0, outputBytes = 0, processes } = SELF_TEST_LIMITS;
  const limits = {
    cpu_ms: cpuMs,
    wall_ms: wallMs,
    memory_mb: memoryBytes / KIB / KIB,
    output_kb: outputBytes / KIB,
    processes,
  };
  const definitions = await loadDefinitions(projectFile('languages'));
  return definitions.flatMap(({ id: language, selfTests }) =>
    Object.entries(selfTests).map(([test, { file, stdin, stdout }]) => {
      const code = readProjectFile('languages', language, file);
      const cases = [{ stdin, expected_stdout: stdout }];
      return {
        name: `${language} ${test}`,
        language,
        request: aJudge({ language, code, cases, limits }),
      };
    }),
  );
}

/** Walls whose verdicts are compared with nsjail's. */
type OtherWall = 'gvisor' | 'pod';

interface Difference {
  readonly of: RegExp;
  readonly nsjail: string;
  /** What it may be elsewhere. */
  readonly others: Readonly<Partial<Record<OtherWall, readonly string[]>>>;
}

const BOMB = ['time_limit', 'memory_limit'];

/** Verdicts that differ between the walls, with the reason; none of them earns anything. */
const EXPLAINED: readonly Difference[] = [
  {
    // Forks are refused by an rlimit, which counts no refusals: a program that goes on asking ends by its CPU limit. And
    // each process costs the sandbox a few MiB of its own, which 16 of them in 64 MiB may meet first.
    of: / fork-bomb$/,
    nsjail: 'runtime_error',
    others: { gvisor: BOMB, pod: BOMB },
  },
  {
    // A Java stack that is filled to its end takes 2.4 to 4 s of CPU time there, of 1 that it has (nsjail 0.4).
    of: /^beautiful wrong\.java$/,
    nsjail: 'runtime_error',
    others: { pod: ['time_limit'] },
  },
];

/** Whether two verdicts may be one program's. */
export function isSameOrExplained(
  name: string,
  nsjail: string,
  [wall, other]: readonly [OtherWall, string],
): boolean {
  if (nsjail === other) return true;
  return EXPLAINED.some(
    ({ of, others, ...each }) =>
      of.test(name) && nsjail === each.nsjail && others[wall]?.includes(other) === true,
  );
}

const HumanEvalRow = z.looseObject({
  task_id: z.string(),
  prompt: z.string(),
  canonical_solution: z.string(),
  entry_point: z.string(),
  test: z.string(),
});

/** HumanEval: each reference solution, and a program that answers nothing. */
export function humanEvalPrograms(): KnownProgram[] {
  const rows = linesOf('humaneval.jsonl').map((line) => HumanEvalRow.parse(JSON.parse(line)));
  return rows.flatMap(({ task_id: id, prompt, canonical_solution: solution, entry_point, test }) =>
    Object.entries({ right: solution, empty: '    return None\n' }).map(([kind, body]) => ({
      name: `${id} ${kind}`,
      language: 'python',
      request: {
        language: 'python',
        code: prompt + body,
        tests: { kind: 'check' as const, code: test, entry: entry_point, prompt },
      },
    })),
  );
}

const StdinProblem = z.looseObject({
  id: z.string(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
});

const PROBLEMS: Readonly<Record<string, string>> = {
  words: 'c69268d8bdb4da0685d7b187c88296c1',
  diagonal: '570676e22bd21c28e452486b0668ec74',
  sequence: 'ff86821ed6f7260c7a17c4c9be03b663',
  barrels: 'f3e3b9f12d602bf80fdcd2c08a2f417f',
  beautiful: '1a54a91d7294e33bed666e3bc94148fd',
};
const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'python',
  cpp: 'cpp',
  js: 'javascript',
  java: 'java',
  go: 'go',
  rs: 'rust',
};

/** The stdin problems, each with a right and a wrong program in six languages. */
export function stdinPrograms(): KnownProgram[] {
  const rows = linesOf('stdin-problems.jsonl').map((line) => StdinProblem.parse(JSON.parse(line)));
  return Object.entries(PROBLEMS).flatMap(([problem, id]) => {
    const row = rows.find((each) => each.id === id);
    const cases = (row?.inputs ?? []).map((stdin, i) => ({
      stdin,
      expected_stdout: row?.outputs[i] ?? '',
    }));
    const folder = ['test', 'e2e', 'programs', problem];
    return readdirSync(projectFile(...folder)).flatMap((file) => {
      const [kind = '', extension = ''] = file.split('.');
      const language = LANGUAGES[extension];
      if (language === undefined || kind === 'checker') return [];
      const code = readProjectFile(...folder, file);
      const limits = { cpu_ms: 1000, memory_mb: 128, output_kb: 1024 };
      const request = aJudge({
        language,
        code,
        cases,
        ...(kind === 'wrong' ? { limits } : {}),
      });
      return [{ name: `${problem} ${file}`, language, request }];
    });
  });
}

function linesOf(file: string): string[] {
  return readProjectFile('test', 'data', file).trimEnd().split('\n');
}
