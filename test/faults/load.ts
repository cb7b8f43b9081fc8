/** A load of correct and wrong submissions whose right answers are known, for tests that break things meanwhile. */
import { expect } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import type { Client } from '../support/client.ts';
import { within } from '../support/wait.ts';

const LOAD_TIMEOUT_MS = 90_000;

/** Every third program is wrong; each takes a while, so that a breakdown meets it running. */
export function aLoad(count: number): readonly JudgeRequestBody[] {
  return Array.from({ length: count }, (_, i) =>
    aJudge({
      id: `load-${i}`,
      code: `import time\ntime.sleep(0.15)\nprint(int(input()) + ${i % 3 === 2 ? 2 : 1})`,
      cases: [
        { stdin: `${i}\n`, expected_stdout: `${i + 1}\n` },
        { stdin: '7\n', expected_stdout: '8\n' },
      ],
    }),
  );
}

/** Whether a report's verdict is what the program of `aLoad` with that number deserves. */
export function expectRight(report: JudgeResponse): void {
  const number = Number(report.id.replace('load-', ''));
  const verdict = number % 3 === 2 ? 'wrong_answer' : 'accepted';
  const { id, attempts } = report;
  expect({ id, attempts, verdict: report.verdict, reward: report.reward }).toEqual({
    id,
    attempts,
    verdict,
    reward: verdict === 'accepted' ? 1 : 0,
  });
}

/** Posts all at once; every answer within the time, or the test fails. */
export async function judgeAll(
  client: Client,
  load: readonly JudgeRequestBody[],
): Promise<readonly JudgeResponse[]> {
  return await within(Promise.all(load.map((request) => client.judge(request))), {
    what: 'the load',
    timeoutMs: LOAD_TIMEOUT_MS,
  });
}
