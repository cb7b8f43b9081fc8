/**
 * One canonical log line per submission, and one per fault: identity, verdict, phases; never code, input or output. Where
 * a request is one submission, its line is the submission's too.
 */
import { createHash } from 'node:crypto';

import { FAULTS, type Fault } from '../domain/errors.ts';
import type { JudgeReport, RunReport } from '../domain/report.ts';
import type { Logger } from './logger.ts';

/** What is to be known of the call. */
interface Told {
  readonly isOwn?: boolean;
  readonly isTold?: boolean;
  readonly payer?: { readonly tenant: string };
}

/**
 * Writes a report's line; a report with a fault is an error, everything a program did is not. Self-tests (`isOwn`) are
 * told at the level debug: the one that fails is told anyway.
 */
export function logReport(
  logger: Logger,
  report: RunReport | JudgeReport,
  { isOwn = false, isTold = false, payer }: Told,
): void {
  if (isTold) return;
  const whose = payer === undefined ? {} : { tenant: payer.tenant };
  const fields = { event: report.kind, id: report.id, ...whose, ...reportFields(report) };
  if (report.fault !== null) logger.error(fields, 'submission');
  else if (isOwn) logger.debug(fields, 'self-test');
  else logger.info(fields, 'submission');
}

/** What a report says in the log; `fault` is null for everything that a program did. */
export function reportFields(report: RunReport | JudgeReport) {
  return {
    language: report.language,
    environment: report.environment.id,
    ...(report.kind === 'judge'
      ? {
          verdict: report.verdict,
          reward: report.reward,
          passed: report.passed,
          total: report.total,
        }
      : { outcome: report.outcome?.kind ?? null }),
    fault: report.fault?.code ?? null,
    attempts: report.attempts.length,
    jail: report.attempts.at(-1)?.jail ?? null,
    phases: roundPhases(report.phases),
    labels: report.labels,
  };
}

/**
 * Writes a fault with the detail that callers do not get. What programs of problems say may quote tests and outputs; their
 * authors read it in the report, and the log has its length and digest.
 */
export function logFault(logger: Logger, fault: Fault, submissionId: string): void {
  const { code, detail } = fault;
  const told = FAULTS[code].isProblems
    ? { detail_bytes: Buffer.byteLength(detail), detail_sha256: sha256(detail) }
    : { detail };
  logger.warn({ event: 'fault', id: submissionId, code, ...told }, 'fault');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function roundPhases(phases: JudgeReport['phases']): object {
  return Object.fromEntries(
    Object.entries(phases).map(([key, value]) => [
      key,
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ]),
  );
}
