/** How this surface tells what went wrong: FastAPI's shapes, and 504 for all that another try may cure. */
import type { z } from 'zod';

import { FAULTS, REJECTIONS, Rejection, toFault } from '../../../domain/errors.ts';
import { sandboxError } from './translate.ts';
import type { DetailEntry, RunCodeResponse } from './schema.ts';

export type SurfaceError =
  | { readonly status: 200; readonly body: RunCodeResponse }
  | { readonly status: 422; readonly body: { readonly detail: readonly DetailEntry[] } }
  | { readonly status: 413 | 415 | 504; readonly body: { readonly detail: string } };

/**
 * Pure. verl asks again after 504 and after nothing else, so every rejection for want of capacity is one. A fault of
 * ours is `SandboxError`, which the clients do not take for the program's failure.
 */
export function toSurfaceError(error: unknown, podName: string | null): SurfaceError {
  if (!(error instanceof Rejection)) {
    return { status: 200, body: sandboxError(FAULTS[toFault(error).code].message, podName) };
  }
  const { detail, errors } = error.context;
  if (error.code === 'language_unavailable')
    return { status: 200, body: sandboxError(detail, podName) };
  if (error.code === 'malformed_json')
    return invalidBody([entry('json_invalid', ['body'], `JSON decode error: ${detail}`)]);
  const { status, retryable } = REJECTIONS[error.code];
  if (retryable || status >= 500) return { status: 504, body: { detail } };
  if (status === 413 || status === 415) return { status, body: { detail } };
  const entries = errors?.map(({ path, message }) => entry('value_error', ['body', path], message));
  return invalidBody(entries ?? [entry('value_error', ['body'], detail)]);
}

/** A 422 with these entries. */
export function invalidBody(detail: readonly DetailEntry[]): SurfaceError {
  return { status: 422, body: { detail } };
}

/** What pydantic says of a body that is no object. */
export function notAnObject(): SurfaceError {
  const message = 'Input should be a valid dictionary or object to extract fields from';
  return invalidBody([entry('model_attributes_type', ['body'], message)]);
}

/** zod's issues, each carrying its pydantic type, as FastAPI lists them. */
export function ofIssues(issues: readonly z.core.$ZodIssue[]): SurfaceError {
  return invalidBody(
    issues.map((issue) => {
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
