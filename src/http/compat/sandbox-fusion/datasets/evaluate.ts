/** Judges a plan: Python's tests in two jails, stdin programs case by case, other languages' tests in the program's process. */
import { Rejection } from '../../../../domain/errors.ts';
import type { JudgeReport } from '../../../../domain/report.ts';
import type { JudgeSubmission, RunSubmission } from '../../../../domain/submission.ts';
import type { CallContext, LanguageInfo } from '../../../../judge/door.ts';
import { mergeReports, type PartReport } from '../../../../judge/merge-reports.ts';
import {
  canBeAltered,
  judgeSelfReporting,
  type SelfReporting,
} from '../../../../judge/self-reporting.ts';
import type { HTTPDeps } from '../../../app-env.ts';
import { RewardRow } from '../../../native/reward/rows.ts';
import { RowRefusal } from '../../../native/reward/refusal.ts';
import { RewardEnvelope } from '../../../native/schema/reward.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../../native/to-judge-submission.ts';
import { Answered } from '../answer.ts';
import { BadRequest, invalidBody } from '../errors.ts';
import { environmentFor } from '../packages.ts';
import { whatIsServed } from '../run-code.ts';
import { RunCodeRequest } from '../schema.ts';
import { chooseLanguage, toSubmission } from '../translate.ts';
import type { Work } from './plan.ts';

type Of<Kind extends Work['kind']> = Extract<Work, { kind: Kind }>;

export type Evaluation =
  | { readonly kind: 'judged'; readonly report: JudgeReport }
  | ({ readonly kind: 'run' } & SelfReporting);

/** Asks for the evaluation, once the plan is known to be one. */
export type Evaluator = (context: CallContext) => Promise<Evaluation>;

/** As verl asks for; the original sets none. */
const MEMORY_MB = 1024;

/** Throws BadRequest, Answered and Rejection for what cannot be judged at all. */
export async function evaluatorOf(work: Work, id: string, deps: HTTPDeps): Promise<Evaluator> {
  switch (work.kind) {
    case 'row':
      return await rowEvaluator(work, id, deps);
    case 'stdio':
      return stdioEvaluator(work, id, deps);
    case 'tests':
      return testsEvaluator(work, id, deps);
    case 'program':
      return programEvaluator(work, id, deps);
  }
}

/** All the time that the tests of one process get where each has its own. */
const SHARED = { slackS: 1, onceS: 5, mostS: 160 } as const;

async function rowEvaluator(work: Of<'row'>, id: string, deps: HTTPDeps): Promise<Evaluator> {
  const { service, rows } = deps;
  const { row, code, files } = work;
  const runS = inForce(work.runS, deps);
  const reading = await rows.read({ text: JSON.stringify(row), schema: work.schema });
  if (reading.kind === 'rejection')
    throw new BadRequest(`provided_data: ${reading.path || 'the row'} ${reading.message}`);
  const python = languageNamed(reading.language ?? 'python', deps);
  const texts = [
    code,
    ...Object.values(row).flatMap((each) => (typeof each === 'string' ? each : [])),
  ];
  const environment = environmentFor(python.language, python.name, {
    code: texts.join('\n'),
    files,
  });
  const partsWithin = (seconds: number) => {
    const wire = RewardEnvelope.parse({
      detail: 'full',
      limits: { cpu_ms: toMs(seconds), memory_mb: MEMORY_MB },
      ...(environment === null ? {} : { environment }),
    });
    const read = new RewardRow(reading, wire, service.maxima);
    return { parts: read.partsFor(code), program: read.toProgram(code) };
  };
  let { parts, program } = refusing(() => partsWithin(runS));
  const calls = parts.flatMap(({ submission: { tests } }) =>
    'document' in tests ? (tests.ids ?? []) : [],
  ).length;
  if (work.isPerTest && calls > 0)
    ({ parts, program } = refusing(() =>
      partsWithin(
        inForce(Math.min((runS + SHARED.slackS) * calls + SHARED.onceS, SHARED.mostS), deps),
      ),
    ));
  const [first] = parts;
  if (first === undefined) throw new BadRequest('provided_data: the row has no tests');
  const source = { kind: 'single', code: program, files } as const;
  return async (context) => {
    const reports: PartReport[] = [];
    for (const { submission, positions } of parts) {
      const report = await service.judge({ ...submission, id, program: source }, context);
      reports.push({
        report,
        positions: positions ?? report.cases.map((_case, index) => index),
      });
    }
    const [one, ...others] = reports;
    if (one === undefined) throw new Error('a row has no tests');
    const report =
      others.length === 0 ? one.report : mergeReports([one, ...others], first.submission);
    return { kind: 'judged', report };
  };
}

function refusing<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof RowRefusal) throw new BadRequest(`provided_data: ${error.message}`);
    throw error;
  }
}

function stdioEvaluator(work: Of<'stdio'>, id: string, deps: HTTPDeps): Evaluator {
  const { service } = deps;
  const { language, name } = languageNamed(work.language, deps);
  const environment = environmentFor(language, name, { code: work.code, files: [] });
  const cases = work.cases.map(({ stdin, stdout }) => ({ stdin, expected_stdout: stdout }));
  const request = parseJudgeRequest({
    language: name,
    ...(environment === null ? {} : { environment }),
    code: work.code,
    tests: { kind: 'stdio', cases },
    limits: {
      cpu_ms: toMs(inForce(work.runS, deps)),
      compile_cpu_ms: toMs(inForce(work.compileS, deps)),
      memory_mb: MEMORY_MB,
    },
    stop: work.runsAll ? 'never' : 'first_failure',
    detail: 'full',
  });
  const submission: JudgeSubmission = {
    ...toJudgeSubmission(request, { maxima: service.maxima, id }),
    compare: { kind: 'grader', grader: 'common_oj' },
  };
  return async (context) => ({ kind: 'judged', report: await service.judge(submission, context) });
}

/** Tests in the manner of a library, judged by our runner of it. */
function testsEvaluator(work: Of<'tests'>, id: string, deps: HTTPDeps): Evaluator {
  const { service } = deps;
  const { language, name } = languageNamed(work.language, deps);
  const { code, files, tests } = work;
  const environment = environmentFor(language, name, { code, files });
  const request = parseJudgeRequest({
    language: name,
    ...(environment === null ? {} : { environment }),
    code,
    tests,
    limits: {
      cpu_ms: toMs(inForce(work.runS, deps)),
      compile_cpu_ms: toMs(inForce(work.compileS, deps)),
      memory_mb: MEMORY_MB,
    },
    detail: 'full',
  });
  const submission: JudgeSubmission = {
    ...toJudgeSubmission(request, { maxima: service.maxima, id }),
    program: { kind: 'single', code, files },
  };
  return async (context) => {
    try {
      return { kind: 'judged', report: await service.judge(submission, context) };
    } catch (error) {
      // The row's tests, which nobody can judge by.
      if (error instanceof Rejection && error.code === 'invalid')
        throw new BadRequest(`provided_data: ${error.context.detail}`);
      throw error;
    }
  };
}

function programEvaluator(work: Of<'program'>, id: string, deps: HTTPDeps): Evaluator {
  const { service } = deps;
  const { language, name } = languageNamed(work.language, deps);
  const { tests } = work;
  if (!canBeAltered(tests)) throw new BadRequest(NOT_TO_BE_TOLD);
  const submissionOf = (given: string): RunSubmission => {
    const { before, files, runS, compileS } = work;
    const request = RunCodeRequest.parse({
      code: before + given,
      run_timeout: runS,
      compile_timeout: compileS,
      memory_limit_MB: MEMORY_MB,
    });
    const { maxima } = service;
    const deadlineMs = toMs(inForce(runS, deps)) * 2;
    const built = toSubmission(request, { id, language: name, maxima, deadlineMs });
    if (!built.ok) throw new Answered(invalidBody(built.details));
    const { code } = request;
    const program = { kind: 'single', code, files } as const;
    const environment = environmentFor(language, name, { code, files });
    return { ...built.submission, program, environment };
  };
  // What is wrong with the request shows before anything waits.
  submissionOf(tests);
  return async (context) => {
    const judged = await judgeSelfReporting(service, { tests, submissionOf }, context);
    if (judged === null) throw new BadRequest(NOT_TO_BE_TOLD);
    return { kind: 'run', ...judged };
  };
}

const NOT_TO_BE_TOLD =
  'provided_data: its tests are code that cannot be judged apart from the program, and no expected value that they state could be altered to see that they are not forged';

function languageNamed(
  wanted: string,
  { service }: HTTPDeps,
): { readonly language: LanguageInfo; readonly name: string } {
  const choice = chooseLanguage(wanted, (name) => service.language(name));
  if (choice.kind === 'unknown') {
    const detail = { ...choice.detail, loc: ['body', 'config', 'language'] };
    throw new Answered(invalidBody([detail], 'unknown_language'));
  }
  if (choice.kind === 'not_served')
    throw new Rejection('language_unavailable', { detail: whatIsServed(service) });
  return choice;
}

/** An absurd time-out is the operator's most. */
function inForce(seconds: number, { service: { maxima } }: HTTPDeps): number {
  return Math.min(seconds, maxima.cpuMs / 1000);
}

function toMs(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}
