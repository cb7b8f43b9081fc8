/**
 * Keeps a client waiting for a job that already runs. The listed clients' time-outs are limits of silence
 * (`requests`, httpx), and JSON may begin with white space: so, when the client's deadline is near, the answer
 * begins with a space and goes on with one every few seconds until the job is done.
 */
import type { Clock } from '../../../lib/clock.ts';

/** Well under the shortest limit of silence of a known client (10 s). */
const BEAT_MS = 3000;

/** A body of spaces, then the text. `onCancel` is called when the client leaves before. */
export function holdOpen(
  answer: Promise<string>,
  { clock, onCancel }: { readonly clock: Clock; readonly onCancel: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = (): void => {
        if (isOver) return;
        controller.enqueue(encoder.encode(' '));
        clock.after(BEAT_MS, beat);
      };
      beat();
      const finish = (text: string): void => {
        if (isOver) return;
        isOver = true;
        controller.enqueue(encoder.encode(text));
        controller.close();
      };
      void answer.then(finish, (error: unknown) => {
        if (!isOver) controller.error(error);
        isOver = true;
      });
    },
    cancel() {
      isOver = true;
      onCancel();
    },
  });
}
