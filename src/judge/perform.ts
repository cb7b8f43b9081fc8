/**
 * From an accepted submission to work on a jail: waits for a slot, leases a jail, tries again once on a fresh one when
 * something of ours failed. Owns deadlines and cancellation; knows nothing of tests or reports.
 */
import type { Gate, Permit } from '../admission/gate.ts';
import {
  faultInfo,
  FAULTS,
  Rejection,
  toFault,
  type Fault,
  type RejectionCode,
} from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Attempt, FaultInfo, Phases, Runtime } from '../domain/report.ts';
import type { JudgeSubmission, Submission } from '../domain/submission.ts';
import { ANONYMOUS, type Payer } from '../domain/tenant.ts';
import { unlessAborted, type CancelScope } from '../lib/cancel.ts';
import type { Clock } from '../lib/clock.ts';
import type { EnvironmentPool, Lease } from '../pool/environment-pool.ts';
import type { ArtefactCache } from './artefacts/cache.ts';
import type { Comparator } from './case-verdict.ts';
import { createCallScope } from './call-scope.ts';
import { Companions } from './companion.ts';
import { Costs } from './costs.ts';
import type { CallContext } from './door.ts';
import type { Timings } from './execute.ts';
import { NeedsProcess, poolId, runtimesFor } from './isolates.ts';
import type { Bench, JudgePlace } from './place.ts';
import { submissionBytes } from './submission-bytes.ts';
import { requireHolding, type ServiceWall } from './walls.ts';

/** A fault is tried again once, on a fresh jail. What went wrong on a warm runtime is not counted. */
const ATTEMPTS_MAX = 2;

export const NO_PHASES: Phases = {
  queueMs: 0,
  acquireMs: 0,
  acquire: 'warm',
  compileMs: 0,
  runMs: 0,
  verifyMs: 0,
};

export interface PerformerOptions {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly comparator: Comparator;
  /** Null: nothing that was compiled is kept. */
  readonly artefacts: ArtefactCache | null;
  /** Told of each fault with its detail, retried or not. */
  readonly onFault: (fault: Fault, submissionId: string) => void;
  /** Told of work that was given up, and whether it had begun. */
  readonly onGivenUp: (stage: GivenUpStage, code: RejectionCode) => void;
}

/** Before it had a slot, or while it had one. */
export type GivenUpStage = 'waiting' | 'running';

/** Whoever pays, the service itself tries its own programs. */
const OWN: Payer = { tenant: 'service', weight: 1 };

/** What to do on a jail of which environment. */
export interface Job<Result> {
  readonly environment: Environment;
  /** What holds it. */
  readonly wall: ServiceWall;
  /** Whether the compiler itself is to be run, whatever was compiled before. */
  readonly compilesAnew: boolean;
  /** What its runs may use at once, bytes. */
  readonly memoryBytes: number;
  /** Whose jails its processes take; those of programs by default. */
  readonly jails?: 'process' | 'in_process';
  /** Whether warm runtimes may have a part in it. */
  readonly warm: boolean;
  /** Settles when the environment may be used; rejects with the Rejection that says why it may not. */
  readonly usable: Promise<void> | null;
  readonly work: (place: JudgePlace) => Promise<Result>;
  /** Whether it may still be tried anew after a fault; always, if left out. */
  readonly isRepeatable?: () => boolean;
}

/** Work for which no jail of a candidate is needed; only the problem's programs are executed, if any. */
export interface BenchJob<Result> extends Pick<
  Job<Result>,
  'wall' | 'memoryBytes' | 'usable' | 'isRepeatable'
> {
  readonly environment: null;
  readonly work: (bench: Bench) => Promise<Result>;
}

/** `result` is null exactly when `fault` is not. */
export interface Performed<Result> {
  readonly result: Result | null;
  readonly fault: FaultInfo | null;
  readonly attempts: readonly Attempt[];
  readonly phases: Phases;
  /** Of the last attempt. */
  readonly runtime: Runtime;
}

/** `result` and `fault` are both null when the work needs a process, of its own if it was forked. */
type Tried<Result> = Omit<Performed<Result>, 'attempts'> &
  Attempt & { readonly thrown: Fault | null };

/** What an attempt is made with. */
interface Held {
  readonly scope: CancelScope;
  readonly permit: Permit;
  readonly runtime: Runtime;
  readonly mayFork: boolean;
  readonly builds: string;
}

export class Performer {
  readonly #options: PerformerOptions;
  readonly #shutdown = new AbortController();
  readonly #costs = new Costs();

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Throws `Rejection` when the work was not done for the caller's or capacity's reasons; faults are data. */
  async perform<Result extends { readonly timings: Timings }>(
    submission: Submission | JudgeSubmission,
    context: CallContext,
    job: Job<Result> | BenchJob<Result>,
  ): Promise<Performed<Result>> {
    let stage: GivenUpStage = 'waiting';
    const onStart = (): void => {
      stage = 'running';
      context.onStart?.();
    };
    try {
      return await this.#perform(submission, { ...context, onStart }, job);
    } catch (error) {
      if (error instanceof Rejection && context.isOwn !== true)
        this.#options.onGivenUp(stage, error.code);
      throw error;
    }
  }

  async #perform<Result extends { readonly timings: Timings }>(
    submission: Submission | JudgeSubmission,
    context: CallContext,
    job: Job<Result> | BenchJob<Result>,
  ): Promise<Performed<Result>> {
    const { clock } = this.#options;
    using scope = createCallScope(context, { clock, shutdown: this.#shutdown.signal });
    const { isOwn = false, payer = isOwn ? OWN : ANONYMOUS, priority = 0, deadlineMs } = context;
    const isSession = 'workspace' in submission && submission.workspace !== undefined;
    // How long agents' commands take says nothing of programs that are judged.
    const kind = `${job.environment?.id ?? submission.language}${isSession ? '+session' : ''}`;
    const ask = {
      payer,
      priority,
      costMs: this.#costs.estimate(kind, submission),
      bytes: submissionBytes(submission),
      deadlineAt: deadlineMs === null ? null : clock.now() + deadlineMs,
    };
    // Before a slot is taken, which others can use meanwhile.
    if (job.usable !== null) await unlessAborted(job.usable, scope.signal);
    // What a tenant has a registration try is within its bounds.
    const isUnbounded = isOwn && context.payer === undefined;
    if (!isUnbounded) requireHolding(job.wall);
    using permit = await this.#options.gate.admit({
      ...ask,
      signal: scope.signal,
      isOwn: isUnbounded,
    });
    const since = clock.now();
    context.onStart?.();
    const builds = payer.builds ?? payer.tenant;
    const performed = await this.#attempts(submission, job, { scope, permit, builds });
    this.#costs.learn(kind, submission, clock.now() - since);
    return performed;
  }

  async #attempts<Result extends { readonly timings: Timings }>(
    submission: Submission | JudgeSubmission,
    job: Job<Result> | BenchJob<Result>,
    { scope, permit, builds }: Pick<Held, 'scope' | 'permit' | 'builds'>,
  ): Promise<Performed<Result>> {
    const attempts: Attempt[] = [];
    const runtimes = runtimesOf(job, submission);
    let left = ATTEMPTS_MAX;
    // A doubtful end of a fork is judged anew, which what somebody has heard of cannot be.
    let mayFork = job.isRepeatable === undefined;
    for (;;) {
      const runtime = runtimes.shift() ?? 'process';
      const attempt = await this.#attempt(job, { scope, permit, runtime, mayFork, builds });
      const { result, fault, phases, jail, wallMs } = attempt;
      attempts.push({ runtime, jail, fault, wallMs });
      if (attempt.thrown !== null) this.#options.onFault(attempt.thrown, submission.id);
      if (result !== null) return { result, fault, attempts, phases, runtime };
      if (runtime !== 'process') continue;
      if (fault === null && mayFork) {
        mayFork = false;
        continue;
      }
      left -= 1;
      const isOver = left === 0 || job.isRepeatable?.() === false;
      if (isOver || fault?.retryable !== true) return { result, fault, attempts, phases, runtime };
    }
  }

  /** Ends running work; its callers get a `draining` rejection. */
  abort(): void {
    this.#shutdown.abort();
  }

  async #attempt<Result extends { readonly timings: Timings }>(
    job: Job<Result> | BenchJob<Result>,
    held: Held,
  ): Promise<Tried<Result>> {
    const { clock } = this.#options;
    const since = clock.now();
    const { runtime } = held;
    const queued = { ...NO_PHASES, queueMs: held.permit.queueMs };
    let lease: Lease | null = null;
    try {
      if (job.environment === null) {
        const result = await this.#onBench(job, held);
        const phases = { ...queued, ...result.timings };
        const wallMs = clock.now() - since;
        return { result, fault: null, thrown: null, phases, jail: null, wallMs, runtime };
      }
      const kind = runtime === 'process' ? (job.jails ?? runtime) : runtime;
      const pool = job.wall.pools.get(poolId(job.environment, kind));
      if (pool === undefined) throw new Error(`environment ${job.environment.id} has no pool`);
      lease = await pool.acquire(held.scope.signal, job.memoryBytes);
      const { acquire, acquireMs, jail } = lease;
      const result = await this.#onLease(lease, job, held);
      const phases = { ...queued, acquire, acquireMs, ...result.timings };
      const wallMs = clock.now() - since;
      return { result, fault: null, thrown: null, phases, jail, wallMs, runtime };
    } catch (error) {
      if (error instanceof Rejection) throw error;
      const thrown = error instanceof NeedsProcess ? null : toFault(error);
      const fault = thrown === null ? null : faultInfo(thrown);
      const jail = lease?.jail ?? null;
      const wallMs = clock.now() - since;
      return { result: null, fault, thrown, phases: queued, jail, wallMs, runtime };
    }
  }

  async #onLease<Result>(
    lease: Lease,
    job: Job<Result>,
    { scope, permit, runtime, mayFork, builds }: Held,
  ): Promise<Result> {
    const { clock, comparator, artefacts } = this.#options;
    const common = {
      cpu: permit.cpu,
      signal: scope.signal,
      clock,
      comparator,
      artefacts: job.compilesAnew ? null : artefacts,
      builds,
      compilers: job.compilesAnew || !job.warm ? null : compilersOf(job),
      mayFork,
    };
    const companions = new Companions(job.wall.pools, common);
    const { session } = lease;
    const { environment } = job;
    return await givingBack([lease, companions], () =>
      job.work({ ...common, session, environment, runtime, companions }),
    );
  }

  async #onBench<Result>(
    { work, wall, memoryBytes }: BenchJob<Result>,
    { scope, permit, mayFork, builds }: Held,
  ): Promise<Result> {
    const { clock, comparator, artefacts } = this.#options;
    const { signal } = scope;
    const { cpu } = permit;
    const shared = { comparator, artefacts, builds, compilers: null };
    const common = { cpu, signal, clock, mayFork, ...shared };
    const companions = new Companions(wall.pools, common, memoryBytes);
    return await givingBack([companions], () => work({ ...common, companions }));
  }
}

function compilersOf({ environment, wall }: Job<unknown>): EnvironmentPool | null {
  return wall.pools.get(poolId(environment, 'compile')) ?? null;
}

/** To try in this order; not every wall has jails for isolates. */
function runtimesOf<Result>(
  { environment, wall: { pools } }: Job<Result> | BenchJob<Result>,
  submission: Submission | JudgeSubmission,
): Runtime[] {
  if (environment === null) return [];
  return runtimesFor(environment, submission).filter((runtime) =>
    pools.has(poolId(environment, runtime)),
  );
}

interface Lent {
  release(): void;
  discard(reason: 'fault'): void;
}

/** Gives jails back when the work is done, or gives them up where it threw what puts them in doubt. */
async function givingBack<Result>(
  lent: readonly Lent[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    for (const each of lent) each.release();
    return result;
  } catch (error) {
    const isDoubtful = isJailsFault(error);
    for (const each of lent) {
      if (isDoubtful) each.discard('fault');
      else each.release();
    }
    throw error;
  }
}

/** Whether what was thrown puts the jails in doubt. */
function isJailsFault(error: unknown): boolean {
  if (error instanceof Rejection || error instanceof NeedsProcess) return false;
  return !FAULTS[toFault(error).code].isProblems;
}
