/**
 * Tasks of outputs alone: what is handed in for each case is compared, or judged by the problem's checker, and nothing of
 * the candidate's is executed. Outputs belong to no language, so `text` stands in the place of one.
 */
import { createHash } from 'node:crypto';

import { Fault } from '../domain/errors.ts';
import { OUTPUT_LANGUAGE, type JudgeSubmission, type StdioCase } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { extractCode } from '../verify/extract.ts';
import { NOT_TEXT } from './program.ts';
import { caseReport, type OutputJudge } from './case-verdict.ts';
import { judgeEach } from './judge-each.ts';
import type { PreparedChecker } from './checker.ts';
import { type JudgeResult, outputJudge } from './execute.ts';
import type { Bench } from './place.ts';

/** What reports name as the environment of a submission that nothing executes. */
export const TEXT = {
  id: OUTPUT_LANGUAGE,
  language: { id: OUTPUT_LANGUAGE },
  fingerprint: `sha256:${createHash('sha256').update(OUTPUT_LANGUAGE).digest('hex')}`,
} as const;

const NAMES = {
  id: OUTPUT_LANGUAGE,
  aliases: ['txt', 'output', 'plaintext', 'plain'],
  fenceTags: [],
};

export type Outputs =
  | { readonly kind: 'outputs'; readonly byCase: ReadonlyMap<string, Uint8Array> }
  /** A text in which no output was found. */
  | { readonly kind: 'no_code'; readonly reason: string };

/** The outputs that were handed in. A text alone is that of the only case. */
export function outputsOf({ program, tests }: JudgeSubmission): Outputs {
  const [only] = 'cases' in tests ? tests.cases : [];
  const alone = (text: string): Outputs =>
    text.isWellFormed()
      ? { kind: 'outputs', byCase: new Map([[only?.id ?? '', Buffer.from(text)]]) }
      : { kind: 'no_code', reason: `the output ${NOT_TEXT}` };
  switch (program.kind) {
    case 'outputs':
      return {
        kind: 'outputs',
        byCase: new Map(program.files.map(({ path, content }) => [path, content])),
      };
    case 'single':
      return alone(program.code);
    case 'completion': {
      const found = extractCode(program.text, { language: NAMES, options: program.extract });
      return found.code === null ? { kind: 'no_code', reason: found.reason } : alone(found.code);
    }
    case 'files':
      throw new Fault('internal', 'a program was handed in for outputs');
  }
}

/** Judges what was handed in for each case. */
export async function executeOutputs(
  bench: Bench,
  checker: PreparedChecker | null,
  {
    submission,
    outputs,
  }: { submission: JudgeSubmission; outputs: ReadonlyMap<string, Uint8Array> },
): Promise<JudgeResult> {
  const { tests } = submission;
  const since = bench.clock.now();
  const judge = outputJudge(bench, submission, checker);
  const given = 'cases' in tests ? tests.cases : [];
  const cases = await judgeEach(submission, given, async (test, position) => {
    bench.signal.throwIfAborted();
    return await judgeOutput(test, outputs.get(test.id), { judge, position });
  });
  const verifyMs = bench.clock.now() - since;
  return { compile: null, cases, timings: { compileMs: 0, runMs: 0, verifyMs } };
}

async function judgeOutput(
  test: StdioCase,
  stdout: Uint8Array | undefined,
  { judge, position }: { readonly judge: OutputJudge; readonly position: number },
): Promise<CaseReport> {
  if (stdout === undefined) {
    const message = 'no output was handed in';
    return caseReport(test, null, { verdict: 'wrong_answer', score: 0, message });
  }
  if (stdout.byteLength > test.limits.outputBytes) {
    const message = 'the output is longer than the output limit';
    return caseReport(test, null, { verdict: 'output_limit', score: 0, message });
  }
  const { score, message } = await judge(
    test,
    { stdout, stderr: new Uint8Array(0), cpuMs: 0 },
    position,
  );
  const isAccepted = score === 1;
  return caseReport(test, null, {
    verdict: isAccepted ? 'accepted' : 'wrong_answer',
    score,
    message: isAccepted ? '' : message,
  });
}
