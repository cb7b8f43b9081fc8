/** For files of tests that judge Python programs by tests that are code: a service of the file, and what it is asked. */
import { afterAll, beforeAll } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import type { JudgeRequestBody } from './builders.ts';
import { startService, type RunningService } from './service.ts';

export type Tests = JudgeRequestBody['tests'];

interface PythonJudge {
  readonly service: () => RunningService;
  readonly judge: (
    code: string,
    tests: Tests,
    more?: Partial<JudgeRequestBody>,
  ) => Promise<JudgeResponse>;
}

export const asserts = (...cases: string[]): Extract<Tests, { kind: 'asserts' }> => ({
  kind: 'asserts',
  cases,
});

/** Starts it before the tests of the file and stops it after them. */
export function usePythonJudge(): PythonJudge {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2' } });
  });
  afterAll(async () => await service?.stop());
  return {
    service: () => service,
    judge: (code, tests, more = {}) =>
      service.client.judge({ language: 'python', code, tests, ...more }),
  };
}
