/** From an evaluation to the wire's result. Pure. */
import type { Outcome } from '../../../../domain/outcome.ts';
import type { JudgeReport } from '../../../../domain/report.ts';
import type { CaseReport } from '../../../../domain/verdict.ts';
import { NotJudged } from '../errors.ts';
import { compileResult, runResult, toSeconds } from '../command-result.ts';
import type { CommandRunResult, RunCodeResponse } from '../schema.ts';
import { toResponse } from '../translate.ts';
import type { Evaluation } from './evaluate.ts';
import type { Plan, Work } from './plan.ts';
import type { EvalResult, EvalTestCase, Row } from './schema.ts';

interface Asked {
  readonly id: number | string;
  readonly plan: Plan;
  readonly podName: string | null;
}

/** Throws NotJudged for a fault of ours. */
export function toEvalResult(evaluation: Evaluation, { id, plan, podName }: Asked): EvalResult {
  const { tests, extra } =
    evaluation.kind === 'run'
      ? ofRun(evaluation, podName)
      : {
          tests: ofJudged(evaluation.report, plan.work, podName),
          extra: extraOf(evaluation.report, plan.work),
        };
  return {
    id,
    accepted: tests.length > 0 && tests.every(({ passed }) => passed),
    extracted_code: plan.extracted.code,
    full_code: plan.fullCode,
    test_code: plan.testCode,
    tests,
    extracted_type: plan.extracted.type,
    extra,
  };
}

/** What the original reads from jest's report: a test each, in its order. */
function extraOf({ cases }: JudgeReport, work: Work): Row | null {
  if (work.kind !== 'tests' || work.tests.kind !== 'jest') return null;
  return {
    jest_cases: cases.map(({ id, verdict, message }) => {
      const [file = '', ...titles] = id.split(' > ');
      return {
        passed: verdict === 'accepted',
        full_name: titles.join(' '),
        file,
        suite: titles.slice(0, -1).join(' > '),
        test: titles.at(-1) ?? '',
        failure_messages: verdict === 'accepted' ? [] : [message],
      };
    }),
  };
}

/** Without a program nothing is run. */
export function noProgram({ id, plan, podName }: Asked): EvalResult {
  const exec_info = failed('the completion holds no program', podName);
  return {
    id,
    accepted: false,
    extracted_code: plan.extracted.code,
    full_code: plan.fullCode,
    test_code: plan.testCode,
    tests: [{ passed: false, exec_info, test_info: null }],
    extracted_type: plan.extracted.type,
    extra: null,
  };
}

function ofRun(
  { report, altered, isAccepted, isForged }: Extract<Evaluation, { kind: 'run' }>,
  podName: string | null,
): { readonly tests: readonly EvalTestCase[]; readonly extra: Row } {
  for (const each of [report, altered])
    if (each !== null && each.fault !== null) throw new NotJudged(each.fault.message);
  if (altered?.compile?.ok === false) throw new NotJudged('the altered tests do not compile');
  const message = 'it passes tests that no right program passes';
  const exec_info = isForged ? failed(message, podName) : toResponse(report, podName);
  const test = { passed: isAccepted, exec_info, test_info: null };
  return { tests: [test], extra: { verifier: 'altered_tests', forged: isForged } };
}

function ofJudged(
  report: JudgeReport,
  work: Work,
  podName: string | null,
): readonly EvalTestCase[] {
  if (report.fault !== null) throw new NotJudged(report.fault.message);
  const of = (each: CaseReport | null): RunCodeResponse => execInfo(report, each, work, podName);
  if (work.kind === 'stdio' && report.cases.length > 0) {
    const done = report.cases.flatMap((each, at) =>
      each.verdict === 'not_run' ? [] : [{ each, given: work.cases[at] }],
    );
    return done.map(({ each, given }) => {
      const passed = each.verdict === 'accepted';
      const show = passed && !work.tellsAll ? shortened : whole;
      const test_info = {
        input: { stdin: show(given?.stdin ?? '') },
        output: { stdout: show(given?.stdout ?? '') },
      };
      return { passed, exec_info: of(each), test_info };
    });
  }
  // One test for all of them, as the original runs them: the first that failed, else the last.
  const telling = report.cases.find(({ verdict }) => verdict !== 'accepted') ?? report.cases.at(-1);
  const passed = report.verdict === 'accepted';
  return [{ passed, exec_info: of(telling ?? null), test_info: null }];
}

const SHOWN_CHARS = 1000;
const GAP = '...';

function whole(text: string): string {
  return text;
}

/** Both ends of a long text. */
function shortened(text: string): string {
  if (text.length <= SHOWN_CHARS) return text;
  const half = Math.floor((SHOWN_CHARS - GAP.length) / 2);
  return `${text.slice(0, half)}${GAP}${text.slice(-half)}`.toWellFormed();
}

/** What the original tells of the run of a case; tests that failed in a process of their own are its exit code 1. */
function execInfo(
  report: JudgeReport,
  each: CaseReport | null,
  work: Work,
  podName: string | null,
): RunCodeResponse {
  const compile = compileResult(report.compile);
  const base = { ...failed('', podName), queue_time: toSeconds(report.phases.queueMs) };
  if (report.verdict === 'compile_error')
    return { ...base, compile_result: compile, run_result: null };
  const ran = runResult(endedWell(each?.outcome ?? null)) ?? finished('');
  const isFailure = each === null ? report.verdict !== 'accepted' : each.verdict !== 'accepted';
  const isJudgedApart = work.kind !== 'stdio' && isFailure && ran.return_code === 0;
  const stderr = [ran.stderr, each?.message ?? report.message].filter((part) => part !== '');
  const run: CommandRunResult = isJudgedApart
    ? { ...ran, return_code: 1, stderr: stderr.join('\n') }
    : ran;
  const isSuccess = run.status === 'Finished' && run.return_code === 0;
  return {
    ...base,
    status: isSuccess ? 'Success' : 'Failed',
    compile_result: compile,
    run_result: run,
  };
}

/** A process that was still there at the end of a test has not failed. */
function endedWell(outcome: Outcome | null): Outcome | null {
  const isThere =
    outcome?.kind === 'exited' && outcome.exitCode === null && outcome.signal === null;
  return isThere ? { ...outcome, exitCode: 0 } : outcome;
}

/** A run that did not take place, told as one that failed. */
function failed(message: string, podName: string | null): RunCodeResponse {
  return {
    status: 'Failed',
    message: '',
    compile_result: null,
    run_result: finished(message),
    executor_pod_name: podName,
    files: {},
    queue_time: null,
    clamped: [],
  };
}

function finished(stderr: string): CommandRunResult {
  return {
    status: 'Finished',
    execution_time: 0,
    return_code: stderr === '' ? 0 : 1,
    stdout: '',
    stderr,
    cpu_time: 0,
    memory_bytes: null,
    signal: null,
    truncated: false,
    memory_limit_exceeded: false,
    output_limit_exceeded: false,
  };
}
