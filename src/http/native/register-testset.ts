/**
 * Registers a test set: every problem is validated as a judge request would be, tried on its references and on wrong
 * programs, and kept; then all become the set's newest version, or none.
 */
import { HARNESS_KINDS, OUTPUT_LANGUAGE, type JudgeSubmission } from '../../domain/submission.ts';
import { Rejection, type FieldError } from '../../domain/errors.ts';
import type { Service } from '../../judge/door.ts';
import type { Clock } from '../../lib/clock.ts';
import { calibrate, type Trial, type CalibrationResult } from '../../judge/testsets/calibrate.ts';
import type { Controls } from '../../judge/testsets/controls.ts';
import type { NewVersion, TestsetLibrary } from '../../judge/testsets/library.ts';
import { problemIdError } from '../../judge/testsets/reference.ts';
import { createId } from '../middleware/request-id/request-id.ts';
import { PROBLEM_FIELDS, type Problem, type TestsetRequest } from './schema/testset.ts';
import { patiently } from './reward/patience.ts';
import { parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';
import { invalid } from './validation.ts';

export interface Registration {
  readonly wire: TestsetRequest;
  readonly service: Service;
  readonly library: TestsetLibrary;
  readonly controls: Controls;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface ProblemResult {
  readonly id: string;
  readonly result: CalibrationResult;
}

/** A registration's end; `version` is null where a problem was refused and the set had to be whole. */
export interface Registered {
  readonly version: string | null;
  readonly results: readonly ProblemResult[];
}

/** The default hash seed and one other: what depends on the order of a set shows itself. */
const SEEDS = [null, 12345] as const;

/**
 * Gives what came of each problem as soon as it is known, and in the end what became of the set. Throws Rejection
 * `invalid` before anything is tried, with the path of each error.
 */
export function registerTestset(
  registration: Registration,
): AsyncGenerator<ProblemResult, Registered> {
  return carryOut(planProblems(registration), registration);
}

async function* carryOut(
  plans: readonly Plan[],
  registration: Registration,
): AsyncGenerator<ProblemResult, Registered> {
  const { wire, library } = registration;
  const results: ProblemResult[] = [];
  const held: NewVersion['problems'][number][] = [];
  for (const plan of plans) {
    const result = await tryProblem(plan, registration);
    results.push({ id: plan.id, result });
    yield { id: plan.id, result };
    if (result.calibration === null) continue;
    const { calibration } = result;
    const judge = { ...plan.judge, ...plan.inMode(calibration.mode) };
    held.push({ id: plan.id, judge, calibration });
  }
  // Nothing is kept of a set that is refused: nobody could take it away again.
  const isWhole = held.length === results.length;
  if (held.length === 0 || !(isWhole || wire.partial)) return { version: null, results };
  const { digest } = await library.publish({ id: wire.id, hidden: wire.hidden, problems: held });
  return { version: `sha256:${digest}`, results };
}

interface Plan {
  readonly id: string;
  /** Fields of a judge request. */
  readonly judge: Readonly<Record<string, unknown>>;
  readonly references: readonly Trial[];
  readonly controls: readonly Trial[];
  /** A program in the problem's language, of no interest in itself. */
  readonly probe: Trial;
  readonly modes: readonly string[];
  /** The fields that a mode changes. */
  readonly inMode: (mode: string | null) => Readonly<Record<string, unknown>>;
  readonly submission: (trial: Trial, mode: string, seed: number | null) => JudgeSubmission;
}

function planProblems(registration: Registration): Plan[] {
  const { wire } = registration;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const plans: Plan[] = [];
  for (const [index, problem] of wire.problems.entries()) {
    const at = `problems[${index}]`;
    const fault = problemIdError(problem.id);
    if (fault !== null) errors.push({ path: `${at}.id`, message: fault });
    if (seen.has(problem.id))
      errors.push({ path: `${at}.id`, message: 'another problem has the same id' });
    seen.add(problem.id);
    try {
      plans.push(planProblem(problem, registration));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { errors: found = [{ path: '', message: error.message }] } = error.context;
      for (const each of found)
        errors.push({ path: each.path === '' ? at : `${at}.${each.path}`, message: each.message });
    }
  }
  if (errors.length > 0) throw invalid(errors);
  return plans;
}

/** Throws Rejection with paths below the problem. */
function planProblem(problem: Problem, { wire, service, controls }: Registration): Plan {
  const judge = Object.fromEntries(
    PROBLEM_FIELDS.filter((name) => problem[name] !== undefined).map((name) => [
      name,
      problem[name],
    ]),
  );
  const language = typeof judge['language'] === 'string' ? judge['language'] : null;
  const references = toTrials(problem.references, { language, what: 'reference' });
  const own = toTrials(problem.controls, { language, what: 'control' });
  const levels = levelsOf(judge['tests']);
  const inMode = (mode: string | null): Readonly<Record<string, unknown>> =>
    mode === null || levels === null ? {} : { tests: { ...levels.tests, ...levels.of(mode) } };
  const isSeeded = (trial: Trial): boolean =>
    (service.language(trial.language)?.determinism.seed ?? null) !== null;
  const submission = (trial: Trial, mode: string, seed: number | null): JudgeSubmission => {
    const body = {
      ...judge,
      ...inMode(mode),
      language: trial.language,
      ...trial.source,
      detail: 'summary',
      ...(seed === null || !isSeeded(trial) ? {} : { seed }),
    };
    return toJudgeSubmission(parseJudgeRequest(body), {
      maxima: service.maxima,
      id: createId('cal'),
    });
  };
  const modes = levels === null ? ['stdio'] : levels.modes;
  const probe: Trial = references[0] ?? probeOf(language);
  submission(probe, modes[0] ?? '', null);
  const ours = wire.calibrate.controls
    ? controls.for(service.language(probe.language)?.id ?? probe.language, judge['tests'])
    : [];
  const all = [...own, ...ours];
  return { id: problem.id, judge, references, controls: all, probe, modes, inMode, submission };
}

function toTrials(
  trials: Problem['references'],
  { language, what }: { language: string | null; what: string },
): Trial[] {
  return trials.map((trial, index) => {
    const its = trial.language ?? language;
    if (its === null) {
      throw invalid([
        {
          path: `${what}s[${index}].language`,
          message: 'is required, because the problem names none',
        },
      ]);
    }
    const { name = `${what} ${index + 1}`, code = '', outputs } = trial;
    return { name, language: its, source: outputs === undefined ? { code } : { outputs } };
  });
}

function probeOf(language: string | null): Trial {
  const source = language === OUTPUT_LANGUAGE ? { outputs: {} } : { code: '' };
  return { name: 'probe', language: language ?? 'python', source };
}

interface Levels {
  readonly tests: object;
  readonly modes: readonly string[];
  /** What a mode changes of them. */
  readonly of: (mode: string) => Readonly<Record<string, unknown>>;
}

const LEVELS = [0, 1, 2];
const WITHOUT_LEVELS: ReadonlySet<unknown> = new Set([
  ...['stdio', 'interactive', 'two_step', 'output_only'],
]);

const IN_PROCESS = 'in_process';
/** Kinds that have no `mode`. */
const SPLIT_ONLY: ReadonlySet<unknown> = new Set(['function', 'jest']);

/**
 * How tests that are code can be asked (native-api: `level`, `mode`); null for tests that have no such choice. What the
 * registrant chose is the least strict one tried. Beside the program only when no other way works: that is told by the
 * calibration and by every report.
 */
function levelsOf(tests: unknown): Levels | null {
  if (typeof tests !== 'object' || tests === null || !('kind' in tests)) return null;
  if (WITHOUT_LEVELS.has(tests.kind)) return null;
  // Of compiled languages: there is no other way for them.
  if (typeof tests.kind === 'string' && Object.hasOwn(HARNESS_KINDS, tests.kind))
    return { tests, modes: [IN_PROCESS], of: () => ({}) };
  const level = 'level' in tests ? tests.level : undefined;
  const mode = 'mode' in tests ? tests.mode : undefined;
  const most = typeof level === 'number' ? level : 2;
  const levels = LEVELS.filter((each) => each <= most);
  const isSplitOnly = SPLIT_ONLY.has(tests.kind);
  const isChosen = typeof level === 'number' || mode !== undefined;
  const isLast = !isSplitOnly && (mode === IN_PROCESS || !isChosen);
  const split = isSplitOnly ? {} : { mode: 'split' };
  return {
    tests,
    modes: [...levels.map((each) => `split/${each}`), ...(isLast ? [IN_PROCESS] : [])],
    of: (each) =>
      each === IN_PROCESS
        ? { mode: IN_PROCESS }
        : { ...split, level: Number(each.slice('split/'.length)) },
  };
}

async function tryProblem(
  plan: Plan,
  { wire, service, signal, clock }: Registration,
): Promise<CalibrationResult> {
  const [mode = ''] = plan.modes;
  const probe = plan.submission(plan.probe, mode, null);
  // Its tries are many, within the tenant's bounds: one that finds the queue full comes again.
  const patience = { clock, signal, deadlineAt: null };
  const found = await patiently(
    (deadlineMs) => service.tryChecker(probe, { signal, deadlineMs, isOwn: true }),
    patience,
  );
  if (found.length > 0) return { calibration: null, refused: `the checker: ${found.join('; ')}` };
  return await calibrate({
    ...plan,
    runs: wire.calibrate.runs,
    seeds: SEEDS,
    parallel: 2 * service.capabilities().slots,
    judge: (submission, context) => patiently(() => service.judge(submission, context), patience),
    signal,
  });
}
