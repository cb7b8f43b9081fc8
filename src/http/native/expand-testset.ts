/** Puts the tests that a judge request refers to in the request's place for them. */
import type { FieldError } from '../../domain/errors.ts';
import type { TestsetRef } from '../../domain/submission.ts';
import type { TestsetLibrary } from '../../judge/testsets/library.ts';
import { parseReference } from '../../judge/testsets/reference.ts';
import { invalid } from './validation.ts';

interface Expanded {
  readonly body: unknown;
  /** Null where the request brought its own tests. */
  readonly testset: TestsetRef | null;
}

/** What a request may say beside a testset although the problem says it too: the request's wins. */
const MAY_DIFFER = new Set(['limits', 'scoring', 'reward_range', 'stop', 'environment']);

/** Throws Rejection `invalid` or `no_such_testset`. A body that refers to none is returned as it is. */
export async function expandTestset(body: unknown, library: TestsetLibrary): Promise<Expanded> {
  if (typeof body !== 'object' || body === null || !('testset' in body))
    return { body, testset: null };
  const { testset: reference, ...request } = body;
  if (typeof reference !== 'string')
    throw invalid([{ path: 'testset', message: 'is a string like "id/problem"' }]);
  const found = await library.find(parseReference(reference));
  const merged = merge(request, found.judge);
  const { testset: id, problem, digest, hidden } = found;
  return { body: merged, testset: { id, problem, digest, hidden } };
}

function merge(
  request: Readonly<Record<string, unknown>>,
  problem: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const errors: FieldError[] = [];
  const merged: Record<string, unknown> = { ...problem, ...request };
  for (const name of Object.keys(problem)) {
    if (!Object.hasOwn(request, name) || MAY_DIFFER.has(name)) continue;
    if (name === 'files') merged[name] = mergeFiles(request[name], problem[name], errors);
    else if (name === 'language' && request[name] === problem[name]) continue;
    else errors.push({ path: name, message: 'is given by the test set' });
  }
  // Its registration proved the tests by its own rules, which are strict where it names none.
  for (const name of ['tests', 'compare', 'profile']) {
    const isSaid = name === 'profile' && request[name] === 'strict';
    if (Object.hasOwn(request, name) && !Object.hasOwn(problem, name) && !isSaid)
      errors.push({ path: name, message: 'is given by the test set' });
  }
  if (errors.length > 0) throw invalid(errors);
  return merged;
}

function mergeFiles(mine: unknown, theirs: unknown, errors: FieldError[]): unknown {
  if (typeof mine !== 'object' || mine === null || typeof theirs !== 'object') return mine;
  const taken = Object.keys(theirs ?? {}).filter((path) => Object.hasOwn(mine, path));
  for (const path of taken)
    errors.push({ path: `files[${JSON.stringify(path)}]`, message: 'is given by the test set' });
  return { ...mine, ...theirs };
}
