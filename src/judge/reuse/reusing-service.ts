/**
 * The door with a memory: a submission that asks for it gets the report of an equal one that is under way or was judged
 * before, marked as such (`provenance.reused`). All else goes through (../../../docs/decisions/0026-dedupe.md).
 */
import { deserialize, serialize } from 'node:v8';

import type { RejectionCode } from '../../domain/errors.ts';
import type { JudgeReport, Reused, RunReport } from '../../domain/report.ts';
import type { JudgeSubmission, RunSubmission } from '../../domain/submission.ts';
import { ANONYMOUS } from '../../domain/tenant.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Kept } from '../../lib/kept.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { createCallScope } from '../call-scope.ts';
import type { CallContext, Service, Stats } from '../door.ts';
import { reuseKey } from './key.ts';
import { isRepeatable } from './repeatable.ts';

/** Beyond so many that wait for others' reports, everybody gets a place in the queue. */
const WAITERS_MAX = 4096;

export interface ReuseOptions {
  /** What is done where a call does not say: `CallContext.reuse`. */
  readonly isDefault: boolean;
  readonly kept: Kept;
  readonly clock: Clock;
  /** Versions of the service and its parts. */
  readonly versions: Readonly<Record<string, string>>;
  /** Told of each report that was reused, as the service tells of others. */
  readonly onReport: (report: RunReport | JudgeReport, context: CallContext) => void;
}

type Report = RunReport | JudgeReport;

/** A report and where it came from. */
interface Found<Each extends Report> {
  readonly report: Each;
  readonly isKept: boolean;
}

export class ReusingService implements Service {
  readonly #inner: Service;
  readonly #options: ReuseOptions;
  readonly #flights = new SingleFlight<Found<Report>>(WAITERS_MAX);
  /** When work under way has got its slot, by key. */
  readonly #starts = new Map<string, Promise<void>>();
  readonly #counts = { kept: 0, inFlight: 0, misses: 0 };

  constructor(inner: Service, options: ReuseOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  get maxima(): Service['maxima'] {
    return this.#inner.maxima;
  }

  async run(submission: RunSubmission, context: CallContext): Promise<RunReport> {
    return await this.#reuse(submission, context, (call) => this.#inner.run(submission, call));
  }

  async judge(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport> {
    return await this.#reuse(submission, context, (call) => this.#inner.judge(submission, call));
  }

  talk(...call: Parameters<Service['talk']>): ReturnType<Service['talk']> {
    return this.#inner.talk(...call);
  }

  runCells(...call: Parameters<Service['runCells']>): ReturnType<Service['runCells']> {
    return this.#inner.runCells(...call);
  }

  tryChecker(...call: Parameters<Service['tryChecker']>): ReturnType<Service['tryChecker']> {
    return this.#inner.tryChecker(...call);
  }

  check(...call: Parameters<Service['check']>): ReturnType<Service['check']> {
    return this.#inner.check(...call);
  }

  language(name: string): ReturnType<Service['language']> {
    return this.#inner.language(name);
  }

  languages(): ReturnType<Service['languages']> {
    return this.#inner.languages();
  }

  capabilities(): ReturnType<Service['capabilities']> {
    return this.#inner.capabilities();
  }

  stats(): Stats {
    return { ...this.#inner.stats(), reuse: { ...this.#counts, ...this.#options.kept.stats() } };
  }

  checkRoom(context: Parameters<Service['checkRoom']>[0]): void {
    this.#inner.checkRoom(context);
  }

  rejected(code: RejectionCode): void {
    this.#inner.rejected(code);
  }

  readiness(): ReturnType<Service['readiness']> {
    return this.#inner.readiness();
  }

  async #reuse<Each extends Report>(
    submission: RunSubmission | JudgeSubmission,
    context: CallContext,
    work: (call: CallContext) => Promise<Each>,
  ): Promise<Each> {
    const key = await this.#keyOf(submission, context);
    if (key === null) return await work(context);
    const { clock, onReport } = this.#options;
    const onStart = once(context.onStart);
    // Who waits for another's run is told of its start.
    void this.#starts.get(key)?.then(onStart);
    using scope = createCallScope(context, { clock });
    const { value, isShared } = await this.#flights.fly(key, scope.signal, async () => {
      using start = this.#announce(key);
      const known = await this.#known(key);
      if (known !== null) return { value: { report: known, isKept: true }, forOthers: 'take' };
      this.#counts.misses += 1;
      const report = await work({
        ...context,
        onStart: () => {
          start.resolve();
          onStart();
        },
      });
      const isShareable = isRepeatable(report, submission);
      if (isShareable) await this.#options.kept.put(key, serialize(report));
      return { value: { report, isKept: false }, forOthers: isShareable ? 'take' : 'each' };
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key tells runs from judgements
    const report = value.report as Each;
    if (!isShared && !value.isKept) return report;
    onStart();
    this.#counts[value.isKept ? 'kept' : 'inFlight'] += 1;
    const own = ownReport(report, submission, value.isKept ? 'kept' : 'in_flight');
    onReport(own, context);
    return own;
  }

  /** For those who wait: when work under way has its slot. Dispose of it when the work is over. */
  #announce(key: string): Disposable & { readonly resolve: () => void } {
    const start = Promise.withResolvers<void>();
    this.#starts.set(key, start.promise);
    return {
      resolve: start.resolve,
      [Symbol.dispose]: () => {
        if (this.#starts.get(key) === start.promise) this.#starts.delete(key);
      },
    };
  }

  async #keyOf(
    submission: RunSubmission | JudgeSubmission,
    { reuse = this.#options.isDefault, payer = ANONYMOUS, isOwn, compilesAnew }: CallContext,
  ): Promise<string | null> {
    if (!reuse || isOwn === true || compilesAnew === true) return null;
    const language = this.#inner.language(submission.language);
    if (language === null) return null;
    const { versions } = this.#options;
    return await reuseKey(submission, { tenant: payer.tenant, language, versions });
  }

  async #known(key: string): Promise<Report | null> {
    const bytes = await this.#options.kept.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above, under a key with the version
    return bytes === null ? null : (deserialize(bytes) as Report);
  }
}

/** Another's report for this submission: what is its own is told of it. */
function ownReport<Each extends Report>(
  report: Each,
  { id, labels, clamped }: RunSubmission | JudgeSubmission,
  reused: Reused,
): Each {
  return { ...report, id, labels, clamped, provenance: { ...report.provenance, reused } };
}

function once(callback: (() => void) | undefined): () => void {
  let isCalled = false;
  return () => {
    if (isCalled) return;
    isCalled = true;
    callback?.();
  };
}
