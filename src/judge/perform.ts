/**
 * From an accepted submission to work on a jail: waits for a slot, leases a jail, tries again once on a fresh one when
 * something of ours failed. Owns deadlines and cancellation; knows nothing of tests or reports.
 */
import type { Gate, Permit } from '../admission/gate.ts';
import { faultInfo, FAULTS, Rejection, toFault, type Fault } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Attempt, FaultInfo, Phases, Runtime } from '../domain/report.ts';
import type { JudgeSubmission, Submission } from '../domain/submission.ts';
import { createCancelScope, unlessAborted, type CancelScope } from '../lib/cancel.ts';
import type { Clock } from '../lib/clock.ts';
import type { EnvironmentPool, Lease } from '../pool/environment-pool.ts';
import type { ArtefactCache } from './artefacts/cache.ts';
import type { Comparator } from './case-verdict.ts';
import { Companions } from './companion.ts';
import type { CallContext } from './door.ts';
import type { Timings } from './execute.ts';
import { NeedsProcess, poolId, runtimesFor } from './isolates.ts';
import type { Bench, JudgePlace } from './place.ts';
import { submissionBytes } from './submission-bytes.ts';

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
}

/** What to do on a jail of which environment. */
export interface Job<Result> {
  readonly environment: Environment;
  /** The pools of the wall that holds it, by `poolId`. */
  readonly pools: ReadonlyMap<string, EnvironmentPool>;
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
  'pools' | 'memoryBytes' | 'usable' | 'isRepeatable'
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
}

export class Performer {
  readonly #options: PerformerOptions;
  readonly #shutdown = new AbortController();

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Throws `Rejection` when the work was not done for the caller's or capacity's reasons; faults are data. */
  async perform<Result extends { readonly timings: Timings }>(
    submission: Submission | JudgeSubmission,
    context: CallContext,
    job: Job<Result> | BenchJob<Result>,
  ): Promise<Performed<Result>> {
    using scope = this.#scope(context);
    const bytes = submissionBytes(submission);
    const { isOwn = false } = context;
    // Before a slot is taken, which others can use meanwhile.
    if (job.usable !== null) await unlessAborted(job.usable, scope.signal);
    using permit = await this.#options.gate.admit({ bytes, signal: scope.signal, isOwn });
    context.onStart?.();
    const attempts: Attempt[] = [];
    const runtimes = runtimesOf(job, submission);
    let left = ATTEMPTS_MAX;
    // A doubtful end of a fork is judged anew, which what somebody has heard of cannot be.
    let mayFork = job.isRepeatable === undefined;
    for (;;) {
      const runtime = runtimes.shift() ?? 'process';
      const attempt = await this.#attempt(job, { scope, permit, runtime, mayFork });
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
      const pool = job.pools.get(poolId(job.environment, kind));
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
    { scope, permit, runtime, mayFork }: Held,
  ): Promise<Result> {
    const { clock, comparator, artefacts } = this.#options;
    const common = {
      cpu: permit.cpu,
      signal: scope.signal,
      clock,
      comparator,
      artefacts: job.compilesAnew ? null : artefacts,
      compilers: job.compilesAnew || !job.warm ? null : compilersOf(job),
      mayFork,
    };
    const companions = new Companions(job.pools, common);
    const { session } = lease;
    const { environment } = job;
    return await givingBack([lease, companions], () =>
      job.work({ ...common, session, environment, runtime, companions }),
    );
  }

  async #onBench<Result>(
    { work, pools, memoryBytes }: BenchJob<Result>,
    { scope, permit, mayFork }: Held,
  ): Promise<Result> {
    const { clock, comparator, artefacts } = this.#options;
    const { signal } = scope;
    const { cpu } = permit;
    const common = { cpu, signal, clock, comparator, artefacts, compilers: null, mayFork };
    const companions = new Companions(pools, common, memoryBytes);
    return await givingBack([companions], () => work({ ...common, companions }));
  }

  #scope(context: CallContext): CancelScope {
    const { deadlineMs } = context;
    return createCancelScope({
      clock: this.#options.clock,
      sources: [
        { signal: context.signal, reason: callerGone },
        { signal: this.#shutdown.signal, reason: stopping },
      ],
      deadline: deadlineMs === null ? null : { ms: deadlineMs, reason: () => tooLate(deadlineMs) },
    });
  }
}

function compilersOf({ environment, pools }: Job<unknown>): EnvironmentPool | null {
  return pools.get(poolId(environment, 'compile')) ?? null;
}

/** To try in this order; not every wall has jails for isolates. */
function runtimesOf<Result>(
  { environment, pools }: Job<Result> | BenchJob<Result>,
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

function callerGone(): Rejection {
  return new Rejection('caller_gone', { detail: 'the caller closed the connection' });
}

function stopping(): Rejection {
  return new Rejection('draining', { detail: 'the service is stopping', retryAfterMs: 1000 });
}

function tooLate(deadlineMs: number): Rejection {
  return new Rejection('deadline', {
    detail: `there was no answer within ${deadlineMs} ms, queueing included`,
    retryAfterMs: 1000,
  });
}
