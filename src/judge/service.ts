/**
 * The door's implementation: language → queue → jail → report. Owns retries of faults, deadlines and cancellation;
 * leaves the jail's work to `execute` and the arithmetic to `verify`.
 */
import { Rejection, type RejectionCode } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import { profileLabel } from '../domain/profile.ts';
import type { CellsReport, JudgeReport, RunReport } from '../domain/report.ts';
import type {
  CellsSubmission,
  JudgeSubmission,
  RunSubmission,
  Submission,
} from '../domain/submission.ts';
import { ANONYMOUS } from '../domain/tenant.ts';
import { Cells } from './cells.ts';
import { toCapabilities } from './capabilities.ts';
import { checkSubmission } from './check-submission.ts';
import { tryChecker, type TrialParts } from './checker-trial.ts';
import type {
  CallContext,
  Capabilities,
  LanguageInfo,
  LiveTalk,
  Readiness,
  SelfTestResult,
  Service,
  Stats,
  Wanted,
} from './door.ts';
import { executeOnce } from './execute-workspace.ts';
import { LiveRun, type RunWork } from './execute-live.ts';
import { type Candidate, withGrader } from './grader.ts';
import { Planner } from './inprocess/planner.ts';
import { type ReportBase, toJudgeReport, toNoProgramReport } from './judge-report.ts';
import { Offer } from './offer.ts';
import { executeOutputs, outputsOf, TEXT } from './output-only.ts';
import { NO_PHASES, Performer, type Performed } from './perform.ts';
import { executeProblem, prepareProblem } from './problem.ts';
import { toProgram } from './program.ts';
import { readinessOf } from './readiness.ts';
import { memoryNeeds } from './run-spec.ts';
import { outcomesOf, runtimeOf } from './runtime.ts';
import { Bundles } from './split/bundle.ts';
import type { ServiceOptions } from './service-options.ts';
import { checkTests, memoryOf, modeOf } from './test-kinds.ts';
import { collectStats, ServiceStats } from './stats.ts';
import { digestTests } from './tests-digest.ts';
import { hideTests } from './testsets/hide.ts';
import { referenceTo } from './testsets/reference.ts';
import { type ServiceWall, wallOf } from './walls.ts';

/** What is told of a submission that got no jail. */
const NO_WORK = { fault: null, attempts: [], phases: NO_PHASES, runtime: 'process' } as const;

/** Where a submission is judged, for its report. */
interface Where {
  readonly environment: Pick<Environment, 'id' | 'fingerprint'> & {
    readonly language: { readonly id: string };
  };
  readonly wall: ServiceWall;
}

export class AssayService implements Service {
  readonly maxima: Limits;
  readonly #options: ServiceOptions;
  readonly #offer: Offer;
  readonly #stats = new ServiceStats();
  readonly #means = { bundles: new Bundles(), planner: new Planner() };
  readonly #cells = new Cells();
  readonly #bornAt: number;
  readonly #performer: Performer;
  /** Submissions not answered yet; bounded by the gate. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Environments whose self-tests have not ended although the service is ready. */
  readonly #late = new Map<string, Promise<unknown>>();
  #selfTests: readonly SelfTestResult[] = [];
  #notReady: readonly string[] = ['the self-tests have not ended yet'];

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.maxima = options.maxima;
    this.#performer = new Performer({
      gate: options.gate,
      clock: options.clock,
      comparator: options.comparator,
      artefacts: options.artefacts,
      onFault: (fault, id) => {
        this.#stats.faults += 1;
        options.onFault(fault, id);
      },
      onGivenUp: (stage, code) => this.#stats.gaveUp(stage, code),
    });
    this.#bornAt = options.clock.now();
    this.#offer = new Offer(options.catalog);
  }

  async run(submission: RunSubmission, context: CallContext): Promise<RunReport> {
    return await this.#run(submission, context, {
      work: (place, program) => executeOnce(place, program, submission),
    });
  }

  async talk(submission: RunSubmission, talk: LiveTalk, context: CallContext): Promise<RunReport> {
    const live = new LiveRun(talk);
    // Isolates, and forks, are for programs whose input is known.
    const cold = { ...submission, warm: false };
    return await this.#run(cold, context, {
      work: (place, program) => live.execute(place, program, cold),
      isRepeatable: () => live.isRepeatable,
    });
  }

  async #run(
    submission: RunSubmission,
    context: CallContext,
    { work, isRepeatable }: RunWork,
  ): Promise<RunReport> {
    return await this.#tracked(async () => {
      const { environment, definition, wall } = this.#resolve(submission);
      const source = toProgram(submission.program, definition);
      if (source.kind !== 'program') {
        const path = submission.program.kind === 'completion' ? 'completion' : 'code';
        throw new Rejection('invalid', {
          detail: `the ${path} holds no program: ${source.reason}`,
          errors: [{ path, message: source.reason }],
        });
      }
      checkSubmission(submission, source.program, environment);
      const performed = await this.#performer.perform(submission, context, {
        environment,
        wall,
        compilesAnew: context.compilesAnew ?? false,
        memoryBytes: memoryNeeds([submission.limits], environment.language),
        warm: submission.warm,
        usable: this.#usable(context, [environment]),
        work: (place) => work(place, source.program),
        ...(isRepeatable === undefined ? {} : { isRepeatable }),
      });
      const { result } = performed;
      this.#stats.run += 1;
      this.#stats.outcome(environment.id, result?.outcome ?? null);
      const report: RunReport = {
        kind: 'run',
        ...this.#base(submission, { environment, wall }, performed, outcomesOf(result?.outcome)),
        compile: result?.compile ?? null,
        outcome: result?.outcome ?? null,
        ...(result?.tree === undefined ? {} : { tree: result.tree }),
      };
      this.#options.onReport(report, context);
      return report;
    });
  }

  async runCells(submission: CellsSubmission, context: CallContext): Promise<CellsReport> {
    const { definition } = this.#resolve(submission);
    return await this.#cells.run(submission, definition, (run) => this.run(run, context));
  }

  async judge(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    return await this.#tracked(async () => {
      const judging =
        submission.tests.kind === 'output_only'
          ? this.#judgeOutputs(submission, context)
          : this.#judgeCode(submission, context);
      // While the jail is at work.
      const [report, digest] = await Promise.all([judging, digestTests(submission)]);
      const { testset } = submission;
      const provenance = {
        ...report.provenance,
        tests: digest,
        testset: referenceTo(testset),
        profile: profileLabel(submission.profile),
      };
      const complete = { ...report, provenance };
      if (context.isOwn !== true) this.#countJudged(complete);
      this.#options.onReport(complete, context);
      return testset?.hidden === true ? hideTests(complete) : complete;
    });
  }

  async tryChecker(submission: JudgeSubmission, context: CallContext): Promise<readonly string[]> {
    if (submission.tests.kind !== 'output_only') this.#resolve(submission);
    const memoryBytes = memoryOf(submission, null);
    const perform: TrialParts['perform'] = async (checkers, work) => {
      const usable = this.#usable(context, checkers);
      const wall = wallOf(this.#options, submission.wall, checkers);
      const job = { environment: null, wall, memoryBytes, usable, work };
      return await this.#performer.perform(submission, context, job);
    };
    const { problemFiles: files } = this.#options;
    const parts = { offer: this.#offer, files, perform };
    return await this.#tracked(async () => await tryChecker(submission, parts));
  }

  check(wanted: Wanted): ReturnType<Service['check']> {
    return this.#resolve(wanted).environment.language;
  }

  language(name: string): LanguageInfo | null {
    return this.#offer.language(name);
  }

  languages(): readonly LanguageInfo[] {
    return this.#offer.languages();
  }

  capabilities(): Capabilities {
    return toCapabilities(this.#options, this.#selfTests);
  }

  stats(): Stats {
    return collectStats(this.#options, this.#stats, this.#bornAt);
  }

  checkRoom({ payer = ANONYMOUS, priority = 0 }: Pick<CallContext, 'payer' | 'priority'>): void {
    this.#options.gate.check({ payer, priority, bytes: 0, costMs: 0, deadlineAt: null });
  }

  rejected(code: RejectionCode): void {
    this.#stats.rejected(code);
  }

  readiness(): Readiness {
    return readinessOf(this.#options, this.#notReady);
  }

  /** Results of the boot self-tests: what failed is not offered; with nothing left the service is not ready. */
  setSelfTests(results: readonly SelfTestResult[]): void {
    this.#noteSelfTests(results);
    const isAnyAvailable = this.languages().some((language) => language.available);
    this.#notReady = isAnyAvailable ? [] : ['no language is available'];
  }

  /** Self-tests that end later: whoever asks for one of these environments waits for them. `results` never rejects. */
  awaitSelfTests(
    environments: readonly string[],
    results: Promise<readonly SelfTestResult[]>,
  ): void {
    const ended = results.then((found) => {
      for (const id of environments) this.#late.delete(id);
      this.#noteSelfTests(found);
    });
    for (const id of environments) this.#late.set(id, ended);
  }

  #noteSelfTests(results: readonly SelfTestResult[]): void {
    this.#selfTests = [...this.#selfTests, ...results];
    for (const { environment, ok, test, message } of results) {
      if (!ok) this.#offer.refuse(environment, `its self-test ${test} failed: ${message}`);
    }
  }

  /** Not ready from now on; unless it `refuses` what waits and what comes, work goes on. */
  drain({ refuses }: { readonly refuses: boolean }): void {
    this.#notReady = ['the service is stopping'];
    if (refuses) this.#options.gate.drain();
  }

  /** Resolves when nothing runs any more; what still runs after `ms` is ended, and its callers told so. */
  async idle(ms: number): Promise<void> {
    const timer = this.#options.clock.after(ms, () => this.#performer.abort());
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    timer.cancel();
  }

  async #judgeCode(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    const { environment, definition, wall } = this.#resolve(submission);
    const source = toProgram(submission.program, definition);
    if (source.kind !== 'program') {
      const base = this.#base(submission, { environment, wall }, NO_WORK, []);
      return toNoProgramReport(submission, base, source);
    }
    const { program: own } = source;
    const program = withGrader(own, submission.graders, definition);
    return await this.#judgeProgram(submission, context, { environment, own, program });
  }

  async #judgeProgram(
    submission: JudgeSubmission,
    context: CallContext,
    { environment, own, program }: Candidate,
  ): Promise<JudgeReport> {
    checkTests(submission, environment);
    checkSubmission(submission, program, environment);
    const language = environment.language.id;
    const { problemFiles } = this.#options;
    const parts = { offer: this.#offer, files: problemFiles, program: own, language };
    const problem = prepareProblem(submission, parts);
    const wall = wallOf(this.#options, submission.wall, [environment, ...problem.environments]);
    const performed = await this.#performer.perform(submission, context, {
      environment,
      wall,
      compilesAnew: context.compilesAnew ?? false,
      memoryBytes: memoryOf(submission, environment),
      jails: modeOf(submission) === 'in_process' ? 'in_process' : 'process',
      warm: submission.warm,
      usable: this.#usable(context, [environment, ...problem.environments]),
      work: (place) => executeProblem(place, { ...problem, ...this.#means, program }, submission),
    });
    const { result } = performed;
    const outcomes = (result?.cases ?? []).flatMap(({ outcome }) => outcomesOf(outcome));
    const base = this.#base(submission, { environment, wall }, performed, outcomes);
    return toJudgeReport(submission, base, result);
  }

  async #judgeOutputs(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    const handed = outputsOf(submission);
    if (handed.kind === 'no_code') {
      const where = { environment: TEXT, wall: wallOf(this.#options, submission.wall, []) };
      return toNoProgramReport(submission, this.#base(submission, where, NO_WORK, []), handed);
    }
    const { problemFiles: files } = this.#options;
    const program = { entry: '', files: [], mayBeForked: false };
    const parts = { offer: this.#offer, files, program, language: TEXT.id };
    const { checker, environments } = prepareProblem(submission, parts);
    const where = { environment: TEXT, wall: wallOf(this.#options, submission.wall, environments) };
    const performed = await this.#performer.perform(submission, context, {
      environment: null,
      wall: where.wall,
      memoryBytes: memoryOf(submission, null),
      usable: this.#usable(context, environments),
      work: (bench) => executeOutputs(bench, checker, { submission, outputs: handed.byCase }),
    });
    const base = this.#base(submission, where, performed, []);
    return toJudgeReport(submission, base, performed.result);
  }

  #countJudged({ environment, compile, cases }: JudgeReport): void {
    this.#stats.judged += 1;
    for (const { outcome } of cases) this.#stats.outcome(environment.id, outcome);
    if (compile !== null && !compile.ok) {
      this.#stats.outcome(environment.id, { ...compile.outcome, kind: 'compile_error' });
    }
  }

  #resolve(submission: Wanted): ReturnType<Offer['resolve']> & { readonly wall: ServiceWall } {
    const resolved = this.#offer.resolve(submission);
    return { ...resolved, wall: wallOf(this.#options, submission.wall, [resolved.environment]) };
  }

  /** Null when the environments may be used at once: they have passed their self-tests, or this is one of those. */
  #usable({ isOwn }: CallContext, environments: readonly Environment[]): Promise<void> | null {
    const late = environments.flatMap((each) => {
      const ended = this.#late.get(each.id);
      return ended === undefined ? [] : [{ each, ended }];
    });
    if (late.length === 0 || isOwn === true) return null;
    const usable = late.map(async ({ each, ended }) => {
      await ended;
      this.#offer.resolve({ language: each.language.id, environment: each.id });
    });
    return Promise.all(usable).then(() => undefined);
  }

  #base(
    submission: Submission,
    { environment, wall: held }: Where,
    { runtime, fault, attempts, phases }: Omit<Performed<unknown>, 'result'>,
    outcomes: readonly Outcome[],
  ): ReportBase {
    const { versions } = this.#options;
    const { wall, cgroup } = held.probe;
    return {
      id: submission.id,
      language: environment.language.id,
      environment: { id: environment.id, fingerprint: environment.fingerprint },
      wall,
      limits: submission.limits,
      clamped: submission.clamped,
      fault,
      attempts,
      phases,
      provenance: {
        ...versions,
        tests: null,
        testset: null,
        profile: null,
        cgroup,
        runtime: runtimeOf(outcomes, runtime),
        reused: null,
      },
      labels: submission.labels,
    };
  }

  /** Remembers the work until it is answered, for the end of the service. */
  async #tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    const answer = work();
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }
}
