/** What the kind of a submission's tests means for its judging. Pure. */
import { Rejection } from '../domain/errors.ts';
import type { Environment, LanguageDefinition, ToolchainProbe } from '../domain/language.ts';
import { SUBMISSION_BOUNDS, type Limits } from '../domain/limits.ts';
import type { JudgeReport } from '../domain/report.ts';
import { HARNESS_KINDS, type CodeTests, type JudgeSubmission } from '../domain/submission.ts';
import { callsProblem } from './calls.ts';
import { memoryNeeds } from './run-spec.ts';

export function modeOf({ tests }: JudgeSubmission): JudgeReport['mode'] {
  return 'document' in tests ? tests.mode : tests.kind;
}

const MIB = 1024 * 1024;
/** The test runner has a candidate's memory and this, for it holds the same values and the tests. */
const RUNNER_EXTRA_BYTES = 256 * MIB;

export function runnerMemory({ memoryBytes }: Pick<Limits, 'memoryBytes'>): number {
  return memoryBytes + RUNNER_EXTRA_BYTES;
}

/**
 * What judging may take at once, of all its jails; without an environment nothing of the candidate's is executed. A
 * checker runs when the candidate's run is over.
 */
export function memoryOf(
  { tests, limits, compare }: JudgeSubmission,
  environment: Environment | null,
): number {
  const checker = compare.kind === 'checker' ? problemMemory(compare.checker.limits) : 0;
  if (environment === null) return checker;
  const { language } = environment;
  if ('document' in tests) {
    const hasRunner = tests.mode === 'in_process' || runsTests(tests, language);
    const beside = tests.mode === 'in_process' ? (language.harness?.extraMemoryMb ?? 0) * MIB : 0;
    return memoryNeeds([limits], language) + beside + (hasRunner ? runnerMemory(limits) : 0);
  }
  const own = memoryNeeds([limits, ...tests.cases.map((each) => each.limits)], language);
  const talking =
    tests.kind === 'interactive'
      ? own * tests.interactor.processes + problemMemory(tests.interactor.limits)
      : own;
  const manager =
    tests.kind === 'two_step' && tests.manager !== null ? problemMemory(tests.manager.limits) : 0;
  return Math.max(talking, checker, manager);
}

/** A program of a problem has its own memory, the files of a case and what its runtime needs. */
function problemMemory({ memoryBytes }: Limits): number {
  return memoryBytes + SUBMISSION_BOUNDS.checkedBytes + RUNNER_EXTRA_BYTES;
}

/** Null where only running the tests tells how many there are. */
export function declaredTests({ tests }: JudgeSubmission): number | null {
  return 'document' in tests ? (tests.ids?.length ?? null) : tests.cases.length;
}

/**
 * Throws Rejection `invalid` for tests that are code in a language that has no runner for them, `language_unavailable`
 * where only this host has none.
 */
export function checkTests(
  { tests }: JudgeSubmission,
  { id, language, toolchain }: Environment,
): void {
  if (!('document' in tests)) return;
  if (isHarnessKind(tests.kind)) {
    checkHarness(tests.kind, { language, toolchain });
    return;
  }
  if (tests.mode === 'in_process' && !hasModules(language))
    throw refused('tests.mode', `is not available for ${language.id}`);
  const message = runsTests(tests, language)
    ? withRunner(tests, toolchain)
    : withoutRunner(tests, { id, language });
  if (message !== null) throw refused('tests.kind', message);
}

/** A kind of tests that programs of a language can be judged by. */
export interface TestKindInfo {
  readonly kind: string;
  readonly available: boolean;
  /** What this host lacks for it; null where it is available. */
  readonly reason: string | null;
}

/** The kinds of tests that are code, or calls, which a language has; whether this host has what they take. */
export function codeKindsOf(
  language: LanguageDefinition,
  toolchain: Pick<ToolchainProbe, 'verifier'>,
): TestKindInfo[] {
  const { verifier, harness, caller } = language;
  const kinds = new Set<CodeTests['kind']>(verifier?.kinds);
  if (caller !== null) kinds.add('function');
  const info = (kind: string, reason: string | null): TestKindInfo => {
    return { kind, available: reason === null, reason };
  };
  const own = [...kinds].map((kind) => info(kind, withRunner({ kind }, toolchain)));
  if (harness === null) return own;
  return [...own, info(harness.kind, toolchain.verifier === undefined ? harness.missing : null)];
}

/** Whether the language has a test runner for tests of that kind. */
export function runsTests(
  { kind }: Pick<CodeTests, 'kind'>,
  { verifier }: Pick<LanguageDefinition, 'verifier'>,
): boolean {
  return verifier?.kinds.some((each) => each === kind) === true;
}

/** Whether tests may share a process with a program of the language. */
export function hasInProcess({ language }: Pick<Environment, 'language'>): boolean {
  return language.harness !== null || hasModules(language);
}

function hasModules({ verifier }: Pick<LanguageDefinition, 'verifier'>): boolean {
  return (verifier?.inprocess.length ?? 0) > 0;
}

function isHarnessKind(kind: CodeTests['kind']): kind is keyof typeof HARNESS_KINDS {
  return Object.hasOwn(HARNESS_KINDS, kind);
}

function checkHarness(
  kind: keyof typeof HARNESS_KINDS,
  { language, toolchain }: Pick<Environment, 'language' | 'toolchain'>,
): void {
  const { harness } = language;
  if (harness?.kind !== kind)
    throw refused('tests.kind', `tests of the kind ${kind} are for ${HARNESS_KINDS[kind]}`);
  if (toolchain.verifier !== undefined) return;
  const detail = `tests of the kind ${kind} are not available on this host: ${harness.missing}`;
  throw new Rejection('language_unavailable', { detail });
}

function refused(path: string, message: string): Rejection {
  return new Rejection('invalid', { detail: `${path}: ${message}`, errors: [{ path, message }] });
}

function withoutRunner(
  tests: CodeTests,
  { id, language }: Pick<Environment, 'id' | 'language'>,
): string | null {
  const { caller } = language;
  if (tests.kind === 'jest') return 'tests of the kind jest are for JavaScript and TypeScript only';
  if (caller === null) return `tests that are code are not available for ${language.id}`;
  if (caller.except.includes(id)) return `tests that are code are not available in ${id}`;
  return callsProblem(tests);
}

function withRunner(
  { kind }: Pick<CodeTests, 'kind'>,
  { verifier }: Pick<ToolchainProbe, 'verifier'>,
): string | null {
  if (kind !== 'pytest' || verifier !== undefined) return null;
  return 'pytest is not installed for test runners: npm run packages, then restart the service';
}
