/** One item of a job: a judge request as JSON to the line that its caller will read. Never throws. */
import { JOB_BOUNDS } from '../../../domain/limits.ts';
import { Rejection, toFault, type RejectionCode } from '../../../domain/errors.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import type { Service } from '../../../judge/door.ts';
import type { ItemCall, ItemOutcome, Retry } from '../../../jobs/runner.ts';
import type { ItemKind } from '../../../jobs/store.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { toProblem } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { expandTestset } from '../expand-testset.ts';
import { MODEL_TEXT, parseJudgeRequest, toJudgeSubmission } from '../to-judge-submission.ts';
import { judgeToWire } from '../to-wire.ts';

/** Whoever waits for an answer goes first. */
const PRIORITY = -5;
/** Refusals that say nothing of the item. */
const NOT_NOW: ReadonlySet<RejectionCode> = new Set([
  'queue_full',
  'host_full',
  'draining',
  'not_ready',
  'rate_limited',
  'caller_gone',
]);
const LATER_MS = 1000;

type ItemDeps = Pick<HTTPDeps, 'callers' | 'service' | 'testsets' | 'logger'> & {
  /** Whether other replicas work on the same jobs: each has test sets of its own. */
  readonly isShared: boolean;
};

/** What a job's runner has items judged by. */
export function itemJudge(deps: ItemDeps): (item: ItemCall) => Promise<ItemOutcome> {
  return async (item) => {
    let id: string | null = null;
    try {
      const sent = parseJSON(Buffer.from(item.body), MODEL_TEXT);
      id = idOf(sent);
      const service = await serviceOf(item, deps);
      const { submission, reuse } = await toSubmission(sent, { ...deps, service });
      // A deadline is for somebody who waits.
      const context = { signal: item.signal, deadlineMs: null, priority: PRIORITY, reuse };
      const report = await service.judge(submission, context);
      return judged(item.line, report, submission);
    } catch (error) {
      if (item.signal.aborted) return { kind: 'later', delayMs: 0 };
      if (error instanceof Rejection && NOT_NOW.has(error.code))
        return { kind: 'later', delayMs: error.context.retryAfterMs ?? LATER_MS };
      if (error instanceof Rejection) deps.service.rejected(error.code);
      else logFault(error, item, deps);
      return refused(error, { line: item.line, id, retry: retryOf(error, deps) });
    }
  };
}

/** As it is to the tenant now: an item that its limits do not allow yet is judged later, and others go on meanwhile. */
async function serviceOf(
  { payer }: ItemCall,
  { callers }: Pick<HTTPDeps, 'callers'>,
): Promise<Service> {
  const caller = await callers.tenant(payer.tenant);
  if (caller !== null) return caller.service({ waits: false });
  throw new Rejection('not_allowed', { detail: `there is no tenant ${payer.tenant} any more` });
}

async function toSubmission(
  sent: unknown,
  { service, testsets }: Pick<HTTPDeps, 'service' | 'testsets'>,
) {
  const { body, testset } = await expandTestset(sent, testsets);
  const wire = parseJudgeRequest(body);
  const resolution = { maxima: service.maxima, id: createId('jdg') };
  const submission = toJudgeSubmission(wire, resolution, testset);
  return { submission, reuse: wire.cache };
}

function judged(line: number, report: JudgeReport, submission: JudgeSubmission): ItemOutcome {
  const isFault = report.verdict === 'fault';
  const kind: ItemKind = isFault ? 'fault' : report.verdict === 'accepted' ? 'accepted' : 'failed';
  const whole = JSON.stringify({ line, ...judgeToWire(report, submission.detail) });
  const json =
    whole.length <= JOB_BOUNDS.resultChars
      ? whole
      : JSON.stringify({ line, ...judgeToWire(report, 'summary'), cases_left_out: true });
  const retry = isFault && report.fault?.retryable !== false ? 'fault' : 'none';
  return { kind: 'result', result: { kind, json }, retry };
}

function retryOf(error: unknown, { isShared }: Pick<ItemDeps, 'isShared'>): Retry {
  if (!(error instanceof Rejection)) return 'fault';
  return isShared && error.code === 'no_such_testset' ? 'elsewhere' : 'none';
}

function logFault(error: unknown, { line }: ItemCall, { logger }: Pick<HTTPDeps, 'logger'>): void {
  const { code, detail } = toFault(error);
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error(
    { event: 'job_item', line, fault_code: code, fault_detail: detail, stack },
    'item failed',
  );
}

interface Refusal {
  readonly line: number;
  readonly id: string | null;
  readonly retry: Retry;
}

function refused(error: unknown, { line, id, retry }: Refusal): ItemOutcome {
  const isRejection = error instanceof Rejection;
  const json = JSON.stringify({ line, id, error: toProblem(error) });
  const result = { kind: isRejection ? ('rejected' as const) : ('fault' as const), json };
  return { kind: 'result', result, retry };
}

const ID_SHOWN_MAX = 256;

function idOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' && body.id.length <= ID_SHOWN_MAX ? body.id : null;
}
