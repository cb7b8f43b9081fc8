/**
 * A program with the grader of its problem: the candidate's main file goes where the grader says, and what is started is
 * the grader's own main. Both are one process, so nothing here is secret or believed. Pure.
 */
import { Rejection } from '../domain/errors.ts';
import { type Environment, type LanguageDefinition, namesOf } from '../domain/language.ts';
import type { Grader } from '../domain/submission.ts';
import { placesOf } from './check-files.ts';
import { toForkable, type Program } from './program.ts';

/** What is judged: the candidate's own program, and what is built of it with the problem's grader. */
export interface Candidate {
  readonly environment: Environment;
  readonly own: Program;
  readonly program: Program;
}

/**
 * The program as it is without graders. Throws Rejection `invalid` where the problem has graders and none for this
 * language, or where the candidate's further files would take the place of the grader's.
 */
export function withGrader(
  program: Program,
  graders: readonly Grader[],
  language: LanguageDefinition,
): Program {
  if (graders.length === 0) return program;
  const names = namesOf(language);
  const grader = graders.find((each) => names.has(each.language.toLowerCase()));
  if (grader === undefined) {
    const known = graders.map((each) => each.language).join(', ');
    throw refusal('graders', `the problem has no grader for ${language.id}, but for ${known}`);
  }
  const own = program.files.find(({ path }) => path === program.entry);
  const others = program.files.filter((file) => file !== own);
  const given = [...(own === undefined ? [] : [{ ...own, path: grader.program }]), ...grader.files];
  const problem = placesOf(
    given,
    given.map(({ path }) => path),
  ).problemOf(others);
  if (problem !== null) throw refusal('files', problem);
  const extensions = language.compile?.unitExtensions ?? [];
  const units = given
    .map(({ path }) => path)
    .filter((path) => path !== grader.entry && extensions.some((each) => path.endsWith(each)));
  const files = [...given, ...others];
  return { ...toForkable({ entry: grader.entry, files }, language), units };
}

function refusal(path: string, message: string): Rejection {
  return new Rejection('invalid', { detail: `${path}: ${message}`, errors: [{ path, message }] });
}
