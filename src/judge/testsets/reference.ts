/** How a caller names tests that are kept at the server: `id`, `id/problem`, either with `@digest`. Pure. */
import { Rejection } from '../../domain/errors.ts';
import type { TestsetRef } from '../../domain/submission.ts';

export interface TestsetReference {
  readonly id: string;
  /** Null where the test set has one problem only. May hold slashes. */
  readonly problem: string | null;
  /** Hex digits that the version's digest begins with; null for the newest version. */
  readonly digest: string | null;
}

export const TESTSET_ID = /^[A-Za-z0-9][\w.-]{0,99}$/;
export const PROBLEM_ID_MAX = 200;
/** So many digits name a version without doubt. */
const DIGEST = /^(?:sha256:)?([0-9a-f]{12,64})$/;
const UNFIT = /[@\u0000-\u001f\u007f]/;

/** What is wrong with the name of a problem, or null. */
export function problemIdError(id: string): string | null {
  if (id === '' || id.length > PROBLEM_ID_MAX) return `1 … ${PROBLEM_ID_MAX} characters`;
  return UNFIT.test(id) ? 'no @ and no control characters' : null;
}

/** Throws Rejection `invalid` for what is not a reference. */
export function parseReference(text: string): TestsetReference {
  const at = text.lastIndexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const digest = at < 0 ? null : (DIGEST.exec(text.slice(at + 1))?.[1] ?? null);
  if (at >= 0 && digest === null)
    throw wrong('after the @ comes the digest of a version, at least 12 hex digits of it');
  const slash = name.indexOf('/');
  const id = slash < 0 ? name : name.slice(0, slash);
  const problem = slash < 0 ? null : name.slice(slash + 1);
  if (!TESTSET_ID.test(id))
    throw wrong('a test set is named by letters, digits, ".", "_" and "-", at most 100');
  const fault = problem === null ? null : problemIdError(problem);
  if (fault !== null) throw wrong(`a problem's name has ${fault}`);
  return { id, problem, digest };
}

/** The reference that always means these tests; null for none. */
export function referenceTo(testset: TestsetRef | null): string | null {
  return testset === null ? null : `${testset.id}/${testset.problem}@${testset.digest}`;
}

function wrong(message: string): Rejection {
  return new Rejection('invalid', {
    detail: `testset: ${message}`,
    errors: [{ path: 'testset', message }],
  });
}
