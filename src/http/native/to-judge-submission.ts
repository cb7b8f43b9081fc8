/** From the native wire to a judge submission: tests, comparison, scoring. Pure; throws Rejection. */
import { Rejection } from '../../domain/errors.ts';
import { resolveLimits, SUBMISSION_BOUNDS, type Limits } from '../../domain/limits.ts';
import { OUTPUT_LANGUAGE } from '../../domain/submission.ts';
import type {
  Compare,
  JudgeSubmission,
  StdioCase as Case,
  Submission,
  TestsetRef,
  Tests,
} from '../../domain/submission.ts';
import {
  checkArgs,
  checkId,
  createErrors,
  stringBytes,
  toBytes,
  toFiles,
  type Errors,
} from './checks.ts';
import {
  JudgeRequest,
  InteractiveCase,
  StdioCase,
  type StdioCase as CaseWire,
} from './schema/judge.ts';
import {
  bytesOf,
  checkCommand,
  checkProgramBytes,
  commandBytesOf,
  commonOf,
  toLimitsRequest,
  type Resolution,
} from './to-submission.ts';
import { placesAt } from '../middleware/body/places.ts';
import { toChecker, toGraders, toInteractor } from './to-problem-program.ts';
import {
  checkProfile,
  codeCompare,
  profileCompare,
  profileInForce,
  profileLimits,
  selectCases,
  selectCode,
} from './to-profile.ts';
import { toScoring, toStop } from './to-scoring.ts';
import { toCodeTests } from './to-code-tests.ts';
import { tooBroad } from './breadth.ts';
import { invalid, parseWith } from './validation.ts';

/** Where what a model wrote is in the body: whatever it is, it has a verdict. */
export const MODEL_TEXT = placesAt('code', 'completion');

/** Validates a body. A list of cases beyond the bound is refused before any case is looked at. */
export function parseJudgeRequest(body: unknown): JudgeRequest {
  const count = countCases(body);
  if (count !== null && count > SUBMISSION_BOUNDS.cases) {
    throw invalid([
      { path: 'tests.cases', message: `at most ${SUBMISSION_BOUNDS.cases} cases, got ${count}` },
    ]);
  }
  const wire = parseInParts(body);
  if ('cases' in wire.tests && wire.tests.cases.length === 0) {
    throw new Rejection('no_tests', {
      detail: 'nothing was tested, so nothing can be rewarded',
      errors: [{ path: 'tests.cases', message: 'at least one case is required' }],
    });
  }
  return wire;
}

/** Cases that are validated at once: an error in one part leaves the others unread. */
const CASES_AT_ONCE = 100;

const Cases = {
  stdio: StdioCase.array(),
  interactive: InteractiveCase.array(),
  two_step: StdioCase.array(),
  output_only: StdioCase.array(),
};

/** As `parseWith(JudgeRequest, body)`, but stops at the first part with an error. */
function parseInParts(body: unknown): JudgeRequest {
  const cases = casesIn(body);
  if (cases === null || cases.length <= CASES_AT_ONCE) return parseWith(JudgeRequest, body);
  const broad = tooBroad(body);
  if (broad !== null) throw invalid([broad]);
  const wire = parseWith(JudgeRequest, withCases(body, cases.slice(0, CASES_AT_ONCE)));
  const { tests } = wire;
  if (!isOfCases(tests)) return parseWith(JudgeRequest, body);
  const parsed = [...tests.cases];
  for (let at = CASES_AT_ONCE; at < cases.length; at += CASES_AT_ONCE) {
    const part = cases.slice(at, at + CASES_AT_ONCE);
    for (const each of parseWith(Cases[tests.kind], part, {
      path: ['tests', 'cases'],
      from: at,
    }))
      parsed.push(each);
  }
  tests.cases = parsed;
  return wire;
}

type CaseTests = Extract<JudgeRequest['tests'], { kind: keyof typeof Cases }>;

function isOfCases(tests: JudgeRequest['tests']): tests is CaseTests {
  return Object.hasOwn(Cases, tests.kind);
}

function withCases(body: unknown, cases: readonly unknown[]): unknown {
  if (typeof body !== 'object' || body === null || !('tests' in body)) return body;
  const { tests } = body;
  return { ...body, tests: { ...(typeof tests === 'object' ? tests : null), cases } };
}

function countCases(body: unknown): number | null {
  return casesIn(body)?.length ?? null;
}

function casesIn(body: unknown): readonly unknown[] | null {
  if (typeof body !== 'object' || body === null || !('tests' in body)) return null;
  const { tests } = body;
  if (typeof tests !== 'object' || tests === null || !('cases' in tests)) return null;
  return Array.isArray(tests.cases) ? tests.cases : null;
}

/** A parsed judge request as a submission. Throws Rejection `invalid` naming every wrong place. */
export function toJudgeSubmission(
  wire: JudgeRequest,
  resolution: Resolution,
  testset: TestsetRef | null = null,
): JudgeSubmission {
  const errors = createErrors();
  checkProfile(wire, errors);
  const submission = commonOf(wire, { ...resolution, base: profileLimits(wire) }, errors);
  const clamped = new Set(submission.clamped);
  const { maxima } = resolution;
  const { tests, leftOut } = testsOf(wire, { submission, maxima, clamped, errors });
  const compare = toCompare(wire, { maxima, errors });
  checkCompare(tests, compare, errors);
  const graders = toGraders(wire.graders ?? {}, { program: submission.program, errors });
  if (graders.length > 0 && (!('cases' in tests) || tests.kind === 'output_only'))
    errors.add(['graders'], 'only programs with a main have graders');
  if (wire.outputs !== undefined && tests.kind !== 'output_only')
    errors.add(['outputs'], 'only tests of the kind output_only take outputs');
  const scoring = toScoring(wire, 'cases' in tests ? tests.cases : null, errors);
  const stop = toStop(wire, errors);
  const [low, high] = wire.reward_range;
  if (low >= high) errors.add(['reward_range'], 'the first must be less than the second');
  if (errors.list.length > 0) throw invalid(errors.list);
  return {
    ...submission,
    clamped: [...clamped],
    testset,
    tests,
    graders,
    compare,
    scoring,
    rewardRange: [low, high],
    stop,
    detail: wire.detail,
    profile: profileInForce(wire, leftOut),
  };
}

interface ChosenTests {
  readonly tests: Tests;
  readonly leftOut: number;
}

function testsOf(wire: JudgeRequest, context: CaseContext): ChosenTests {
  const tests = selectCode(wire);
  const { maxima, errors } = context;
  switch (tests.kind) {
    case 'stdio': {
      const all = casesOf(wire, tests.cases, context);
      const cases = selectCases(wire, all);
      return { tests: { kind: 'stdio', cases }, leftOut: all.length - cases.length };
    }
    case 'output_only': {
      const cases = casesOf(wire, tests.cases, context);
      checkOutputs(context.submission, cases, errors);
      return { tests: { kind: 'output_only', cases }, leftOut: 0 };
    }
    case 'interactive': {
      const at = ['tests', 'interactor'];
      const interactor = toInteractor(tests.interactor, { at, maxima, errors });
      const cases = casesOf(wire, tests.cases, context);
      return { tests: { kind: 'interactive', interactor, cases }, leftOut: 0 };
    }
    case 'two_step': {
      const { manager } = tests;
      const place = { at: ['tests', 'manager'], maxima, errors };
      const cases = casesOf(wire, tests.cases, context);
      const program = manager === undefined ? null : toChecker(manager, place);
      return { tests: { kind: 'two_step', manager: program, cases }, leftOut: 0 };
    }
    default:
      checkCommand(commandBytesOf(wire), ['args'], errors);
      if (wire.scoring === 'weighted' || typeof wire.scoring === 'object')
        errors.add(['scoring'], 'these tests have no weights and no groups');
      return {
        tests: toCodeTests(tests, codeCompare(wire), errors),
        leftOut: caseCount(wire.tests) - caseCount(tests),
      };
  }
}

function caseCount(tests: JudgeRequest['tests']): number {
  return 'cases' in tests ? tests.cases.length : 0;
}

/** Tests of outputs get outputs, and no others do. */
function checkOutputs(
  { program, language }: Submission,
  cases: readonly Case[],
  errors: Errors,
): void {
  if (language !== OUTPUT_LANGUAGE)
    errors.add(['language'], `outputs are "${OUTPUT_LANGUAGE}", whatever made them`);
  if (program.kind === 'files') errors.add(['entry'], 'outputs are handed in by case: `outputs`');
  if (program.kind === 'outputs') {
    const ids = new Set(cases.map(({ id }) => id));
    for (const { path } of program.files)
      if (!ids.has(path)) errors.add(['outputs', path], 'no case has this id');
  } else if (cases.length > 1)
    errors.add([], `there are ${cases.length} cases: give \`outputs\` by their ids`);
}

function checkCompare(tests: Tests, compare: Compare, errors: Errors): void {
  if (!('cases' in tests)) return;
  const isInteractive = tests.kind === 'interactive';
  const isManaged = tests.kind === 'two_step' && tests.manager !== null;
  if (compare.kind === 'checker' || isInteractive || isManaged) checkCaseBytes(tests.cases, errors);
  if (isInteractive && compare.kind !== 'tokens' && compare.kind !== 'checker')
    errors.add(['compare'], 'an interactor judges by itself, or a checker after it');
}

interface CaseContext {
  readonly submission: Submission;
  readonly maxima: Limits;
  readonly clamped: Set<keyof Limits>;
  readonly errors: Errors;
}

function casesOf(wire: JudgeRequest, given: readonly CaseWire[], context: CaseContext): Case[] {
  const { errors } = context;
  const seen = new Set<string>();
  const base = commandBytesOf(wire);
  let fileBytes = 0;
  const cases: Case[] = [];
  for (const [i, each] of given.entries()) {
    const built = caseOf(each, i, context);
    const at = ['tests', 'cases', i];
    if (seen.has(built.id)) errors.add([...at, 'id'], 'another case has the same id');
    seen.add(built.id);
    fileBytes += bytesOf(built.files);
    if (built.args.length > 0)
      checkCommand(base + stringBytes(built.args), [...at, 'args'], errors);
    cases.push(built);
    if (errors.isFull) break;
  }
  checkCommand(base, ['args'], errors);
  checkProgramBytes(fileBytes, errors);
  return cases;
}

function caseOf(
  wire: CaseWire,
  index: number,
  { submission, maxima, clamped, errors }: CaseContext,
): Case {
  const at = ['tests', 'cases', index];
  checkId(wire.id, [...at, 'id'], errors);
  checkArgs(wire.args, [...at, 'args'], errors);
  let { limits } = submission;
  if (wire.limits !== undefined) {
    const resolved = resolveLimits(toLimitsRequest(wire.limits), maxima, submission.limits);
    for (const name of resolved.clamped) clamped.add(name);
    limits = resolved.limits;
  }
  return {
    id: wire.id ?? String(index + 1),
    stdin: toBytes(wire.stdin, [...at, 'stdin'], errors),
    expectedStdout: toBytes(wire.expected_stdout, [...at, 'expected_stdout'], errors),
    weight: wire.weight,
    group: wire.group,
    args: wire.args,
    files: wire.files === undefined ? [] : toFiles(wire.files, [...at, 'files'], errors),
    limits,
  };
}

function toCompare(
  request: JudgeRequest,
  { maxima, errors }: { readonly maxima: Limits; readonly errors: Errors },
): Compare {
  const wire = request.compare;
  if (wire === undefined) return profileCompare(request);
  if (typeof wire === 'string') return { kind: wire };
  const { tokens, float, unordered, checker } = wire;
  if (tokens !== undefined) return { kind: 'tokens', ...ignoring(tokens) };
  if (float !== undefined)
    return { kind: 'float', abs: float.abs, rel: float.rel, ...ignoring(float) };
  if (checker === undefined) return { kind: 'unordered', by: unordered ?? 'lines' };
  const at = ['compare', 'checker'];
  return { kind: 'checker', checker: toChecker(checker, { at, maxima, errors }) };
}

/** Left out where case counts, so that digests of tests are the same whether or not it is said. */
function ignoring({ ignore_case: is }: { readonly ignore_case: boolean }): { ignoreCase?: true } {
  return is ? { ignoreCase: true } : {};
}

/** What a checker reads of a case fits the jail it runs in, however much the candidate prints. */
function checkCaseBytes(cases: readonly Case[], errors: Errors): void {
  const max = SUBMISSION_BOUNDS.checkedBytes;
  for (const [i, { stdin, expectedStdout, limits }] of cases.entries()) {
    if (errors.isFull) return;
    const bytes = stdin.byteLength + expectedStdout.byteLength + limits.outputBytes;
    if (bytes <= max) continue;
    const message = `stdin, expected_stdout and the limit of output are ${bytes} bytes together, a checker takes ${max}`;
    errors.add(['tests', 'cases', i], message);
  }
}
