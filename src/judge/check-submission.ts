/** What a submission must hold once its environment is known; what does not is the caller's mistake. Pure. */
import { Rejection, type FieldError } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { JudgeSubmission, RunSubmission } from '../domain/submission.ts';
import { checkFiles } from './check-files.ts';
import type { Program } from './program.ts';

/** Throws Rejection `invalid` where the files of a run have no room, or a seed or a clock is asked for that cannot be held. */
export function checkSubmission(
  submission: RunSubmission | JudgeSubmission,
  program: Program,
  environment: Environment,
): void {
  checkFiles(submission, program, environment);
  const errors = determinismErrors(submission, environment);
  const [first] = errors;
  if (first === undefined) return;
  throw new Rejection('invalid', { detail: `${first.path}: ${first.message}`, errors });
}

function determinismErrors(
  submission: RunSubmission | JudgeSubmission,
  { language }: Environment,
): FieldError[] {
  // What is run in a session may be of any language: its seed is there for those that take one.
  if ('workspace' in submission && submission.workspace !== undefined) return [];
  // Built and run by a harness of its own, which takes neither.
  const harness =
    'tests' in submission && submission.tests.kind === language.harness?.kind
      ? submission.tests.kind
      : null;
  return (['seed', 'clock'] as const).flatMap((path) => {
    if (submission[path] === null) return [];
    if (harness !== null)
      return [{ path, message: `cannot be held in tests of the kind ${harness}` }];
    if (language.determinism[path] !== null) return [];
    const message = `${language.id} cannot be held to one: see determinism in /v1/capabilities`;
    return [{ path, message }];
  });
}
