/** Requests as tests write them: what matters is given, the rest is a program that says hello. */
import type { z } from 'zod';

import type { JudgeRequest } from '../../src/http/native/schema/judge.ts';
import type { RunRequest } from '../../src/http/native/schema/submission.ts';

export type RunRequestBody = z.input<typeof RunRequest>;
export type JudgeRequestBody = z.input<typeof JudgeRequest>;
type StdioBody = Extract<JudgeRequestBody['tests'], { kind: 'stdio' }>;
export type CaseBody = StdioBody['cases'][number];

const HELLO = 'print("hello")';

/** A request for `/v1/run`. */
export function aRun(given: Partial<RunRequestBody> = {}): RunRequestBody {
  const program = hasProgram(given) ? {} : { code: HELLO };
  return { language: 'python', ...program, ...given };
}

/** A request for `/v1/judge`; `cases` is short for the tests. */
export function aJudge(
  given: Partial<JudgeRequestBody> & { readonly cases?: CaseBody[] } = {},
): JudgeRequestBody {
  const { cases, ...rest } = given;
  const program = hasProgram(given) ? {} : { code: HELLO };
  const tests = { kind: 'stdio' as const, cases: cases ?? [{ expected_stdout: 'hello\n' }] };
  return { language: 'python', tests, ...program, ...rest };
}

function hasProgram(given: Partial<RunRequestBody> | Partial<JudgeRequestBody>): boolean {
  return given.code !== undefined || given.completion !== undefined || given.entry !== undefined;
}
