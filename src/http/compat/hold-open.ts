/**
 * Keeps a client waiting for a job that already runs. The listed clients' time-outs are limits of silence
 * (`requests`, httpx), and JSON may begin with white space: so, when the client's deadline is near, the answer
 * begins with a space and goes on with one every few seconds until the job is done.
 */
import type { Clock } from '../../lib/clock.ts';
import type { AppContext } from '../app-env.ts';

/** Well under the shortest limit of silence of a known client (10 s). */
const BEAT_MS = 3000;

interface Waiting {
  readonly clock: Clock;
  /** Ends the job: the client has left before the answer. */
  readonly onCancel: () => void;
}

/** The rest of a request whose job goes on: a 200 of white space, then the answer. */
export function sendHeldOpen(
  c: AppContext,
  answer: Promise<Iterator<string>>,
  waiting: Waiting,
): Response {
  c.get('logFields')['held_open'] = true;
  const ended = (): void => undefined;
  c.set('streamEnd', answer.then(ended, ended));
  c.header('Content-Type', 'application/json');
  return c.body(holdOpen(answer, waiting));
}

/** Aborts when the client has left, or when told to. */
export function untilGone(
  { req }: AppContext,
  reason?: () => Error,
): { readonly signal: AbortSignal; readonly leave: () => void } {
  const gone = new AbortController();
  const leave = (): void => gone.abort(reason?.());
  const { signal } = req.raw;
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return { signal: gone.signal, leave };
}

/** A body of spaces, then the pieces of the answer. */
function holdOpen(
  answer: Promise<Iterator<string>>,
  { clock, onCancel }: Waiting,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isWaiting = true;
  const stopWaiting = (): void => {
    isWaiting = false;
  };
  answer.then(stopWaiting, stopWaiting);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = (): void => {
        if (!isWaiting) return;
        controller.enqueue(encoder.encode(' '));
        clock.after(BEAT_MS, beat);
      };
      beat();
    },
    async pull(controller) {
      const pieces = await answer;
      const next = pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel() {
      stopWaiting();
      onCancel();
    },
  });
}
