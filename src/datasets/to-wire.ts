/**
 * A problem in the words of `POST /v1/judge`: the fields of the body that are the problem's, for any program. Pure. Calls
 * whose values JSON cannot say become assert statements, whose text is Python.
 */
import { hasJSONForm, type Value } from './decode/value.ts';
import type {
  CheckerCompare,
  FunctionCase,
  FunctionTests,
  GroupScoring,
  Problem,
  ProblemLimits,
  SingleTests,
  TaskGrader,
} from './problem.ts';
import { toPythonText } from './python-text.ts';

/** Fields of a judge request, in snake_case. */
interface JudgeBody {
  readonly tests: Readonly<Record<string, unknown>>;
  readonly compare?: Readonly<Record<string, unknown>>;
  readonly scoring?: Readonly<Record<string, unknown>>;
  readonly graders?: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, number>>;
}

/** One request's worth of a problem. */
export interface WirePart {
  readonly body: JudgeBody;
  /** For each case of the body, its place among the row's tests, from 0; null where only a test runner knows the cases. */
  readonly positions: readonly number[] | null;
}

/**
 * The requests that judge a problem: one, or one for each kind of tests in a mixed row. `code`, where it is known, tells
 * whether the program defines a function or a class `Solution`, where the row leaves that open.
 */
export function toWire(problem: Problem, code?: string): readonly WirePart[] {
  const { tests } = problem;
  const parts = tests.kind === 'mixed' ? tests.parts : [{ positions: positionsOf(tests), tests }];
  return parts.map((part) => ({
    positions: part.positions,
    body: {
      tests: testsOf(part.tests, code),
      ...(problem.compare === null ? {} : { compare: compareOf(problem.compare) }),
      ...(problem.scoring === null ? {} : { scoring: scoringOf(problem.scoring) }),
      ...(problem.grader === null ? {} : { graders: gradersOf(problem.grader) }),
      limits: limitsOf(problem.limits),
    },
  }));
}

function positionsOf(tests: SingleTests): readonly number[] | null {
  if (tests.kind === 'pytest') return null;
  return tests.kind === 'check' ? [0] : [...tests.cases.keys()];
}

function testsOf(tests: SingleTests, code: string | undefined): Record<string, unknown> {
  switch (tests.kind) {
    case 'stdio':
      return {
        kind: 'stdio',
        cases: tests.cases.map(({ id, stdin, expectedStdout, group }) => ({
          id,
          stdin,
          expected_stdout: expectedStdout,
          ...(group === null ? {} : { group }),
        })),
      };
    case 'function':
      return calls(tests, entryFor(tests, code));
    case 'asserts':
      return {
        kind: 'asserts',
        ...(tests.setup === '' ? {} : { setup: tests.setup }),
        cases: tests.cases,
        ...(tests.entry.length === 0 ? {} : { entry: tests.entry }),
        ...(tests.usesObjects ? { level: 2 } : {}),
      };
    case 'check':
      return { kind: 'check', code: tests.code, entry: tests.entry, prompt: tests.prompt };
    case 'pytest':
      return { kind: 'pytest', files: tests.files, modules: tests.modules };
  }
}

/** What the program has, where either will do; what the row says where neither is to be seen. */
export function entryFor(
  { entry, name }: Pick<FunctionTests, 'entry' | 'name'>,
  code: string | undefined,
): string {
  if (name === null || code === undefined) return entry;
  if (/^class +Solution\b/m.test(code)) return `Solution().${name}`;
  return new RegExp(String.raw`^(?:async +)?def +${name}\b`, 'm').test(code) ? name : entry;
}

function calls({ cases }: FunctionTests, entry: string): Record<string, unknown> {
  if (cases.every(isPlain)) {
    return {
      kind: 'function',
      entry,
      cases: cases.map(({ id, args, kwargs, expected }) => ({ id, args, kwargs, expected })),
    };
  }
  return {
    kind: 'asserts',
    setup: SAME,
    cases: cases.map((each) => assertOf(each, entry)),
    entry,
  };
}

function isPlain({ args, kwargs, expected, alternatives }: FunctionCase): boolean {
  return alternatives.length === 0 && [args, kwargs, expected].every(hasJSONForm);
}

function assertOf({ args, kwargs, expected, alternatives }: FunctionCase, entry: string): string {
  const named = Object.entries(kwargs).map(([name, value]) =>
    [JSON.stringify(name), toPythonText(value)].join(': '),
  );
  const all = [
    ...args.map(toPythonText),
    ...(named.length === 0 ? [] : [`**{${named.join(', ')}}`]),
  ];
  const right = [expected, ...alternatives].map((value: Value) => toPythonText(value));
  return `assert assay_same(${entry}(${all.join(', ')}), ${right.join(', ')})`;
}

/** The equality of kind `function`: tuples are lists, `true` is not 1, an object of the program's equals nothing. */
const SAME = `
def assay_same(got, *expected):
    return any(_assay_equal(got, each) for each in expected)

def _assay_equal(got, expected):
    if type(got) is tuple:
        got = list(got)
    if type(expected) is list:
        return type(got) is list and len(got) == len(expected) and all(map(_assay_equal, got, expected))
    if type(expected) is dict:
        return (isinstance(got, dict) and len(got) == len(expected)
                and all(key in got and _assay_equal(got[key], expected[key]) for key in expected))
    if type(expected) in (int, float):
        return type(got) in (int, float) and got == expected
    return type(got) is type(expected) and got == expected
`;

function compareOf(compare: CheckerCompare): Record<string, unknown> {
  const { language, convention, code, files, entry } = compare;
  const program = code === null ? { files, entry } : { code };
  return { checker: { language, convention, ...program } };
}

function gradersOf({ language, ...grader }: TaskGrader): Record<string, unknown> {
  return { [language]: grader };
}

function scoringOf({ groups }: GroupScoring): Record<string, unknown> {
  const named = Object.entries(groups).map(([name, { points }]) => [name, { points, rule: 'min' }]);
  return { groups: Object.fromEntries(named) };
}

const MIB = 1024 * 1024;

function limitsOf({ cpuMs, memoryBytes }: ProblemLimits): Record<string, number> {
  return {
    ...(cpuMs === null ? {} : { cpu_ms: cpuMs }),
    ...(memoryBytes === null ? {} : { memory_mb: Math.ceil(memoryBytes / MIB) }),
  };
}
