/** For tests: judge and run requests to put mistakes into, and the problems that answer them. */
import { expect } from 'vitest';

import { aJudgeBody, createTestApp, post } from './scripted-service.ts';

export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** A run request that is accepted. */
export const aRunBody = { language: 'python', code: '1' };

/** A judge request of these cases, each expecting no output. */
export function aJudgeBodyOf(...cases: readonly object[]): object {
  return aJudgeBody({
    tests: { kind: 'stdio', cases: cases.map((each) => ({ expected_stdout: '', ...each })) },
  });
}

/** Posts to a fresh application over a scripted service. */
export async function postTo(path: string, body: unknown): Promise<Response> {
  return await createTestApp().app.request(path, post(body));
}

/** The problem that answers; fails when the answer is none. */
export async function problemOf(path: string, body: unknown): Promise<Problem> {
  const response = await postTo(path, body);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as Problem;
  expect(problem.status).toBe(response.status);
  return problem;
}
