/**
 * Problems of two steps: the program runs twice on a case, each time in fresh namespaces, and all that the second run has
 * of the first one is what the service hands on: its output, or what the problem's manager makes of it.
 */
import type { Outcome } from '../domain/outcome.ts';
import type { JudgeSubmission, StdioCase } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { caseReport, failureOf, judgeCase, type OutputJudge } from './case-verdict.ts';
import { judgeEach } from './judge-each.ts';
import { type CheckerAtWork, type PreparedChecker, putCheckerToWork } from './checker.ts';
import {
  type JudgedPrograms,
  type JudgeResult,
  outputJudge,
  prepare,
  runOutcome,
  runSpec,
  type Timings,
} from './execute.ts';
import { type JudgePlace, requireCertain } from './place.ts';
import type { Program } from './program.ts';

/** The arguments by which a program knows its step, as in CMS. */
const STEPS = { first: '0', second: '1' } as const;

interface Table {
  readonly place: JudgePlace;
  readonly program: Program;
  readonly submission: JudgeSubmission;
  /** Null where the output is handed on as it is. */
  readonly manager: CheckerAtWork | null;
  readonly judge: OutputJudge;
}

/** Compiles where needed and judges all cases, one after the other. */
export async function executeTwoStep(
  place: JudgePlace,
  {
    program,
    checker,
    manager: between,
  }: JudgedPrograms & { readonly manager: PreparedChecker | null },
  submission: JudgeSubmission,
  tests: readonly StdioCase[],
): Promise<JudgeResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  const compile = await prepare(place, program, submission, timings);
  if (compile !== null && !compile.ok) return { compile, cases: [], timings };
  const since = place.clock.now();
  const manager =
    between &&
    putCheckerToWork(place, between, { code: 'interactor_failed', judgesAnswers: false });
  const judge = outputJudge(place, submission, checker);
  const table: Table = { place, program, submission, manager, judge };
  const cases = await judgeEach(submission, tests, (test, position) => play(table, test, position));
  timings.runMs = place.clock.now() - since;
  return { compile, cases, timings };
}

async function play(table: Table, test: StdioCase, position: number): Promise<CaseReport> {
  const first = await run(table, test, STEPS.first);
  const failure = failureOf(first);
  if (failure !== null)
    return caseReport(test, first, { ...failure, score: 0, message: inFirst(failure.message) });
  const handed = await handOn(table, { test, first, position });
  if (handed.refusal !== null) {
    const message = inFirst(handed.refusal);
    return caseReport(test, first, { verdict: 'wrong_answer', score: 0, message });
  }
  const second = await run(table, { ...test, stdin: handed.input }, STEPS.second);
  const { judge } = table;
  return await judgeCase(test, both(first, second), { judge, position });
}

function inFirst(message: string): string {
  return `the first run: ${message}`;
}

type Handed = { readonly input: Uint8Array; readonly refusal: null } | { readonly refusal: string };

async function handOn(
  { manager }: Table,
  { test, first, position }: { test: StdioCase; first: Outcome; position: number },
): Promise<Handed> {
  if (manager === null) return { input: first.stdout, refusal: null };
  const { accepted, message, printed } = await manager.check(test, first, position);
  return accepted ? { input: printed, refusal: null } : { refusal: message };
}

async function run(
  { place, program, submission }: Table,
  test: StdioCase,
  step: string,
): Promise<Outcome> {
  const request = { ...test, args: [...test.args, step] };
  const spec = runSpec(place, program, { submission, test: request, collect: [] });
  const raw = await place.session.run(spec, { signal: place.signal });
  requireCertain(place, raw);
  return runOutcome(place, raw, spec.limits);
}

/** How the second run ended, with what both took. */
function both(first: Outcome, second: Outcome): Outcome {
  const memoryBytes =
    first.memoryBytes === null || second.memoryBytes === null
      ? second.memoryBytes
      : Math.max(first.memoryBytes, second.memoryBytes);
  return {
    ...second,
    cpuMs: first.cpuMs + second.cpuMs,
    wallMs: first.wallMs + second.wallMs,
    memoryBytes,
    forked: first.forked && second.forked,
  };
}
