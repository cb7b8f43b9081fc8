/**
 * The service as it is to one tenant: smaller maxima, fewer languages, and every submission comes in through the turnstile,
 * is paid for by the tenant and charged to it when it has ended. What costs what: each call of `run`, `talk`, `runCells`,
 * `judge` and `tryChecker` is one submission, whatever the request that it came with.
 */
import type { Pass, Turnstile } from '../../admission/limits/turnstile.ts';
import { Rejection, type RejectionCode } from '../../domain/errors.ts';
import type { Limits } from '../../domain/limits.ts';
import type { CellsReport, JudgeReport, RunReport } from '../../domain/report.ts';
import type {
  CellsSubmission,
  JudgeSubmission,
  RunSubmission,
  Submission,
} from '../../domain/submission.ts';
import { PRIORITY, SHARED_BUILDS, type Payer, type Tenant } from '../../domain/tenant.ts';
import { strongerWall } from '../../domain/wall.ts';
import type { Clock } from '../../lib/clock.ts';
import type {
  CallContext,
  Capabilities,
  LanguageInfo,
  LiveTalk,
  Readiness,
  Service,
  Stats,
  Wanted,
} from '../door.ts';
import { submissionBytes } from '../submission-bytes.ts';
import type { Counts } from './counts.ts';
import type { Allowance } from './door.ts';
import { cpuOf, isFault } from './spent.ts';

export interface TenantServiceParts {
  readonly inner: Service;
  readonly tenant: Tenant;
  readonly turnstile: Turnstile;
  readonly counts: Counts;
  readonly clock: Clock;
  readonly waits: boolean;
  readonly priority: number;
  readonly onAllowance: (allowance: Allowance) => void;
}

type AnySubmission = Pick<Submission, 'language' | 'wall'>;

export class TenantService implements Service {
  readonly maxima: Limits;
  readonly #parts: TenantServiceParts;
  readonly #payer: Payer;

  constructor(parts: TenantServiceParts) {
    this.#parts = parts;
    const { id, policy } = parts.tenant;
    this.maxima = lowered(parts.inner.maxima, policy.maxima);
    this.#payer = {
      tenant: id,
      weight: policy.weight,
      ...(policy.sharesBuilds ? { builds: SHARED_BUILDS } : {}),
    };
  }

  async run(submission: RunSubmission, context: CallContext): Promise<RunReport> {
    return await this.#paid(submission, context, submissionBytes, async (own, ctx) => {
      const report = await this.#parts.inner.run(own, ctx);
      return charged(report);
    });
  }

  async talk(submission: RunSubmission, talk: LiveTalk, context: CallContext): Promise<RunReport> {
    return await this.#paid(submission, context, submissionBytes, async (own, ctx) =>
      charged(await this.#parts.inner.talk(own, talk, ctx)),
    );
  }

  async runCells(submission: CellsSubmission, context: CallContext): Promise<CellsReport> {
    return await this.#paid(submission, context, cellsBytes, async (own, ctx) =>
      charged(await this.#parts.inner.runCells(own, ctx)),
    );
  }

  async judge(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    return await this.#paid(submission, context, submissionBytes, async (own, ctx) =>
      charged(await this.#parts.inner.judge(own, ctx)),
    );
  }

  /** Nothing of the caller's is charged: the checker's CPU time is told by no report. */
  async tryChecker(submission: JudgeSubmission, context: CallContext): Promise<readonly string[]> {
    return await this.#paid(submission, context, submissionBytes, async (own, ctx) => ({
      result: await this.#parts.inner.tryChecker(own, ctx),
      cpuMs: 0,
      isFault: false,
    }));
  }

  check(wanted: Wanted): ReturnType<Service['check']> {
    this.#checkLanguage(wanted.language);
    return this.#parts.inner.check(this.#walled(wanted));
  }

  language(name: string): LanguageInfo | null {
    const found = this.#parts.inner.language(name);
    return found === null ? null : this.#shown(found);
  }

  languages(): readonly LanguageInfo[] {
    return this.#parts.inner.languages().map((each) => this.#shown(each));
  }

  capabilities(): Capabilities {
    return { ...this.#parts.inner.capabilities(), maxima: this.maxima };
  }

  checkRoom(context: Pick<CallContext, 'priority'>): void {
    this.#parts.inner.checkRoom({ payer: this.#payer, priority: this.#priority(context) });
  }

  stats(): Stats {
    return this.#parts.inner.stats();
  }

  rejected(code: RejectionCode): void {
    this.#parts.inner.rejected(code);
  }

  readiness(): Readiness {
    return this.#parts.inner.readiness();
  }

  async #paid<Given extends AnySubmission, Result>(
    submission: Given,
    context: CallContext,
    bytesOf: (submission: Given) => number,
    work: (submission: Given, context: CallContext) => Promise<Charged<Result>>,
  ): Promise<Result> {
    const { tenant, counts, clock } = this.#parts;
    this.#checkLanguage(submission.language);
    const pass = await this.#enter(context, bytesOf(submission));
    const count = counts.of(tenant.id);
    count.submissions += 1;
    count.running += 1;
    let startedAt: number | null = null;
    const own: CallContext = {
      ...context,
      deadlineMs: context.deadlineMs === null ? null : left(context.deadlineMs, pass),
      payer: this.#payer,
      priority: this.#priority(context),
      onStart: () => {
        startedAt = clock.now();
        context.onStart?.();
      },
    };
    // What is given up after it has begun is charged the time that it held its slot.
    const heldMs = (): number => (startedAt === null ? 0 : clock.now() - startedAt);
    let spent = { cpuMs: 0, isRefunded: true };
    try {
      const done = await work(this.#walled(submission), own);
      spent = { cpuMs: done.cpuMs, isRefunded: done.isFault };
      return done.result;
    } catch (error) {
      if (error instanceof Rejection) spent = { cpuMs: heldMs(), isRefunded: startedAt === null };
      throw error;
    } finally {
      count.running -= 1;
      count.cpuMs += spent.cpuMs;
      pass.leave(spent);
    }
  }

  /** What the submission asks for, else its request, up to the tenant's ceiling. */
  #priority(context: Pick<CallContext, 'priority'>): number {
    const { priority, tenant } = this.#parts;
    const asked =
      context.priority === undefined || context.priority === 0 ? priority : context.priority;
    return Math.min(Math.max(asked, PRIORITY.least), tenant.policy.priorityMax);
  }

  async #enter(context: CallContext, bytes: number): Promise<Pass> {
    const { tenant, turnstile, counts, waits, onAllowance } = this.#parts;
    const { id, policy } = tenant;
    try {
      return await turnstile.enter({
        tenant: id,
        policy,
        bytes,
        signal: context.signal,
        deadlineMs: context.deadlineMs,
        waits,
        onState: (state) => onAllowance({ policy, ...state }),
      });
    } catch (error) {
      if (error instanceof Rejection && error.code === 'rate_limited')
        counts.of(id).rateLimited += 1;
      throw error;
    }
  }

  #checkLanguage(name: string): void {
    const found = this.#parts.inner.language(name);
    if (found === null || this.#mayUse(found)) return;
    const message = `tenant ${this.#parts.tenant.id} may not use ${found.id}`;
    throw new Rejection('not_allowed', {
      detail: message,
      errors: [{ path: 'language', message }],
    });
  }

  #mayUse({ id }: LanguageInfo): boolean {
    const { languages } = this.#parts.tenant.policy;
    return languages === null || languages.includes(id);
  }

  #shown(info: LanguageInfo): LanguageInfo {
    if (this.#mayUse(info)) return info;
    const reason = `tenant ${this.#parts.tenant.id} may not use it`;
    const environments = info.environments.map((each) => ({ ...each, available: false, reason }));
    return { ...info, available: false, reason, environments };
  }

  #walled<Given extends Pick<AnySubmission, 'wall'>>(submission: Given): Given {
    const wall = strongerWall(this.#parts.tenant.policy.wall, submission.wall);
    return wall === submission.wall ? submission : { ...submission, wall };
  }
}

interface Charged<Result> {
  readonly result: Result;
  readonly cpuMs: number;
  readonly isFault: boolean;
}

function charged<Report extends RunReport | JudgeReport | CellsReport>(
  report: Report,
): Charged<Report> {
  return { result: report, cpuMs: cpuOf(report), isFault: isFault(report) };
}

function cellsBytes({ cells, files }: CellsSubmission): number {
  const texts = cells.reduce((sum, text) => sum + text.length, 0);
  return files.reduce((sum, { content }) => sum + content.byteLength, texts);
}

/** 1 at least: a deadline that has just passed is the service's to tell. */
function left(deadlineMs: number, { waitedMs }: Pass): number {
  return Math.max(1, Math.floor(deadlineMs - waitedMs));
}

function lowered(maxima: Limits, own: Tenant['policy']['maxima']): Limits {
  const lower = (key: keyof Limits): number => Math.min(maxima[key], own[key] ?? Infinity);
  return {
    cpuMs: lower('cpuMs'),
    wallMs: lower('wallMs'),
    memoryBytes: lower('memoryBytes'),
    outputBytes: lower('outputBytes'),
    processes: lower('processes'),
    diskBytes: lower('diskBytes'),
    openFiles: lower('openFiles'),
    compileCpuMs: lower('compileCpuMs'),
    compileWallMs: lower('compileWallMs'),
  };
}
