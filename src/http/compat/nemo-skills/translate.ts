/** From NeMo-Skills' request to a run, and from a report to its answer. Pure. */
import {
  FAULTS,
  faultAgain,
  REJECTIONS,
  Rejection,
  toFault,
  type RejectionCode,
} from '../../../domain/errors.ts';
import { resolveLimits, netWallFor, type Limits } from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import type { RunReport } from '../../../domain/report.ts';
import { PLAIN, type RunSubmission } from '../../../domain/submission.ts';
import { toText } from '../../text.ts';
import {
  LANGUAGES,
  SESSION_NAME_MAX,
  type ExecuteRequest,
  type ExecuteResponse,
} from './schema.ts';

interface Resolution {
  readonly id: string;
  readonly maxima: Limits;
}

/** Precondition: the language is one of `LANGUAGES`. */
export function toSubmission(request: ExecuteRequest, { id, maxima }: Resolution): RunSubmission {
  const { generated_code: code, language, timeout, std_input: stdin } = request;
  const cpuMs = Math.max(1, Math.round(timeout * 1000));
  const { limits, clamped } = resolveLimits(
    {
      ...maxima,
      cpuMs,
      wallMs: Math.min(Math.round(netWallFor(cpuMs)), maxima.wallMs),
    },
    maxima,
  );
  return {
    ...PLAIN,
    id,
    language: LANGUAGES[language] ?? language,
    program: { kind: 'single', code, files: [] },
    limits,
    clamped,
    stdin: Buffer.from(isShell(request) ? '' : (stdin ?? ''), 'utf8'),
    collect: [],
  };
}

function isShell({ language }: Pick<ExecuteRequest, 'language'>): boolean {
  return language === 'shell';
}

/** Why it cannot be run here; null where it can. */
export function whyNotServed(
  { language }: Pick<ExecuteRequest, 'language'>,
  session: string | undefined,
): string | null {
  if (language === 'ipython') return session === undefined ? NO_SESSION : badName(session);
  if (Object.hasOwn(LANGUAGES, language)) return null;
  return `${language} is not served here; python3, shell and ipython are`;
}

const NO_SESSION = 'X-Session-ID header required for ipython sessions';

function badName(session: string): string | null {
  const isFit = session.length > 0 && session.length <= SESSION_NAME_MAX;
  return isFit ? null : `X-Session-ID is 1 to ${SESSION_NAME_MAX} characters`;
}

/** A report without a fault; `timeout` tells the number as the client wrote it. */
export function toResponse(
  outcome: Outcome,
  request: ExecuteRequest,
  timeout: () => string,
): ExecuteResponse {
  const { kind } = outcome;
  if (kind === 'time_limit') return timedOut(timeout(), request);
  const isEnded = kind === 'exited' || kind === 'signalled';
  // Of Python the caller sees an error by stderr alone.
  const isCompleted = isEnded && (!isShell(request) || outcome.exitCode === 0);
  const note = isEnded ? '' : `the limit of ${kind.replace('_limit', '')} was reached\n`;
  return {
    process_status: isCompleted ? 'completed' : 'error',
    stdout: cut(toText(outcome.stdout).text, request),
    stderr: cut(`${toText(outcome.stderr).text}${note}`, request),
  };
}

export function timedOut(timeout: string, request: ExecuteRequest): ExecuteResponse {
  const stderr = `Execution timed out after ${timeout} seconds\n`;
  return { process_status: 'timeout', stdout: '', stderr: cut(stderr, request) };
}

/** The outcome to tell of. Throws Fault where there is none. */
export function outcomeOf({ fault, outcome }: RunReport): Outcome {
  if (outcome !== null && fault === null) return outcome;
  throw faultAgain(fault);
}

const CUT = '<output cut>';

/** So many characters of a text, as Python counts them, and a mark. */
export function cut(text: string, { max_output_characters: most }: ExecuteRequest): string {
  // No text has more characters than units.
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end < text.length ? `${text.slice(0, end)}${CUT}` : text;
}

export interface SurfaceError {
  readonly code: RejectionCode | null;
  readonly status: 400 | 401 | 403 | 413 | 415 | 422 | 500 | 503;
  readonly body: ExecuteResponse;
}

/** Its client takes the body of any answer for a result, so every body is one; nothing was run. */
export function toSurfaceError(error: unknown): SurfaceError {
  if (!(error instanceof Rejection)) {
    return { code: null, status: 500, body: refused(FAULTS[toFault(error).code].message) };
  }
  const { code, context } = error;
  const { status, retryable } = REJECTIONS[code];
  const body = refused(context.detail);
  if (retryable || status >= 500) return { code, status: 503, body };
  if (status === 401 || status === 403 || status === 413 || status === 415)
    return { code, status, body };
  return { code, status: status === 422 ? 422 : 400, body };
}

/** What is told where nothing was run. */
export function refused(error: string): ExecuteResponse {
  return { process_status: 'error', stdout: '', stderr: `not run: ${error}\n`, error };
}
