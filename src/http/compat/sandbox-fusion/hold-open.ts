/**
 * Keeps a client waiting for a job that already runs. The listed clients' time-outs are limits of silence
 * (`requests`, httpx), and JSON may begin with white space: so, when the client's deadline is near, the answer
 * begins with a space and goes on with one every few seconds until the job is done.
 */
import type { Clock } from '../../../lib/clock.ts';

/** Well under the shortest limit of silence of a known client (10 s). */
const BEAT_MS = 3000;

/** A body of spaces, then the pieces of the answer. `onCancel` is called when the client leaves before. */
export function holdOpen(
  answer: Promise<Iterator<string>>,
  { clock, onCancel }: { readonly clock: Clock; readonly onCancel: () => void },
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
