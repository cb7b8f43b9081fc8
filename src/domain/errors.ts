/**
 * The two families of errors that travel as exceptions: rejections (the caller's or capacity's) and faults
 * (ours). Outcomes of submitted programs are data and never thrown. Status, blame and retry advice are total
 * tables over the codes, so a new code without them does not compile.
 */

export const REJECTION_CODES = [
  'malformed_json',
  'unknown_key',
  'not_allowed',
  'no_such_endpoint',
  'no_such_testset',
  'no_such_job',
  'no_such_session',
  'no_such_snapshot',
  'no_such_file',
  'session_busy',
  'sessions_full',
  'session_store_full',
  'method_not_allowed',
  'request_timeout',
  'too_large',
  'wrong_media_type',
  'invalid',
  'unknown_language',
  'unknown_environment',
  'no_tests',
  'key_reused',
  'testset_refused',
  'testset_store_full',
  'rate_limited',
  'jobs_full',
  'jobs_away',
  'queue_full',
  'host_full',
  'draining',
  'language_unavailable',
  'wall_unavailable',
  'not_ready',
  'deadline',
  'caller_gone',
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

interface RejectionFacts {
  readonly status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 413
    | 415
    | 422
    | 429
    | 499
    | 503
    | 504
    | 507;
  readonly title: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
}

export const REJECTIONS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON in UTF-8', retryable: false },
  unknown_key: { status: 401, title: 'The key is missing or not known', retryable: false },
  not_allowed: { status: 403, title: 'Not allowed', retryable: false },
  no_such_endpoint: { status: 404, title: 'No such endpoint', retryable: false },
  no_such_testset: { status: 404, title: 'No such test set', retryable: false },
  no_such_job: { status: 404, title: 'No such job', retryable: false },
  no_such_session: { status: 404, title: 'No such session', retryable: false },
  no_such_snapshot: { status: 404, title: 'No such snapshot', retryable: false },
  no_such_file: { status: 404, title: 'No such file', retryable: false },
  session_busy: { status: 409, title: 'The session is at work', retryable: true },
  sessions_full: { status: 429, title: 'There are too many sessions', retryable: true },
  session_store_full: { status: 507, title: 'There is no room for more files', retryable: true },
  method_not_allowed: { status: 405, title: 'This endpoint has other methods', retryable: false },
  request_timeout: { status: 408, title: 'The body did not arrive', retryable: true },
  too_large: { status: 413, title: 'The request is too large', retryable: false },
  wrong_media_type: { status: 415, title: 'The media type is not supported', retryable: false },
  invalid: { status: 422, title: 'The request is not valid', retryable: false },
  unknown_language: { status: 422, title: 'Unknown language', retryable: false },
  unknown_environment: { status: 422, title: 'Unknown environment', retryable: false },
  no_tests: { status: 422, title: 'Nothing to test', retryable: false },
  key_reused: { status: 422, title: 'The key was used for another request', retryable: false },
  testset_refused: { status: 422, title: 'The test set does not hold', retryable: false },
  testset_store_full: { status: 507, title: 'Test sets cannot be stored', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  jobs_full: { status: 429, title: 'There are too many jobs', retryable: true },
  jobs_away: { status: 503, title: 'Jobs cannot be reached now', retryable: true },
  queue_full: { status: 503, title: 'The queue is full', retryable: true },
  host_full: {
    status: 503,
    title: 'The host has too little disk or memory left',
    retryable: true,
  },
  draining: { status: 503, title: 'The service is stopping', retryable: true },
  language_unavailable: {
    status: 503,
    title: 'The language is not available on this host',
    retryable: false,
  },
  wall_unavailable: { status: 422, title: 'The wall is not available here', retryable: false },
  not_ready: { status: 503, title: 'The service is not ready', retryable: true },
  deadline: { status: 504, title: 'The deadline passed before an answer', retryable: true },
  caller_gone: { status: 499, title: 'The caller closed the connection', retryable: true },
} as const satisfies Record<RejectionCode, RejectionFacts>;

/** One named place in a request that is wrong. */
export interface FieldError {
  /** For example `tests.cases[3].stdin`; "" for the whole body. */
  readonly path: string;
  readonly message: string;
}

export interface RejectionContext {
  /** What was wrong, where, and what to do. Never contains code, stdin or expected output. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterMs?: number;
}

/** The caller's or capacity's error. */
export class Rejection extends Error {
  readonly code: RejectionCode;
  readonly context: RejectionContext;
  constructor(code: RejectionCode, context: RejectionContext, options?: { cause?: unknown }) {
    super(context.detail, options);
    this.name = 'Rejection';
    this.code = code;
    this.context = context;
  }
}

export const FAULT_CODES = [
  'jail_start_failed',
  'jail_died',
  'supervisor_error',
  'protocol_error',
  'jail_unresponsive',
  'host_out_of_memory',
  'host_limit',
  'host_busy',
  'compiler_broken',
  'checker_failed',
  'interactor_failed',
  'tests_broken',
  'test_runner_failed',
  'internal',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

interface FaultFacts {
  /** What a caller reads: no paths, no stack. */
  readonly message: string;
  /** Whether a fresh jail may do better. */
  readonly retryable: boolean;
  /** Whether the problem is to blame; its author then reads the detail. Nothing is wrong with the jails. */
  readonly isProblems: boolean;
}

export const FAULTS = {
  jail_start_failed: { message: 'a jail could not be started', retryable: true, isProblems: false },
  jail_died: { message: 'the jail ended during the run', retryable: true, isProblems: false },
  supervisor_error: {
    message: 'the supervisor reported an error of its own',
    retryable: true,
    isProblems: false,
  },
  protocol_error: {
    message: 'the supervisor answered out of protocol',
    retryable: true,
    isProblems: false,
  },
  jail_unresponsive: {
    message: 'the jail did not answer in time',
    retryable: true,
    isProblems: false,
  },
  host_out_of_memory: { message: 'the host ran out of memory', retryable: true, isProblems: false },
  host_limit: { message: 'the host ran out of a resource', retryable: true, isProblems: false },
  host_busy: { message: 'others had the core of the run', retryable: true, isProblems: false },
  compiler_broken: {
    message: 'the toolchain of this language is broken',
    retryable: false,
    isProblems: false,
  },
  checker_failed: { message: 'the checker failed', retryable: false, isProblems: true },
  interactor_failed: { message: 'the interactor failed', retryable: false, isProblems: true },
  tests_broken: { message: 'the tests themselves do not work', retryable: false, isProblems: true },
  test_runner_failed: {
    message: 'the test runner ended without an answer',
    retryable: true,
    isProblems: false,
  },
  internal: { message: 'an internal error', retryable: true, isProblems: false },
} as const satisfies Record<FaultCode, FaultFacts>;

/** Our own failure: reward null, retried on a fresh jail, never scored. `detail` is for the operator's log. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly detail: string;
  constructor(code: FaultCode, detail: string, options?: { cause?: unknown }) {
    super(`${FAULTS[code].message}: ${detail}`, options);
    this.name = 'Fault';
    this.code = code;
    this.detail = detail;
  }
}

/** Any thrown value as a fault; the one place where unknown errors are normalised. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Fault('internal', detail, { cause: error });
}

/** The fault that a report tells of, to be thrown where a wire has no word for one. */
export function faultAgain(
  info: { readonly code: string; readonly message: string } | null,
): Fault {
  const code = FAULT_CODES.find((each) => each === info?.code) ?? 'internal';
  return new Fault(code, info?.message ?? 'there is no result');
}

/** What callers read of a fault: no detail, unless it is their own problem's. */
export function faultInfo({ code, detail }: Fault): {
  readonly code: FaultCode;
  readonly message: string;
  readonly retryable: boolean;
} {
  const { message, retryable, isProblems } = FAULTS[code];
  return { code, message: isProblems ? `${message}: ${detail}` : message, retryable };
}
