/**
 * The one place where what was thrown becomes an answer: rejections as problem+json (RFC 9457), everything else
 * as a 500 that tells nothing of the inside and is logged with the request's id.
 */
import type { ErrorHandler, NotFoundHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import {
  FAULTS,
  REJECTIONS,
  Rejection,
  toFault,
  type FieldError,
  type RejectionCode,
} from '../../../domain/errors.ts';

/** An error as the native wire shows it. */
export interface Problem {
  readonly type: 'about:blank';
  readonly code: RejectionCode | 'fault';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retry_after_ms?: number;
}

/** Retry advice where a rejection gives none but another try may help. */
const DEFAULT_RETRY_AFTER_MS = 1000;

/** Pure: any thrown value as a problem. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof Rejection)) {
    const fault = toFault(error);
    return {
      type: 'about:blank',
      code: 'fault',
      title: 'The service failed',
      status: 500,
      detail: FAULTS[fault.code].message,
      errors: [],
    };
  }
  const { status, title, retryable } = REJECTIONS[error.code];
  const { detail, errors = [], retryAfterMs } = error.context;
  const problem = { type: 'about:blank', code: error.code, title, status, detail, errors } as const;
  return retryable
    ? { ...problem, retry_after_ms: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS }
    : problem;
}

/** Answers with a problem; `Retry-After` in whole seconds, rounded up. */
function sendProblem(c: AppContext, problem: Problem): Response {
  if (problem.retry_after_ms !== undefined) {
    c.header('Retry-After', String(Math.ceil(problem.retry_after_ms / 1000)));
  }
  c.header('Content-Type', 'application/problem+json');
  c.get('logFields')['error_code'] = problem.code;
  if (problem.code !== 'fault') c.set('rejection', problem.code);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hono's list of codes lacks 499, which no caller is left to read
  return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode);
}

/** Hono's error handler of the native surface. */
export function onError(deps: Pick<HTTPDeps, 'logger'>): ErrorHandler<AppEnv> {
  return (error, c) => {
    logUnknown(c, error, deps);
    return sendProblem(c, toProblem(error));
  };
}

/** Writes what is hidden from the caller; rejections are no news to the operator. */
export function logUnknown(
  c: AppContext,
  error: unknown,
  { logger }: Pick<HTTPDeps, 'logger'>,
): void {
  if (error instanceof Rejection) return;
  const fault = toFault(error);
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error(
    { request_id: c.get('requestId'), fault_code: fault.code, fault_detail: fault.detail, stack },
    'request failed',
  );
}

/** Unknown paths. Aloud, since a trainer with a wrong URL otherwise trains on errors. */
export function onNotFound(): NotFoundHandler<AppEnv> {
  return (c) =>
    sendProblem(
      c,
      toProblem(
        new Rejection('no_such_endpoint', {
          detail: `nothing is served at this path; see /openapi.json`,
        }),
      ),
    );
}

/** For the methods that a path does not have: 405 with `Allow`. */
export function methodNotAllowed(allowed: readonly string[]) {
  return (c: AppContext): Response => {
    c.header('Allow', allowed.join(', '));
    return sendProblem(
      c,
      toProblem(new Rejection('method_not_allowed', { detail: `use ${allowed.join(' or ')}` })),
    );
  };
}
