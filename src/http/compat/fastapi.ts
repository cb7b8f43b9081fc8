/** Errors in FastAPI's shape, for wires whose servers are written with it. Nothing of the request is echoed. Pure. */
import { FAULTS, REJECTIONS, Rejection, toFault, type RejectionCode } from '../../domain/errors.ts';

interface DetailEntry {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: null;
}

export interface DetailError {
  /** What the service counts it as; null for a fault of its own. */
  readonly code: RejectionCode | null;
  readonly status: 401 | 403 | 413 | 415 | 422 | 500 | 503;
  readonly body: { readonly detail: string | readonly DetailEntry[] };
}

/** 422 for what is wrong with the request, 503 for want of capacity, 500 for a fault of ours. */
export function toDetailError(error: unknown): DetailError {
  if (!(error instanceof Rejection)) {
    const detail = FAULTS[toFault(error).code].message;
    return { code: null, status: 500, body: { detail } };
  }
  const { code } = error;
  const { detail, errors } = error.context;
  const { status, retryable } = REJECTIONS[code];
  if (retryable || status >= 500) return { code, status: 503, body: { detail } };
  if (status === 401 || status === 403 || status === 413 || status === 415)
    return { code, status, body: { detail } };
  const type = code === 'malformed_json' ? 'json_invalid' : 'value_error';
  const entries = errors?.map(({ path, message }) => entry(type, path, message));
  return { code, status: 422, body: { detail: entries ?? [entry(type, '', detail)] } };
}

function entry(type: string, path: string, msg: string): DetailEntry {
  return { type, loc: path === '' ? ['body'] : ['body', path], msg, input: null };
}
