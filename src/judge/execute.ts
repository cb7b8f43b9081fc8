/**
 * One submission on one jail: stage, compile once, run every test, judge each as it ends. Throws a Fault when
 * something of ours failed; everything the program did is in what it returns.
 */
import { planRun } from '../catalog/plan.ts';
import { Fault } from '../domain/errors.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome, RawExit } from '../domain/outcome.ts';
import type { ExitPolicy } from '../domain/profile.ts';
import type { CanaryReport, CompileReport } from '../domain/report.ts';
import type {
  JudgeSubmission,
  RunSubmission,
  SourceFile,
  StdioCase,
  Submission,
} from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import type { CapturedTree } from '../domain/workspace.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import type { RunLimits } from '../runner/protocol.ts';
import { caseNotRun, comparing, judgeCase, type OutputJudge } from './case-verdict.ts';
import { type PreparedChecker, putCheckerToWork } from './checker.ts';
import { stageProgram } from './compile.ts';
import { createOutputKeeper } from './kept-output.ts';
import { type JudgePlace, NO_CPU, type Place, requireCertain, toOutcome } from './place.ts';
import type { Program } from './program.ts';
import { plannedMemory, runLimits } from './run-spec.ts';
import { stopRule } from './stop-rule.ts';

export interface Timings {
  compileMs: number;
  runMs: number;
  verifyMs: number;
}

export interface RunResult {
  readonly compile: CompileReport | null;
  readonly outcome: Outcome;
  /** Of a run in a workspace. */
  readonly tree?: CapturedTree;
  readonly timings: Timings;
}

export interface JudgeResult {
  readonly compile: CompileReport | null;
  /** One entry per test case, in request order; empty when the program did not compile. */
  readonly cases: readonly CaseReport[];
  /** Where tests and program shared a process. */
  readonly canaries?: CanaryReport;
  readonly timings: Timings;
}

/** The candidate's program, and the problem's that judges it. */
export interface JudgedPrograms {
  readonly program: Program;
  /** Null where the service compares. */
  readonly checker: PreparedChecker | null;
}

interface StartedRun {
  readonly exit: Promise<RawExit>;
  readonly limits: RunLimits;
}

/** Compiles where needed and runs once. */
export async function executeRun(
  place: Place,
  program: Program,
  submission: RunSubmission,
): Promise<RunResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  const compile = await prepare(place, program, submission, timings);
  if (compile !== null && !compile.ok) {
    return { compile, outcome: { ...compile.outcome, kind: 'compile_error' }, timings };
  }
  const since = place.clock.now();
  const test = { stdin: submission.stdin, args: [], files: [], limits: submission.limits };
  const spec = runSpec(place, program, { submission, test, collect: submission.collect });
  const raw = await place.session.run(spec, { signal: place.signal });
  timings.runMs = place.clock.now() - since;
  requireCertain(place, raw);
  return { compile, outcome: runOutcome(place, raw, spec.limits), timings };
}

/**
 * Compiles where needed and judges all cases. Where the service compares, two runs are under way at a time, so that the
 * jail never waits for the host: the second one is received while the first executes. A checker and the candidate take
 * turns on their core, so that neither's figures depend on the other; and no run is begun that a group may make idle.
 */
export async function executeJudge(
  place: JudgePlace,
  { program, checker }: JudgedPrograms,
  submission: JudgeSubmission,
  tests: readonly StdioCase[],
): Promise<JudgeResult> {
  const judge = outputJudge(place, submission, checker);
  const isAhead = checker === null && submission.stop !== 'per_group';
  const { exit } = submission.profile;
  return await executeCases(place, program, { submission, tests, judge, isAhead, exit });
}

interface CasesJob {
  readonly submission: JudgeSubmission;
  readonly tests: readonly StdioCase[];
  readonly judge: OutputJudge;
  /** Whether the next run may be begun while one is judged. */
  readonly isAhead?: boolean;
  /** Which ends of a run are judged by its output. Default: exit code 0 alone. */
  readonly exit?: ExitPolicy;
}

/** Compiles where needed and judges the output of each case. */
export async function executeCases(
  place: Place,
  program: Program,
  { submission, tests, judge, isAhead = true, exit = 'zero' }: CasesJob,
): Promise<JudgeResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  const compile = await prepare(place, program, submission, timings);
  if (compile !== null && !compile.ok) return { compile, cases: [], timings };
  const since = place.clock.now();
  const start = (index: number): StartedRun | null => {
    const test = tests[index];
    if (test === undefined) return null;
    const collect = test.outputFile === undefined ? [] : [test.outputFile];
    const spec = runSpec(place, program, { submission, test, collect });
    const exit = place.session.run(spec, { signal: place.signal });
    // It is awaited later, or not at all once an earlier case ended the submission.
    exit.catch(() => undefined);
    return { exit, limits: spec.limits };
  };
  const stop = stopRule(submission);
  const cases: CaseReport[] = [];
  const keeper = createOutputKeeper(submission.detail);
  let next: StartedRun | null = null;
  try {
    for (const [index, test] of tests.entries()) {
      if (stop.leavesOut(test)) {
        cases.push(caseNotRun(test));
        continue;
      }
      const current: StartedRun | null = next ?? start(index);
      next = isAhead ? start(index + 1) : null;
      if (current === null) throw new Fault('internal', 'a test has no run');
      const raw = await current.exit;
      requireCertain(place, raw);
      const outcome = judgedOutcome(runOutcome(place, raw, current.limits), test.outputFile);
      const verifySince = place.clock.now();
      const report = await judgeCase(test, outcome, { judge, position: index + 1, exit });
      timings.verifyMs += place.clock.now() - verifySince;
      cases.push(keeper.keep(report));
      stop.note(report);
    }
  } finally {
    // Nobody wants this result any more; the jail is free again once the run is gone.
    if (next !== null) await dropRun(place, next);
  }
  timings.runMs = place.clock.now() - since - timings.verifyMs;
  return { compile, cases, timings };
}

/** How the outputs of a submission are judged. */
export function outputJudge(
  place: Pick<JudgePlace, 'companions' | 'signal' | 'comparator'>,
  { compare, profile }: Pick<JudgeSubmission, 'compare' | 'profile'>,
  prepared: PreparedChecker | null,
): OutputJudge {
  if (compare.kind !== 'checker') return comparing(place.comparator, compare, profile);
  if (prepared === null) throw new Fault('internal', 'a checker was not prepared');
  const checker = putCheckerToWork(place, prepared);
  return (test, outcome, position) => checker.check(test, outcome, position);
}

async function dropRun(place: Place, run: StartedRun): Promise<void> {
  place.session.cancel();
  await Promise.allSettled([run.exit]);
}

/** Brings the program to where its runs can start. Null for a language without a compile step. */
export async function prepare(
  place: Place,
  program: Program,
  submission: Submission,
  timings: Timings,
): Promise<CompileReport | null> {
  const since = place.clock.now();
  const compile = await stageProgram(place, program, submission);
  if (compile !== null) timings.compileMs = place.clock.now() - since;
  return compile;
}

interface RunRequest {
  readonly submission: Submission;
  readonly test: {
    readonly stdin: Uint8Array;
    readonly args: readonly string[];
    readonly files: readonly SourceFile[];
    readonly limits: Limits;
  };
  readonly collect: readonly string[];
}

/** With the file that is judged in the place of standard output; one that is not there is empty. */
function judgedOutcome(outcome: Outcome, outputFile: string | undefined): Outcome {
  if (outputFile === undefined) return outcome;
  const file = outcome.collected.find(({ path }) => path === outputFile);
  const stdout = file?.status === 'ok' ? file.content : new Uint8Array(0);
  return {
    ...outcome,
    stdout,
    stdoutBytes: stdout.byteLength,
    stdoutTruncated: false,
    collected: [],
  };
}

/** One run of the program. */
export function runSpec(place: Place, program: Program, request: RunRequest): RunSpec {
  const { submission, test, collect } = request;
  const limits = runLimits(test.limits, place.environment.language, place.session.hello.cgroup);
  return {
    ...planRun(place.environment, program, {
      args: [...submission.args, ...test.args],
      env: submission.env,
      seed: submission.seed,
      clock: submission.clock,
      memory: plannedMemory(test.limits, limits),
    }),
    limits,
    stdin: test.stdin,
    files: test.files.map((file) => ({ ...file, executable: false })),
    cpu: place.cpu ?? NO_CPU,
    warm:
      submission.warm && place.mayFork && program.mayBeForked && place.session.hello.features.warm,
    light: program.isLight ?? false,
    collect,
  };
}

/** The outcome of a run of the program, which its runtime may have ended for memory. */
export function runOutcome(place: Place, raw: RawExit, limits: RunLimits): Outcome {
  const { memoryFailure } = place.environment.language.run;
  return toOutcome(place, raw, { ...limits, memoryFailure });
}
