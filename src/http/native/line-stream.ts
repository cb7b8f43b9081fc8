/**
 * Results a line, then a line with their summary, as the body of an answer. What makes the results is stopped when the
 * reader leaves, does not read, or the results break off; a stream without a summary was cut.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

import type { AppContext } from '../app-env.ts';
import { NDJSON_MEDIA_TYPE } from '../middleware/body/parse-json.ts';

export interface LineStreamContext {
  /** Aborts when nobody reads any more. */
  readonly signal: AbortSignal;
  /** To be called when results have waited too long for their reader. */
  readonly onStall: () => void;
}

/** Whether the caller asks for lines. */
export function wantsLines(c: AppContext): boolean {
  const types = (c.req.header('accept') ?? '').split(',');
  return types.some((type) => NDJSON_MEDIA_TYPE.pattern.test((type.split(';')[0] ?? '').trim()));
}

/** `summary` may still change until the results end; it goes to the log as well. */
export function streamLines(
  c: AppContext,
  summary: object,
  produce: (context: LineStreamContext) => AsyncGenerator<string>,
): ReadableStream<Uint8Array> {
  const ended = Promise.withResolvers<void>();
  c.set('streamEnd', ended.promise);
  const fields = c.get('logFields');
  let sentBytes = 0;
  const end = (isWhole: boolean): void => {
    Object.assign(fields, summary, { response_bytes: sentBytes, whole: isWhole });
    ended.resolve();
  };
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
    // What it holds is given back, also where it waits to be asked for more.
    void results.return(undefined).catch(() => undefined);
  };
  c.req.raw.signal.addEventListener('abort', leave, { once: true });
  let stall = (): void => {};
  const results = produce({ signal: gone.signal, onStall: () => stall() });
  const encoder = new TextEncoder();
  // What is asked for later still belongs to this request, whose trace it joins.
  const inRequest = AsyncLocalStorage.snapshot();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stall = () => {
          controller.error(new Error('the reports were not taken'));
          leave();
          end(false);
        };
      },
      async pull(controller) {
        try {
          const next = await inRequest(() => results.next());
          if (gone.signal.aborted) return;
          const isDone = next.done === true;
          const text = next.done === true ? `${JSON.stringify({ summary })}\n` : next.value;
          const bytes = encoder.encode(text);
          sentBytes += bytes.byteLength;
          controller.enqueue(bytes);
          if (isDone) {
            controller.close();
            end(true);
          }
        } catch (error) {
          // The caller's body broke off, or its reader left: no summary tells it that the stream was cut.
          controller.error(error);
          leave();
          end(false);
        }
      },
      cancel() {
        leave();
        end(false);
      },
    },
    { highWaterMark: 0 },
  );
}
