/** What a waiting submission holds in memory, for the queue's byte bound. Pure. */
import type {
  JudgeSubmission,
  RunSubmission,
  SourceFile,
  Submission,
} from '../domain/submission.ts';

const filesBytes = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { content }) => sum + content.byteLength, 0);

const programBytes = ({ program }: Pick<Submission, 'program'>): number => {
  const text =
    program.kind === 'single' ? program.code : program.kind === 'completion' ? program.text : '';
  return text.length + filesBytes(program.files);
};

/** Bytes of programs, inputs and expected outputs; small fixed parts are not counted. */
export function submissionBytes(submission: Submission | RunSubmission | JudgeSubmission): number {
  let bytes = programBytes(submission);
  if ('stdin' in submission) bytes += submission.stdin.byteLength;
  if (!('tests' in submission)) return bytes;
  const { tests, compare, graders } = submission;
  for (const { files } of graders) bytes += filesBytes(files);
  if (compare.kind === 'checker') bytes += programBytes(compare.checker);
  if ('document' in tests) return bytes + tests.document.length;
  if (tests.kind === 'interactive') bytes += programBytes(tests.interactor);
  if (tests.kind === 'two_step' && tests.manager !== null) bytes += programBytes(tests.manager);
  for (const { stdin, expectedStdout, files } of tests.cases) {
    bytes += stdin.byteLength + expectedStdout.byteLength + filesBytes(files);
  }
  return bytes;
}
