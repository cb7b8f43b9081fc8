/** The digest of a submission's tests, for the report's provenance. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { JudgeSubmission, ProblemProgram, SourceFile } from '../domain/submission.ts';

/** Hashed in one go at most; then the event loop gets its turn. */
const SLICE_BYTES = 1024 * 1024;

/**
 * `sha256:…` over the whole of tests that are code, else over id, input, expected output, weight and arguments of each case
 * and the way of comparison, with the problem's programs and graders. Each part is preceded by its length, so that no two
 * lists of cases give the same bytes.
 */
export async function digestTests(submission: JudgeSubmission): Promise<string> {
  const hash = createHash('sha256');
  let sinceYield = 0;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.byteLength}:`).update(bytes);
    sinceYield += bytes.byteLength;
  };
  const { compare, tests } = submission;
  if (tests.kind === 'interactive') addProgram(tests.interactor, add);
  if (tests.kind === 'two_step') add(tests.kind);
  if (tests.kind === 'two_step' && tests.manager !== null) addProgram(tests.manager, add);
  if (compare.kind === 'checker') addProgram(compare.checker, add);
  else add(JSON.stringify(compare));
  for (const { files, ...rest } of submission.graders) {
    add(JSON.stringify(rest));
    addFiles(files, add);
  }
  if ('document' in tests) {
    add(tests.kind);
    add(JSON.stringify(tests.ids));
    add(tests.document);
    return `sha256:${hash.digest('hex')}`;
  }
  for (const test of tests.cases) {
    add(test.id);
    add(test.stdin);
    add(test.expectedStdout);
    add(JSON.stringify([test.weight, test.group, test.args, test.limits]));
    if (test.outputFile !== undefined) add(test.outputFile);
    addFiles(test.files, add);
    if (sinceYield > SLICE_BYTES) {
      sinceYield = 0;
      await setImmediate();
    }
  }
  return `sha256:${hash.digest('hex')}`;
}

function addProgram(given: ProblemProgram, add: (part: string | Uint8Array) => void): void {
  const { program, ...rest } = given;
  add(JSON.stringify(rest));
  add(program.kind === 'single' ? program.code : program.entry);
  addFiles(program.files, add);
}

function addFiles(files: readonly SourceFile[], add: (part: string | Uint8Array) => void): void {
  for (const { path, content } of files) {
    add(path);
    add(content);
  }
}
