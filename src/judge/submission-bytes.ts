/** What a waiting submission holds in memory, for the queue's byte bound. Pure. */
import type {
  JudgeSubmission,
  RunSubmission,
  SourceFile,
  Submission,
} from '../domain/submission.ts';

const filesBytes = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { content }) => sum + content.byteLength, 0);

/** Bytes of program, inputs and expected outputs; small fixed parts are not counted. */
export function submissionBytes(submission: Submission | RunSubmission | JudgeSubmission): number {
  const { program } = submission;
  const text =
    program.kind === 'single' ? program.code : program.kind === 'completion' ? program.text : '';
  let bytes = text.length + filesBytes(program.files);
  if ('stdin' in submission) bytes += submission.stdin.byteLength;
  if ('tests' in submission) {
    const { tests } = submission;
    if (tests.kind !== 'stdio') return bytes + tests.document.length;
    for (const { stdin, expectedStdout, files } of tests.cases) {
      bytes += stdin.byteLength + expectedStdout.byteLength + filesBytes(files);
    }
  }
  return bytes;
}
