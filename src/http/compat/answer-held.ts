/**
 * Answers work that may take longer than a client bears silence: near that limit the answer begins with white space, which
 * JSON allows, and goes on with it until the work is done (`hold-open.ts`).
 */
import { Rejection } from '../../domain/errors.ts';
import type { AppContext, HTTPDeps } from '../app-env.ts';
import { jsonPieces } from '../json-pieces.ts';
import { logUnknown } from '../middleware/errors/errors.ts';
import { sendJSON } from '../send-json.ts';
import { sendHeldOpen, untilGone } from './hold-open.ts';

interface Held {
  /** What the client bears, less some margin, ms. */
  readonly silenceMs: number;
  /** The signal aborts when the client has left. What it throws before the answer has begun is thrown. */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  /** The body where the work failed after the answer, a 200, has begun. */
  readonly afterwards: (error: unknown) => unknown;
}

/** The work's result as JSON. */
export async function answerHeld(
  c: AppContext,
  deps: Pick<HTTPDeps, 'clock' | 'logger' | 'service'>,
  { silenceMs, work, afterwards }: Held,
): Promise<Response> {
  const { clock } = deps;
  const { signal, leave } = untilGone(c);
  const result = work(signal).then((value) => ({ value }));
  const silence = Promise.withResolvers<null>();
  const timer = clock.after(silenceMs, () => silence.resolve(null));
  try {
    const first = await Promise.race([result, silence.promise]);
    if (first !== null) return sendJSON(c, first.value);
  } finally {
    timer.cancel();
  }
  const pieces = result.then(
    ({ value }) => jsonPieces(value),
    (error: unknown) => {
      logUnknown(c, error, deps);
      if (error instanceof Rejection) deps.service.rejected(error.code);
      return jsonPieces(afterwards(error));
    },
  );
  return sendHeldOpen(c, pieces, { clock, onCancel: leave });
}
