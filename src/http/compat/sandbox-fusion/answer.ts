/** What all endpoints of this surface have in common: bodies in, answers and errors out, work within a client's deadline. */
import type { z } from 'zod';

import { Rejection } from '../../../domain/errors.ts';
import type { CallContext } from '../../../judge/door.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { jsonPieces } from '../../json-pieces.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { serving } from '../../middleware/caller/caller.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown } from '../../middleware/errors/errors.ts';
import { sendJSON } from '../../send-json.ts';
import { sendHeldOpen } from '../hold-open.ts';
import { callWithin } from './call.ts';
import {
  BadRequest,
  notAnObject,
  NotJudged,
  ofIssues,
  toSurfaceError,
  type SurfaceError,
  type ToNoVerdict,
} from './errors.ts';
import { sendBody } from '../send-body.ts';

export interface Endpoint {
  readonly toNoVerdict: ToNoVerdict;
  readonly handle: (c: AppContext, deps: HTTPDeps) => Promise<Response>;
}

/** Answers a request, whatever is thrown. */
export async function serve(
  c: AppContext,
  deps: HTTPDeps,
  { toNoVerdict, handle }: Endpoint,
): Promise<Response> {
  try {
    return await handle(c, serving(c, deps));
  } catch (error) {
    if (error instanceof Answered) return sendBody(c, error.answer);
    const isKnown = error instanceof BadRequest || error instanceof NotJudged;
    if (!isKnown) logUnknown(c, error, deps);
    return sendBody(c, toSurfaceError(error, toNoVerdict));
  }
}

/** Ends a request with this answer. */
export class Answered extends Error {
  readonly answer: SurfaceError;
  constructor(answer: SurfaceError) {
    super(`answered with ${answer.status}`);
    this.answer = answer;
  }
}

/** The request's body, as it was sent and as the schema reads it. Throws Rejection and Answered. */
export async function readRequest<Schema extends z.ZodType>(
  c: AppContext,
  deps: HTTPDeps,
  schema: Schema,
): Promise<{
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: z.infer<Schema>;
}> {
  using held = await readBody(c, deps);
  const body = parseJSON(held.take());
  if (!isObject(body)) throw new Answered(notAnObject());
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Answered(ofIssues(parsed.error.issues));
  return { body, request: parsed.data };
}

interface Work<Report> {
  readonly ask: (context: CallContext) => Promise<Report>;
  /** Milliseconds within which the answer must leave, queueing included. */
  readonly deadlineMs: number;
  /** The body of the answer; may note facts for the log. */
  readonly toBody: (report: Report) => unknown;
  /** What to say of work that failed when the answer had begun already; null breaks it off. */
  readonly givenUp: object | null;
}

/** Answers with the work's result; held open with white space where it runs at the client's deadline. */
export async function answerWithin<Report>(
  c: AppContext,
  deps: HTTPDeps,
  { ask, deadlineMs, toBody, givenUp }: Work<Report>,
): Promise<Response> {
  const { clock, service } = deps;
  const result = await callWithin(ask, { clock, signal: c.req.raw.signal, deadlineMs });
  if (result.kind === 'answered') return sendJSON(c, toBody(result.report));
  const pieces = result.report.then(
    (report) => jsonPieces(toBody(report)),
    (error: unknown) => {
      if (!(error instanceof NotJudged)) logUnknown(c, error, deps);
      if (error instanceof Rejection) service.rejected(error.code);
      // 200 is on its way: all that is left to say is that it is not the program's failure.
      if (givenUp === null) throw error;
      return jsonPieces(givenUp);
    },
  );
  return sendHeldOpen(c, pieces, { clock, onCancel: result.cancel });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
