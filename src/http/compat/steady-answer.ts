/**
 * Answers of jobs that may take long, for clients who give up on silence: what is ready soon is an ordinary answer; else
 * the answer begins as a 200 with white space, which JSON may begin with, and goes on with it until the job is done.
 */
import { Rejection } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AppContext } from '../app-env.ts';
import { isLarge, jsonPieces } from '../json-pieces.ts';
import { sendJSON } from '../send-json.ts';
import { sendHeldOpen } from './hold-open.ts';
import { sendBody } from './send-body.ts';

export interface SteadyAnswer {
  readonly status: 200 | 400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 499 | 500 | 503;
  readonly body: unknown;
  /** In the place of `body` where a 200 has been sent already; `body` unless given. */
  readonly lateBody?: unknown;
}

interface SteadyOptions {
  readonly clock: Clock;
  /** How long the answer may be silent from now on, ms. */
  readonly silenceMs: number;
  /** Ends the job: the client has gone. */
  readonly cancel: () => void;
}

/** Why a job ends whose client has gone. */
export function callerGone(): Rejection {
  return new Rejection('caller_gone', { detail: 'the caller closed the connection' });
}

/** `answer` never rejects. */
export async function sendSteadily(
  c: AppContext,
  answer: Promise<SteadyAnswer>,
  { clock, silenceMs, cancel }: SteadyOptions,
): Promise<Response> {
  const silence = Promise.withResolvers<null>();
  const timer = clock.after(silenceMs, () => silence.resolve(null));
  const ready = await Promise.race([answer, silence.promise]);
  timer.cancel();
  if (ready !== null) return sendNow(c, ready);
  const pieces = answer.then(({ body, lateBody }) =>
    jsonPieces(lateBody === undefined ? body : lateBody),
  );
  return sendHeldOpen(c, pieces, { clock, onCancel: cancel });
}

function sendNow(c: AppContext, { status, body }: SteadyAnswer): Response {
  if (status === 200 && isLarge(body)) return sendJSON(c, body);
  return sendBody(c, { code: null, status, body });
}
