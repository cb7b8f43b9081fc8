/** How this surface tells what went wrong: FastAPI's shapes, and 504 for all that another try may cure. */
import type { z } from 'zod';

import {
  FAULTS,
  REJECTIONS,
  Rejection,
  toFault,
  type RejectionCode,
} from '../../../domain/errors.ts';
import { DETAILS_MAX } from './lax.ts';
import type { DetailEntry } from './schema.ts';

export type SurfaceError = {
  /** What the service counts it as; null for a fault of its own. */
  readonly code: RejectionCode | null;
} & (
  | NoVerdict
  | { readonly status: 422; readonly body: { readonly detail: readonly DetailEntry[] } }
  | {
      readonly status: 400 | 401 | 403 | 413 | 415 | 504;
      readonly body: { readonly detail: string };
    }
);

/** How an endpoint says that it cannot tell, and not by the program's fault. */
interface NoVerdict {
  readonly status: 200 | 500;
  readonly body: object;
}

/** Of an endpoint: from the reason to what it answers. */
export type ToNoVerdict = (message: string) => NoVerdict;

/** What is thrown for a 400, whose `detail` is a sentence. */
export class BadRequest extends Error {}

/** What is thrown where there is no result and the program is not to blame; the service has logged it. */
export class NotJudged extends Error {}

/**
 * Pure. verl asks again after 504 and after nothing else, so every rejection for want of capacity is one. A fault of
 * ours is `SandboxError`, which the clients do not take for the program's failure.
 */
export function toSurfaceError(error: unknown, toNoVerdict: ToNoVerdict): SurfaceError {
  if (error instanceof BadRequest)
    return { code: 'invalid', status: 400, body: { detail: error.message } };
  if (error instanceof NotJudged) return { code: null, ...toNoVerdict(error.message) };
  if (!(error instanceof Rejection))
    return { code: null, ...toNoVerdict(FAULTS[toFault(error).code].message) };
  const { code } = error;
  const { detail, errors } = error.context;
  // No 422, which the clients take for their own mistake.
  if (code === 'language_unavailable') return { code, ...toNoVerdict(detail) };
  if (code === 'malformed_json')
    return invalidBody([entry('json_invalid', ['body'], `JSON decode error: ${detail}`)], code);
  const { status, retryable } = REJECTIONS[code];
  if (retryable || status >= 500) return { code, status: 504, body: { detail } };
  if (status === 401 || status === 403 || status === 413 || status === 415)
    return { code, status, body: { detail } };
  const entries = errors?.map(({ path, message }) => entry('value_error', ['body', path], message));
  return invalidBody(entries ?? [entry('value_error', ['body'], detail)], code);
}

/** A 422 with these entries. */
export function invalidBody(
  detail: readonly DetailEntry[],
  code: RejectionCode = 'invalid',
): SurfaceError {
  return { code, status: 422, body: { detail } };
}

/** What pydantic says of a body that is no object. */
export function notAnObject(): SurfaceError {
  const message = 'Input should be a valid dictionary or object to extract fields from';
  return invalidBody([entry('model_attributes_type', ['body'], message)]);
}

/** zod's issues, each carrying its pydantic type, as FastAPI lists them. */
export function ofIssues(issues: readonly z.core.$ZodIssue[]): SurfaceError {
  return invalidBody(
    issues.slice(0, DETAILS_MAX).map((issue) => {
      const type: unknown = issue.code === 'custom' ? issue.params?.['type'] : undefined;
      const loc = [
        'body',
        ...issue.path.map((part) => (typeof part === 'number' ? part : String(part).slice(0, 256))),
      ];
      return entry(typeof type === 'string' ? type : 'value_error', loc, issue.message);
    }),
  );
}

function entry(type: string, loc: readonly (string | number)[], msg: string): DetailEntry {
  return { type, loc, msg, input: null };
}
