/**
 * One submission on one jail: stage, compile once, run every test, judge each as it ends. Throws a Fault when
 * something of ours failed; everything the program did is in what it returns.
 */
import { planRun } from '../catalog/plan.ts';
import { Fault } from '../domain/errors.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome, RawExit } from '../domain/outcome.ts';
import type { CompileReport } from '../domain/report.ts';
import type {
  JudgeSubmission,
  RunSubmission,
  SourceFile,
  StdioCase,
  Submission,
} from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import type { RunLimits } from '../runner/protocol.ts';
import { caseNotRun, judgeCase } from './case-verdict.ts';
import { stageProgram } from './compile.ts';
import { createOutputKeeper } from './kept-output.ts';
import { NO_CPU, type Place, toOutcome } from './place.ts';
import type { Program } from './program.ts';
import { plannedMemory, runLimits } from './run-spec.ts';

export interface Timings {
  compileMs: number;
  runMs: number;
  verifyMs: number;
}

export interface RunResult {
  readonly compile: CompileReport | null;
  readonly outcome: Outcome;
  readonly timings: Timings;
}

export interface JudgeResult {
  readonly compile: CompileReport | null;
  /** One entry per test case, in request order; empty when the program did not compile. */
  readonly cases: readonly CaseReport[];
  readonly timings: Timings;
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
  return { compile, outcome: runOutcome(place, raw, spec.limits), timings };
}

/**
 * Compiles where needed and judges all cases. Two runs are under way at a time, so that the jail never waits for
 * the host: the second one is received while the first executes.
 */
export async function executeJudge(
  place: Place,
  program: Program,
  submission: JudgeSubmission,
  tests: readonly StdioCase[],
): Promise<JudgeResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  const compile = await prepare(place, program, submission, timings);
  if (compile !== null && !compile.ok) return { compile, cases: [], timings };
  const since = place.clock.now();
  const start = (index: number): StartedRun | null => {
    const test = tests[index];
    if (test === undefined) return null;
    const spec = runSpec(place, program, { submission, test, collect: [] });
    const exit = place.session.run(spec, { signal: place.signal });
    // It is awaited later, or not at all once an earlier case ended the submission.
    exit.catch(() => undefined);
    return { exit, limits: spec.limits };
  };
  const cases: CaseReport[] = [];
  const keeper = createOutputKeeper(submission.detail);
  let current = start(0);
  let next: StartedRun | null = null;
  try {
    for (const [index, test] of tests.entries()) {
      next = start(index + 1);
      if (current === null) throw new Fault('internal', 'a test has no run');
      const outcome = runOutcome(place, await current.exit, current.limits);
      const verifySince = place.clock.now();
      const report = await judgeCase(test, outcome, {
        compare: submission.compare,
        comparator: place.comparator,
      });
      timings.verifyMs += place.clock.now() - verifySince;
      cases.push(keeper.keep(report));
      if (submission.stop === 'first_failure' && report.verdict !== 'accepted') {
        cases.push(...tests.slice(index + 1).map(caseNotRun));
        break;
      }
      current = next;
      next = null;
    }
  } finally {
    // Nobody wants this result any more; the jail is free again once the run is gone.
    if (next !== null) await dropRun(place, next);
  }
  timings.runMs = place.clock.now() - since - timings.verifyMs;
  return { compile, cases, timings };
}

async function dropRun(place: Place, run: StartedRun): Promise<void> {
  place.session.cancel();
  await Promise.allSettled([run.exit]);
}

async function prepare(
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

function runSpec(place: Place, program: Program, request: RunRequest): RunSpec {
  const { submission, test, collect } = request;
  const limits = runLimits(test.limits, place.environment.language, place.session.hello.cgroup);
  return {
    ...planRun(place.environment, program, {
      args: [...submission.args, ...test.args],
      env: submission.env,
      seed: submission.seed,
      memory: plannedMemory(test.limits, limits),
    }),
    limits,
    stdin: test.stdin,
    files: test.files.map((file) => ({ ...file, executable: false })),
    cpu: place.cpu ?? NO_CPU,
    warm: submission.warm && program.mayBeForked && place.session.hello.features.warm,
    collect,
  };
}

/** The outcome of a run of the program, which its runtime may have ended for memory. */
function runOutcome(place: Place, raw: RawExit, limits: RunLimits): Outcome {
  const { memoryFailure } = place.environment.language.run;
  return toOutcome(place, raw, { ...limits, memoryFailure });
}
