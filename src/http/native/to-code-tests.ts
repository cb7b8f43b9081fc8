/** From the wire of tests that are code to what the test runner gets. Pure; adds errors with their paths. */
import { SUBMISSION_BOUNDS } from '../../domain/limits.ts';
import type { CodeTests } from '../../domain/submission.ts';
import { checkId, pathProblem, type Errors } from './checks.ts';
import type { CodeTestsWire } from './schema/code-tests.ts';
import type { Compare } from './schema/judge.ts';

/** The one test of a `check`. */
const CHECK_ID = 'check';

/** Throws nothing; what is wrong is added to `errors`. */
export function toCodeTests(wire: CodeTestsWire, compare: Compare, errors: Errors): CodeTests {
  const float = floatOf(compare);
  if (compare !== 'tokens' && (wire.kind !== 'function' || float === undefined)) {
    const message =
      wire.kind === 'function'
        ? 'values are compared as such; only a float tolerance can be given'
        : `tests of the kind ${wire.kind} compare for themselves`;
    errors.add(['compare'], message);
  }
  if ('files' in wire) checkFiles(wire, errors);
  return {
    kind: wire.kind,
    mode: 'mode' in wire ? wire.mode : 'split',
    ids: idsOf(wire, errors),
    document: JSON.stringify({ ...wire, ...(float === undefined ? {} : { float }) }),
  };
}

function floatOf(compare: Compare): { readonly abs: number; readonly rel: number } | undefined {
  return typeof compare === 'string' ? undefined : compare.float;
}

function idsOf(wire: CodeTestsWire, errors: Errors): readonly string[] | null {
  switch (wire.kind) {
    case 'check':
      return [CHECK_ID];
    case 'asserts':
      return wire.cases.map((_, index) => String(index + 1));
    case 'function': {
      const ids = wire.cases.map(({ id }, index) => id ?? String(index + 1));
      const seen = new Set<string>();
      for (const [index, id] of ids.entries()) {
        const at = ['tests', 'cases', index, 'id'];
        checkId(id, at, errors);
        if (seen.has(id)) errors.add(at, 'another case has the same id');
        seen.add(id);
      }
      return ids;
    }
    case 'unittest':
    case 'pytest':
    case 'jest':
    case 'go_test':
    case 'junit': {
      const ids = wire.ids ?? null;
      if (ids !== null && new Set(ids).size !== ids.length)
        errors.add(['tests', 'ids'], 'an id is there twice');
      return ids;
    }
  }
}

/** What test files are called, by kind. */
const TEST_FILES = {
  unittest: /\.py$/,
  pytest: /\.py$/,
  jest: /\.[cm]?[jt]s$/,
  go_test: /_test\.go$/,
  junit: /\.java$/,
} as const satisfies Partial<Record<CodeTests['kind'], RegExp>>;

type FileTests = Extract<CodeTestsWire, { readonly files: unknown }>;

function checkFiles({ kind, files }: FileTests, errors: Errors): void {
  const paths = Object.keys(files);
  if (paths.length > SUBMISSION_BOUNDS.files) {
    errors.add(['tests', 'files'], `at most ${SUBMISSION_BOUNDS.files} files, got ${paths.length}`);
  }
  for (const path of paths.slice(0, SUBMISSION_BOUNDS.files)) {
    const problem = pathProblem(path);
    if (problem !== null) errors.add(['tests', 'files', path], problem);
  }
  if (!paths.some((path) => TEST_FILES[kind].test(path)))
    errors.add(['tests', 'files'], 'there is no test file');
}
