/** Answers with JSON and notes its size for the log. */
import type { AppContext } from './app-env.ts';
import { isLarge, jsonPieces } from './json-pieces.ts';

/** `status` 200 unless given. A large value is written in pieces, as fast as they are taken. */
export function sendJSON(
  c: AppContext,
  value: unknown,
  status: 200 | 201 | 202 | 503 = 200,
): Response {
  c.header('Content-Type', 'application/json');
  if (isLarge(value)) return c.body(streamPieces(c, jsonPieces(value)), status);
  const text = JSON.stringify(value);
  c.get('logFields')['response_bytes'] = Buffer.byteLength(text);
  return c.body(text, status);
}

function streamPieces(c: AppContext, pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const ended = Promise.withResolvers<void>();
  c.set('streamEnd', ended.promise);
  const fields = c.get('logFields');
  let sentBytes = 0;
  const end = (isWhole: boolean): void => {
    Object.assign(fields, { response_bytes: sentBytes, whole: isWhole });
    ended.resolve();
  };
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = pieces.next();
        if (next.done === true) {
          controller.close();
          return end(true);
        }
        const bytes = encoder.encode(next.value);
        sentBytes += bytes.byteLength;
        controller.enqueue(bytes);
      },
      cancel: () => end(false),
    },
    { highWaterMark: 0 },
  );
}
