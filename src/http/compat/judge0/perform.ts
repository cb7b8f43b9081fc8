/** Judges one submission of Judge0's wire: waits for a place, tries faults again, for a 13 is scored like a wrong answer. */
import type { JudgeReport } from '../../../domain/report.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { patiently } from '../../native/reward/patience.ts';
import { toResult, type Result } from './result.ts';
import type { Pending } from './tokens.ts';
import type { Translated } from './translate.ts';

/** What a client waits in all, less a margin, ms. */
const PATIENCE_MS = 290_000;
/** On top of the service's own second try. */
const TRIES_MAX = 3;

interface PerformContext {
  readonly deps: HTTPDeps;
  readonly pending: Pending;
  readonly signal: AbortSignal;
  /** Whether the request's line of the log tells of it. */
  readonly isTold: boolean;
}

interface Performed {
  readonly result: Result;
  readonly report: JudgeReport;
}

/** Throws Rejection where it could not be judged within the client's patience. */
export async function perform(
  { submission, isCompared }: Extract<Translated, { readonly ok: true }>,
  { deps: { service, clock }, pending, signal, isTold }: PerformContext,
): Promise<Performed> {
  const deadlineAt = clock.now() + PATIENCE_MS;
  const judge = async (): Promise<JudgeReport> =>
    await patiently(
      (deadlineMs) =>
        service.judge(submission, {
          signal,
          deadlineMs,
          isTold,
          onStart: () => pending.begun(),
        }),
      { clock, signal, deadlineAt },
    );
  let report = await judge();
  for (let tries = 1; tries < TRIES_MAX && report.fault?.retryable === true; tries += 1)
    report = await judge();
  return { result: toResult(report, isCompared), report };
}
