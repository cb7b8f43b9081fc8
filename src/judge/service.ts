/**
 * The door's implementation: language → queue → jail → report. Owns retries of faults, deadlines and cancellation;
 * leaves the jail's work to `execute` and the arithmetic to `verify`.
 */
import { Rejection, type RejectionCode } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import { DEFAULT_LIMITS, resolveLimits, type Limits } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { JudgeReport, RunReport } from '../domain/report.ts';
import type { JudgeSubmission, RunSubmission, Submission } from '../domain/submission.ts';
import type { WallProbe } from '../sandbox/port.ts';
import { score } from '../verify/score.ts';
import { checkFiles } from './check-files.ts';
import { tryChecker, type TrialParts } from './checker-trial.ts';
import type {
  CallContext,
  Capabilities,
  LanguageInfo,
  Readiness,
  SelfTestResult,
  Service,
  Stats,
} from './door.ts';
import { executeRun } from './execute.ts';
import { failingStarts } from './failing-starts.ts';
import { Planner } from './inprocess/planner.ts';
import { Offer } from './offer.ts';
import { NO_PHASES, Performer, type Performed } from './perform.ts';
import { executeProblem, prepareProblem } from './problem.ts';
import { toProgram, type Program } from './program.ts';
import { memoryNeeds } from './run-spec.ts';
import { outcomesOf, runtimeOf } from './runtime.ts';
import { Bundles } from './split/bundle.ts';
import type { ServiceOptions } from './service-options.ts';
import { checkTests, declaredTests, memoryOf, modeOf } from './test-kinds.ts';
import { ServiceStats } from './stats.ts';
import { digestTests } from './tests-digest.ts';
import { hideTests } from './testsets/hide.ts';
import { referenceTo } from './testsets/reference.ts';

/** What is told of a submission that got no jail. */
const NO_WORK = { fault: null, attempts: [], phases: NO_PHASES, runtime: 'process' } as const;
/** What a report tells of cases where none was judged. */
const NOTHING_RUN = {
  passed: 0,
  fraction: 0,
  compile: null,
  cases: [],
  groups: null,
  canaries: null,
} as const;

export class AssayService implements Service {
  readonly maxima: Limits;
  readonly #options: ServiceOptions;
  readonly #offer: Offer;
  readonly #stats = new ServiceStats();
  readonly #means = { bundles: new Bundles(), planner: new Planner() };
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
      pools: options.pools,
      clock: options.clock,
      comparator: options.comparator,
      artefacts: options.artefacts,
      onFault: (fault, id) => {
        this.#stats.faults += 1;
        options.onFault(fault, id);
      },
    });
    this.#bornAt = options.clock.now();
    this.#offer = new Offer(options.catalog);
  }

  async run(submission: RunSubmission, context: CallContext): Promise<RunReport> {
    return await this.#tracked(async () => {
      const { environment, definition } = this.#resolve(submission);
      const source = toProgram(submission.program, definition);
      if (source.kind === 'no_code') {
        throw new Rejection('invalid', {
          detail: `the completion holds no program: ${source.reason}`,
          errors: [{ path: 'completion', message: source.reason }],
        });
      }
      checkFiles(submission, source.program, environment);
      const performed = await this.#performer.perform(submission, context, {
        environment,
        compilesAnew: context.compilesAnew ?? false,
        memoryBytes: memoryNeeds([submission.limits], environment.language),
        warm: submission.warm,
        usable: this.#usable(context, [environment]),
        work: (place) => executeRun(place, source.program, submission),
      });
      const { result } = performed;
      this.#stats.run += 1;
      this.#stats.outcome(environment.id, result?.outcome ?? null);
      const report: RunReport = {
        kind: 'run',
        ...this.#base(submission, environment, performed, outcomesOf(result?.outcome)),
        compile: result?.compile ?? null,
        outcome: result?.outcome ?? null,
      };
      this.#options.onReport(report, context);
      return report;
    });
  }

  async judge(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    return await this.#tracked(async () => {
      const { environment, definition } = this.#resolve(submission);
      const source = toProgram(submission.program, definition);
      const judging =
        source.kind === 'no_code'
          ? this.#noCode(submission, environment, source.reason)
          : this.#judgeProgram(submission, context, environment, source.program);
      // While the jail is at work.
      const [report, digest] = await Promise.all([judging, digestTests(submission)]);
      const { testset } = submission;
      const provenance = { ...report.provenance, tests: digest, testset: referenceTo(testset) };
      const complete = { ...report, provenance };
      if (context.isOwn !== true) this.#countJudged(complete);
      this.#options.onReport(complete, context);
      return testset?.hidden === true ? hideTests(complete) : complete;
    });
  }

  async tryChecker(submission: JudgeSubmission, context: CallContext): Promise<readonly string[]> {
    const { environment } = this.#resolve(submission);
    const memoryBytes = memoryOf(submission, environment);
    const perform: TrialParts['perform'] = async (checkers, work) => {
      const usable = this.#usable(context, [environment, ...checkers]);
      const job = { environment, compilesAnew: false, memoryBytes, warm: false, usable, work };
      return await this.#performer.perform({ ...submission, warm: false }, context, job);
    };
    const { problemFiles: files } = this.#options;
    const parts = { offer: this.#offer, files, perform };
    return await this.#tracked(async () => await tryChecker(submission, parts));
  }

  language(name: string): LanguageInfo | null {
    return this.#offer.language(name);
  }

  languages(): readonly LanguageInfo[] {
    return this.#offer.languages();
  }

  capabilities(): Capabilities {
    const { versions, walls, slots, maxima } = this.#options;
    return {
      service: versions.service,
      runner: versions.runner,
      walls,
      cgroup: this.#wall().cgroup,
      slots,
      defaults: resolveLimits(DEFAULT_LIMITS, maxima).limits,
      maxima,
      selfTests: this.#selfTests,
    };
  }

  stats(): Stats {
    const { gate, slots, clock, queueLengthMax, pools } = this.#options;
    return {
      uptimeMs: Math.round(clock.now() - this.#bornAt),
      slots: { total: slots, busy: gate.busy },
      queue: { ...gate.queue, lengthMax: queueLengthMax },
      submissions: {
        run: this.#stats.run,
        judged: this.#stats.judged,
        faults: this.#stats.faults,
      },
      rejections: { ...this.#stats.rejections },
      environments: this.#stats.environments(pools),
      compileCache: this.#options.artefacts?.stats() ?? null,
      jailMemory: this.#options.jailMemory(),
      eventLoopDelayMs: this.#options.eventLoopDelay(),
      memoryBytes: this.#options.memoryBytes(),
    };
  }

  rejected(code: RejectionCode): void {
    this.#stats.rejected(code);
  }

  readiness(): Readiness {
    const reasons = [...this.#notReady, ...failingStarts([...this.#options.pools.values()])];
    return { ready: reasons.length === 0, reasons };
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

  /** Refuses queued and new work; running work goes on. */
  drain(): void {
    this.#notReady = ['the service is stopping'];
    this.#options.gate.drain();
  }

  /** Resolves when nothing runs any more; what still runs after `ms` is ended, and its callers told so. */
  async idle(ms: number): Promise<void> {
    const timer = this.#options.clock.after(ms, () => this.#performer.abort());
    await Promise.allSettled(this.#underWay);
    timer.cancel();
  }

  async #judgeProgram(
    submission: JudgeSubmission,
    context: CallContext,
    environment: Environment,
    program: Program,
  ): Promise<JudgeReport> {
    checkTests(submission, environment);
    checkFiles(submission, program, environment);
    const language = environment.language.id;
    const { problemFiles } = this.#options;
    const parts = { offer: this.#offer, files: problemFiles, program, language };
    const problem = prepareProblem(submission, parts);
    const performed = await this.#performer.perform(submission, context, {
      environment,
      compilesAnew: context.compilesAnew ?? false,
      memoryBytes: memoryOf(submission, environment),
      jails: modeOf(submission) === 'in_process' ? 'in_process' : 'process',
      warm: submission.warm,
      usable: this.#usable(context, [environment, ...problem.environments]),
      work: (place) => executeProblem(place, { ...problem, ...this.#means, program }, submission),
    });
    const { result, fault } = performed;
    const cases = result?.cases ?? [];
    const declared = declaredTests(submission) ?? cases.length;
    const outcomes = cases.flatMap(({ outcome }) => outcomesOf(outcome));
    const base = this.#base(submission, environment, performed, outcomes);
    const common = {
      kind: 'judge',
      ...base,
      mode: modeOf(submission),
      profile: 'strict',
      total: declared,
    } as const;
    if (result === null || fault !== null) {
      return {
        ...common,
        verdict: 'fault',
        reward: null,
        ...NOTHING_RUN,
        message: '',
      };
    }
    const { compile } = result;
    if (compile !== null && !compile.ok) {
      return {
        ...common,
        verdict: 'compile_error',
        reward: submission.rewardRange[0],
        ...NOTHING_RUN,
        compile,
        message: 'the program does not compile',
      };
    }
    const { scoring, rewardRange } = submission;
    const scored = score({ cases, declared, scoring, rewardRange });
    const failing = cases.find(({ verdict }) => verdict !== 'accepted');
    const message = failing?.message ?? '';
    return { ...common, ...scored, compile, cases, canaries: result.canaries ?? null, message };
  }

  #countJudged({ environment, compile, cases }: JudgeReport): void {
    this.#stats.judged += 1;
    for (const { outcome } of cases) this.#stats.outcome(environment.id, outcome);
    if (compile !== null && !compile.ok) {
      this.#stats.outcome(environment.id, { ...compile.outcome, kind: 'compile_error' });
    }
  }

  #noCode(submission: JudgeSubmission, environment: Environment, reason: string): JudgeReport {
    return {
      kind: 'judge',
      ...this.#base(submission, environment, NO_WORK, []),
      mode: modeOf(submission),
      profile: 'strict',
      verdict: 'no_code',
      reward: submission.rewardRange[0],
      ...NOTHING_RUN,
      total: declaredTests(submission) ?? 0,
      message: reason,
    };
  }

  #resolve(submission: Submission): ReturnType<Offer['resolve']> {
    const resolved = this.#offer.resolve(submission);
    this.#checkWall(submission);
    return resolved;
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

  #checkWall(submission: Submission): void {
    const { wall } = this.#wall();
    // gVisor is the stronger wall, so it also serves whoever asks for nsjail.
    const isServed = submission.wall === null || submission.wall === wall || wall === 'gvisor';
    if (isServed) return;
    const message = `this service runs jails in ${wall}`;
    throw new Rejection('wall_unavailable', {
      detail: message,
      errors: [{ path: 'wall', message }],
    });
  }

  #wall(): WallProbe {
    const [wall] = this.#options.walls;
    if (wall === undefined) throw new Error('a service needs a wall');
    return wall;
  }

  #base(
    submission: Submission,
    environment: Environment,
    { runtime, fault, attempts, phases }: Omit<Performed<unknown>, 'result'>,
    outcomes: readonly Outcome[],
  ): Omit<RunReport, 'kind' | 'outcome' | 'compile'> {
    const { versions } = this.#options;
    const { wall, cgroup } = this.#wall();
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
        cgroup,
        runtime: runtimeOf(outcomes, runtime),
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
