/**
 * Has one sample judged: waits where the service is busy, tries faults again, and makes a row of what came of it. A
 * failure that is not the program's is a row without a reward, never a 0.
 */
import { z } from 'zod';

import type { Clock } from '../../lib/clock.ts';
import type { Api, TextAnswer } from '../api.ts';
import { UnreachableError } from '../exit-codes.ts';
import { failureKind } from './failure-kind.ts';
import type { ResultRow } from './results-file.ts';

export interface JudgeOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How often a fault is tried again. */
  readonly retries: number;
}

/** What is known of a sample before it is judged. */
export type SampleFacts = Pick<ResultRow, 'key' | 'line' | 'task_id'>;

const MESSAGE_CHARS_MAX = 1024;
const SHOWN_CHARS_MAX = 4096;
/** How long a service may refuse one sample for want of room, ms. */
const PATIENCE_MS = 1_800_000;
const STEP_MIN_MS = 50;
const STEP_MAX_MS = 10_000;
/** How long it may be out of reach, as while it starts anew, and between two looks, ms. */
const AWAY_MS = 60_000;
const AWAY_STEP_MS = 500;
/** Statuses after which the same request may succeed later. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 499, 500, 502, 503, 504]);

const Case = z.object({
  verdict: z.string(),
  cpu_ms: z.number().nullable(),
  wall_ms: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  exit_code: z.number().nullable(),
  signal: z.number().nullable(),
  limit: z.string().nullable(),
  stdout: z.string().nullable().default(null),
  stderr: z.string().nullable().default(null),
});
const Report = z.object({
  verdict: z.string(),
  reward: z.number().nullable(),
  passed: z.int(),
  total: z.int(),
  message: z.string().default(''),
  cases: z.array(Case).default([]),
  compile: z.object({ ok: z.boolean(), stderr: z.string() }).nullable().default(null),
  fault: z
    .looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() })
    .nullable()
    .default(null),
});
type Report = z.infer<typeof Report>;
const Problem = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  retry_after_ms: z.number().optional(),
});

/** Why there is no report. */
interface Refusal {
  readonly kind: 'fault' | 'refused';
  readonly code: string;
  readonly message: string;
}

/** The row of a sample that nobody could judge. */
export function refusedRow(facts: SampleFacts, message: string): ResultRow {
  return unjudged(facts, { kind: 'refused', code: 'invalid', message }, 0);
}

/**
 * The row of a sample by its judge requests, which all have to be accepted. `code` is shown where it failed. Throws
 * UsageError where no service answers, and the signal's reason when it aborts.
 */
export async function judgeSample(
  facts: SampleFacts,
  { bodies, code }: { readonly bodies: readonly string[]; readonly code: string },
  options: JudgeOptions,
): Promise<ResultRow> {
  const reports: Report[] = [];
  let tries = 1;
  for (const body of bodies) {
    const { answer, again } = await judged(body, options);
    tries += again;
    if ('kind' in answer) return unjudged(facts, answer, tries);
    reports.push(answer);
  }
  return judgedRow(facts, reports, { code, tries });
}

interface Judged {
  readonly answer: Report | Refusal;
  /** Tries after the first. */
  readonly again: number;
}

async function judged(body: string, options: JudgeOptions): Promise<Judged> {
  for (let again = 0; ; again += 1) {
    const answer = await asked(body, options);
    const isFault = 'kind' in answer ? answer.kind === 'fault' : answer.verdict === 'fault';
    if (!isFault) return { answer, again };
    const fault = 'kind' in answer ? answer : faultOf(answer);
    const mayHelp = 'kind' in answer || answer.fault?.retryable !== false;
    if (!mayHelp || again >= options.retries) return { answer: fault, again };
  }
}

function faultOf({ fault }: Report): Refusal {
  const { code = 'internal', message = 'no reason was given' } = fault ?? {};
  return { kind: 'fault', code, message };
}

/** One answer, however long the service is busy. */
async function asked(body: string, options: JudgeOptions): Promise<Report | Refusal> {
  const { clock } = options;
  const since = clock.now();
  for (let stepMs = STEP_MIN_MS; ; stepMs = Math.min(stepMs * 2, STEP_MAX_MS)) {
    const answer = await reached(body, options);
    if (answer.status < 400) return reportIn(answer);
    const problem = Problem.safeParse(answer.body).data;
    const isBusy = BUSY.has(answer.status) && problem?.code !== 'language_unavailable';
    if (!isBusy) return refusal('refused', answer, problem);
    if (clock.now() - since > PATIENCE_MS) return refusal('fault', answer, problem);
    // A 500 is a fault of the service's; its tries are counted.
    if (answer.status === 500) return refusal('fault', answer, problem);
    const asksMs = problem?.retry_after_ms ?? answer.retryAfterMs ?? 0;
    await clock.sleep(Math.min(Math.max(asksMs, stepMs), STEP_MAX_MS));
  }
}

/** The answer of a service that may be starting anew meanwhile. Throws UnreachableError once it has been away for long. */
async function reached(body: string, { api, clock, signal }: JudgeOptions): Promise<TextAnswer> {
  const since = clock.now();
  for (;;) {
    signal.throwIfAborted();
    try {
      const answer = await api.postText('/v1/judge', body, signal);
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      if (!(error instanceof UnreachableError) || clock.now() - since > AWAY_MS) throw error;
      await clock.sleep(AWAY_STEP_MS);
    }
  }
}

function reportIn({ status, body }: TextAnswer): Report | Refusal {
  const report = Report.safeParse(body);
  if (report.success) return report.data;
  return { kind: 'fault', code: 'no_report', message: `the answer (${status}) is no report` };
}

function refusal(
  kind: Refusal['kind'],
  { status }: TextAnswer,
  problem: z.infer<typeof Problem> | undefined,
): Refusal {
  if (problem === undefined)
    return { kind, code: `http_${status}`, message: `the service answered ${status}` };
  const places = problem.errors.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
  return { kind, code: problem.code, message: [problem.detail, ...places].join('; ') };
}

function unjudged(facts: SampleFacts, refused: Refusal, tries: number): ResultRow {
  const { kind, code } = refused;
  const message = refused.message.slice(0, MESSAGE_CHARS_MAX);
  return {
    ...facts,
    verdict: kind,
    reward: null,
    kind: `${kind}: ${code}`,
    ...{ passed: 0, total: 0, cpu_ms: null, wall_ms: null, memory_bytes: null },
    message,
    fault: kind === 'fault' ? { code, message } : null,
    tries,
  };
}

function judgedRow(
  facts: SampleFacts,
  reports: readonly Report[],
  { code, tries }: { readonly code: string; readonly tries: number },
): ResultRow {
  const cases = reports.flatMap((report) => report.cases);
  const failing = reports.find(({ verdict }) => verdict !== 'accepted');
  const sum = (name: 'passed' | 'total'): number =>
    reports.reduce((count, report) => count + report[name], 0);
  const rewards = reports.map(({ reward }) => reward ?? 0);
  const row = {
    ...facts,
    verdict: failing?.verdict ?? 'accepted',
    reward: Math.min(...rewards),
    kind: null,
    passed: sum('passed'),
    total: sum('total'),
    cpu_ms: most(cases.map(({ cpu_ms: ms }) => ms)),
    wall_ms: most(cases.map(({ wall_ms: ms }) => ms)),
    memory_bytes: most(cases.map(({ memory_bytes: bytes }) => bytes)),
    message: '',
    fault: null,
    tries,
  };
  return failing === undefined ? row : { ...row, ...failure(failing, code) };
}

function failure(report: Report, code: string): Partial<ResultRow> {
  const { verdict, message, compile } = report;
  const first = report.cases.find(
    (each) => each.verdict !== 'accepted' && each.verdict !== 'not_run',
  );
  const stderr = compile?.ok === false ? compile.stderr : (first?.stderr ?? '');
  const { limit = null, signal = null, exit_code: exitCode = null } = first ?? {};
  return {
    kind: failureKind({ verdict, message, stderr, limit, signal, exitCode }),
    message: message.slice(0, MESSAGE_CHARS_MAX),
    code: code.slice(0, SHOWN_CHARS_MAX),
    stdout: (first?.stdout ?? '').slice(0, SHOWN_CHARS_MAX),
    stderr: stderr.slice(0, SHOWN_CHARS_MAX),
  };
}

function most(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : Math.max(...known);
}
