/** What requests about sessions say, in body and query. Throws Rejection `invalid`, and what reading a body throws. */
import type { CallContext } from '../../../judge/door.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { checkJSONMediaType, parseJSON } from '../../middleware/body/parse-json.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { checkLabels, createErrors, pathProblem } from '../checks.ts';
import type { ExecRequest } from '../schema/session.ts';
import { invalid } from '../validation.ts';

/** The bytes of a JSON body. */
export async function bodyOf(c: AppContext, deps: HTTPDeps) {
  checkJSONMediaType(c.req.header('content-type'));
  return await readBody(c, deps);
}

export async function jsonOf(c: AppContext, deps: HTTPDeps): Promise<unknown> {
  using body = await bodyOf(c, deps);
  return parseJSON(body.take());
}

/** Who waits, and for how long. */
export function contextOf(
  c: AppContext,
  { deadline_ms, priority }: Pick<ExecRequest, 'priority'> & { deadline_ms?: number | undefined },
): CallContext {
  return { signal: c.req.raw.signal, deadlineMs: deadline_ms ?? null, priority };
}

/** Where in the work folder. */
export function pathOf(c: AppContext): string {
  const path = c.req.query('path') ?? '';
  const problem = pathProblem(path);
  if (problem !== null) throw invalid([{ path: 'path', message: problem }]);
  return path;
}

/** Permission bits of the query. */
export function modeOf(c: AppContext): number | undefined {
  const text = c.req.query('mode');
  if (text === undefined) return undefined;
  if (!/^0?[0-7]{3}$/.test(text))
    throw invalid([{ path: 'mode', message: 'is three octal digits, such as 644 or 0755' }]);
  return Number.parseInt(text, 8);
}

/** Of the query. */
export function labelsOf(c: AppContext): ReadonlyMap<string, string> {
  const pairs = (c.req.queries('label') ?? []).map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw invalid([{ path: 'label', message: 'is name=value' }]);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return new Map(pairs);
}

export function requireLabels(labels: Readonly<Record<string, string>>): void {
  const errors = createErrors();
  checkLabels(labels, errors);
  if (errors.list.length > 0) throw invalid(errors.list);
}
