/** How this surface tells what went wrong: `{"message"}`, and a status that tells its clients whether to ask again. Pure. */
import {
  FAULTS,
  REJECTIONS,
  Rejection,
  toFault,
  type RejectionCode,
} from '../../../domain/errors.ts';
import type { FaultInfo } from '../../../domain/report.ts';
import type { SteadyAnswer } from '../steady-answer.ts';
import { PistonError } from './schema.ts';

export interface PistonAnswer extends SteadyAnswer {
  /** What the service counts it as; null for none of its rejections. */
  readonly code: RejectionCode | null;
}

/**
 * Anything thrown. Open R1's client asks again after every status but 200, and where a 200 was sent already, after a body
 * of `null`: so that is what tells of what may go well the next time.
 */
export function toAnswer(error: unknown): PistonAnswer {
  if (error instanceof PistonError)
    return { status: 400, body: { message: error.message }, code: 'invalid' };
  if (!(error instanceof Rejection)) return again(500, FAULTS[toFault(error).code].message);
  const { code } = error;
  const { detail, errors = [] } = error.context;
  if (code === 'malformed_json')
    return { status: 400, body: { message: detail, stack: `SyntaxError: ${detail}` }, code };
  const { status, retryable } = REJECTIONS[code];
  if (retryable || status >= 500) return { ...again(503, detail), code };
  const [first] = errors;
  const message = first === undefined ? detail : `${first.path}: ${first.message}`;
  const known = KNOWN.find((each) => each === status) ?? 400;
  return { status: known, body: { message }, code };
}

/** The others are a 400. */
const KNOWN = [401, 403, 404, 413, 415] as const;

/** A fault of ours that is in a report: no verdict on the program. */
export function ofFault(fault: FaultInfo | null): PistonAnswer {
  const message = fault?.message ?? 'the run was cancelled';
  if (fault?.retryable !== false) return again(500, message);
  return { status: 500, body: { message }, code: null };
}

function again(status: 500 | 503, message: string): PistonAnswer {
  return { status, body: { message }, lateBody: null, code: null };
}
