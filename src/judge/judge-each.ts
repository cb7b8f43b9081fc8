/** The cases of a submission that are judged one after the other, each whole: its stop policy and what its report keeps. */
import type { JudgeSubmission, StdioCase } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { caseNotRun } from './case-verdict.ts';
import { createOutputKeeper } from './kept-output.ts';
import { stopRule } from './stop-rule.ts';

/** `play` judges a case; `position` counts from 1. Cases that the policy leaves out are not run. */
export async function judgeEach(
  submission: Pick<JudgeSubmission, 'stop' | 'scoring' | 'detail'>,
  tests: readonly StdioCase[],
  play: (test: StdioCase, position: number) => Promise<CaseReport>,
): Promise<CaseReport[]> {
  const stop = stopRule(submission);
  const keeper = createOutputKeeper(submission.detail);
  const cases: CaseReport[] = [];
  for (const [index, test] of tests.entries()) {
    if (stop.leavesOut(test)) {
      cases.push(caseNotRun(test));
      continue;
    }
    const report = await play(test, index + 1);
    cases.push(keeper.keep(report));
    stop.note(report);
  }
  return cases;
}
